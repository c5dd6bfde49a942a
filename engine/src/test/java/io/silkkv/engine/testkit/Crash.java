package io.silkkv.engine.testkit;

import io.silkkv.engine.testkit.MemNode.Change;
import io.silkkv.engine.testkit.MemNode.Directory;
import io.silkkv.engine.testkit.MemNode.RegularFile;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Decides what survives one crash, and copies it. Used once. */
final class Crash {
  /** Null when everything that was not synced is lost. */
  private final @Nullable RandomGenerator random;

  /** Pending changes that reached the disk although nobody synced them. */
  private final Set<Change> kept = new HashSet<>();

  /** Copies by original: a file with two names stays one file. */
  private final Map<MemNode, MemNode> copies = new HashMap<>();

  private Crash(@Nullable RandomGenerator random) {
    this.random = random;
  }

  static Crash losingAll() {
    return new Crash(null);
  }

  /** Keeps the first few pending changes of each directory. */
  static Crash random(RandomGenerator random, Collection<Directory> directories) {
    Crash crash = new Crash(random);
    for (Directory directory : directories) {
      int left = random.nextInt(directory.pending().size() + 1);
      for (Change change : directory.pending()) {
        if (left-- == 0) {
          break;
        }
        crash.kept.add(change);
      }
    }
    return crash;
  }

  Directory cloneOf(Directory directory) {
    MemNode known = copies.get(directory);
    if (known instanceof Directory copy) {
      return copy;
    }
    Directory copy = new Directory();
    copies.put(directory, copy);
    Map<String, MemNode> survivors = new TreeMap<>(directory.durableNames());
    for (Change change : directory.pending()) {
      if (kept.contains(change) && holds(change.condition)) {
        change.apply(survivors);
      }
    }
    survivors.forEach((name, node) -> copy.addDurable(name, cloneOf(node)));
    return copy;
  }

  private boolean holds(@Nullable Change condition) {
    return condition == null || condition.durable() || kept.contains(condition);
  }

  private MemNode cloneOf(MemNode node) {
    if (node instanceof Directory directory) {
      return cloneOf(directory);
    }
    MemNode known = copies.get(node);
    if (known != null) {
      return known;
    }
    RegularFile copy = new RegularFile(survivingBytes((RegularFile) node));
    copies.put(node, copy);
    return copy;
  }

  private byte[] survivingBytes(RegularFile file) {
    int durable = file.durableSize();
    int unsynced = file.size() - durable;
    if (random == null || unsynced == 0) {
      return file.copy(durable);
    }
    return switch (random.nextInt(4)) {
      case 0 -> file.copy(durable);
      case 1 -> file.copy(file.size());
      case 2 -> file.copy(durable + random.nextInt(unsynced + 1));
      default -> torn(file.copy(durable + 1 + random.nextInt(unsynced)), durable, random);
    };
  }

  /** The size of the file reached the disk, but not all of its last bytes: zeros or old content. */
  private static byte[] torn(byte[] bytes, int durable, RandomGenerator random) {
    int from = durable + random.nextInt(bytes.length - durable);
    boolean zeros = random.nextBoolean();
    for (int i = from; i < bytes.length; i++) {
      bytes[i] = zeros ? 0 : (byte) random.nextInt();
    }
    return bytes;
  }
}
