package io.silkkv.engine.testkit;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a name in a {@link MemFileSystem} stands for. Guarded by the lock of the file system. */
abstract sealed class MemNode {

  /** One change of the names in a directory, that happens entirely or not at all. */
  static final class Change {
    private final @Nullable String removed;
    private final @Nullable String added;
    private final @Nullable MemNode node;

    /** The change, in another directory, without which this one must not become durable. */
    final @Nullable Change condition;

    /** Where the change happens; set when it is made. */
    private @Nullable Directory directory;

    private boolean durable;

    private Change(
        @Nullable String removed,
        @Nullable String added,
        @Nullable MemNode node,
        @Nullable Change condition) {
      this.removed = removed;
      this.added = added;
      this.node = node;
      this.condition = condition;
    }

    static Change add(String name, MemNode node) {
      return new Change(null, name, node, null);
    }

    static Change remove(String name) {
      return new Change(name, null, null, null);
    }

    static Change rename(String from, String to, MemNode node) {
      return new Change(from, to, node, null);
    }

    static Change departure(String name, Change arrival) {
      return new Change(name, null, null, arrival);
    }

    boolean durable() {
      return durable;
    }

    void apply(Map<String, MemNode> names) {
      if (removed != null) {
        names.remove(removed);
      }
      if (added != null && node != null) {
        names.put(added, node);
      }
    }
  }

  /** A directory: names now, names on disk, and the changes between the two, in order. */
  static final class Directory extends MemNode {
    private final TreeMap<String, MemNode> names = new TreeMap<>();
    private final TreeMap<String, MemNode> durableNames = new TreeMap<>();
    private final Deque<Change> pending = new ArrayDeque<>();

    @Nullable MemNode get(String name) {
      return names.get(name);
    }

    boolean isEmpty() {
      return names.isEmpty();
    }

    List<String> names() {
      return List.copyOf(names.keySet());
    }

    Map<String, MemNode> durableNames() {
      return durableNames;
    }

    Deque<Change> pending() {
      return pending;
    }

    void change(Change change) {
      change.directory = this;
      change.apply(names);
      pending.add(change);
    }

    /** Adds a name that is on disk. */
    void addDurable(String name, MemNode node) {
      names.put(name, node);
      durableNames.put(name, node);
    }

    void sync() {
      while (!pending.isEmpty()) {
        syncNext();
      }
    }

    private void syncNext() {
      Change change = pending.remove();
      Change condition = change.condition;
      if (condition != null && condition.directory != null) {
        condition.directory.syncThrough(condition);
      }
      change.apply(durableNames);
      change.durable = true;
    }

    private void syncThrough(Change last) {
      while (!last.durable && !pending.isEmpty()) {
        syncNext();
      }
    }

    /** This directory and all below it, parents first, by name; a list that may be changed. */
    List<Directory> withAllBelow() {
      List<Directory> found = new ArrayList<>();
      found.add(this);
      for (MemNode node : names.values()) {
        if (node instanceof Directory directory) {
          found.addAll(directory.withAllBelow());
        }
      }
      return found;
    }
  }

  /** A file: its bytes, and how many of them are on disk. */
  static final class RegularFile extends MemNode {
    private byte[] bytes = {};
    private int size;
    private int durableSize;

    RegularFile() {}

    /** A file that is on disk. */
    RegularFile(byte[] bytes) {
      this.bytes = bytes;
      this.size = bytes.length;
      this.durableSize = bytes.length;
    }

    int size() {
      return size;
    }

    int durableSize() {
      return durableSize;
    }

    byte[] copy(int count) {
      return Arrays.copyOf(bytes, count);
    }

    void append(ByteBuffer source) {
      int count = source.remaining();
      if (size + count > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(size + count, 2 * bytes.length));
      }
      source.get(bytes, size, count);
      size += count;
    }

    void read(int offset, ByteBuffer target) {
      target.put(bytes, offset, target.remaining());
    }

    void sync() {
      durableSize = size;
    }

    void flip(int offset, int mask) {
      bytes[offset] ^= (byte) mask;
    }

    void truncate(int newSize) {
      size = Math.min(size, newSize);
      durableSize = Math.min(durableSize, newSize);
    }
  }
}
