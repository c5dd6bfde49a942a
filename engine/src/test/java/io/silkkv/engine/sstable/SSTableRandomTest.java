package io.silkkv.engine.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.api.Compression;
import io.silkkv.engine.api.PrefixRule;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.cache.BlockCache;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.iterator.InternalIterator;
import io.silkkv.engine.sstable.Tables.Entry;
import io.silkkv.engine.testkit.MemFileSystem;
import io.silkkv.engine.testkit.Seeded;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Random tables under random options, compared with a sorted list of the same entries. */
final class SSTableRandomTest {
  private static final int NOWHERE = -1;

  @RegisterExtension final Seeded seeded = new Seeded();

  private List<Entry> model;
  private SSTableProperties written;
  private SSTableReader table;

  private void makeTable() {
    RandomGenerator random = seeded.random();
    SSTableOptions options =
        new SSTableOptions(
            64 << random.nextInt(9),
            1 + random.nextInt(20),
            random.nextBoolean() ? 10 : 0,
            List.of(Compression.NONE, Compression.LZ4, Compression.ZSTD).get(random.nextInt(3)),
            random.nextBoolean() ? 300 : 0,
            random.nextBoolean()
                ? PrefixRule.length(1 + random.nextInt(3))
                : PrefixRule.upTo((byte) 0));
    model = Tables.random(random, 1 << random.nextInt(10));
    MemFileSystem files = new MemFileSystem();
    written = Tables.write(files, Tables.FILE, options, model);
    table = Tables.open(files, Tables.FILE, new BlockCache(random.nextInt(2) * 100_000L));
  }

  @RepeatedTest(30)
  void whatIsWrittenIsRead() {
    makeTable();

    assertThat(Tables.scan(table, true)).isEqualTo(model);
    assertThat(Tables.scan(table, false)).isEqualTo(model);
    table.verify(() -> false);
  }

  @RepeatedTest(10)
  void propertiesDescribeTheEntries() {
    makeTable();
    SSTableProperties properties = table.properties();

    assertThat(properties).isEqualTo(written);
    assertThat(properties.smallest()).isEqualTo(model.get(0).key());
    assertThat(properties.largest()).isEqualTo(model.get(model.size() - 1).key());
    assertThat(properties.entries()).isEqualTo(model.size());
    assertThat(properties.deletions())
        .isEqualTo(model.stream().filter(e -> e.kind() == ValueKind.DELETE).count());
    assertThat(properties.smallestSequence())
        .isEqualTo(model.stream().mapToLong(Entry::sequence).min().orElseThrow());
    assertThat(properties.largestSequence())
        .isEqualTo(model.stream().mapToLong(Entry::sequence).max().orElseThrow());
    assertThat(properties.rawKeyBytes())
        .isEqualTo(model.stream().mapToLong(e -> e.key().length()).sum());
    assertThat(properties.rawValueBytes())
        .isEqualTo(model.stream().mapToLong(e -> e.value().length()).sum());
  }

  @RepeatedTest(30)
  void getFindsTheNewestVersionThatIsOldEnough() {
    makeTable();
    RandomGenerator random = seeded.random();
    TableLookup lookup = table.lookup(IoClass.CLIENT_READ);
    for (int i = 0; i < 1000; i++) {
      Slice key = targetKey(random);
      long sequence = targetSequence(random);
      Entry expected = atOrAfter(key, sequence);
      if (expected != null && !expected.key().equals(key)) {
        expected = null;
      }
      Found cached = table.probe(key, sequence);
      Found found = table.get(key, sequence, IoClass.CLIENT_READ);
      if (cached == null || !cached.isUnknown()) {
        assertThat(cached).isEqualTo(found);
      }
      assertThat(lookup.find(key, sequence)).isEqualTo(found);
      assertThat(found)
          .as("%s @%d", key, sequence)
          .isEqualTo(
              expected == null
                  ? null
                  : new Found(expected.kind(), expected.sequence(), expected.value()));
    }
  }

  @RepeatedTest(30)
  void noRangeIsDeniedThatHoldsAKey() {
    makeTable();
    RandomGenerator random = seeded.random();
    for (int i = 0; i < 1000; i++) {
      Slice one = targetKey(random);
      Slice other = targetKey(random);
      boolean inOrder = one.compareTo(other) < 0;
      Slice lower = inOrder ? one : other;
      Slice upper = inOrder ? other : one;
      boolean holds =
          model.stream()
              .anyMatch(e -> e.key().compareTo(lower) >= 0 && e.key().compareTo(upper) < 0);
      if (holds) {
        assertThat(table.mayHoldRange(lower, upper, IoClass.CLIENT_READ))
            .as("%s to %s", lower, upper)
            .isTrue();
      }
    }
  }

  @RepeatedTest(30)
  void anIteratorMovesAsTheModelDoes() {
    makeTable();
    RandomGenerator random = seeded.random();
    try (InternalIterator position = table.iterator(IoClass.CLIENT_READ, random.nextBoolean())) {
      assertThat(position.valid()).isFalse();
      int expected = NOWHERE;
      for (int i = 0; i < 3000; i++) {
        expected = move(random, position, expected);
        assertThat(position.valid()).isEqualTo(expected != NOWHERE);
        if (expected != NOWHERE) {
          assertThat(Entry.at(position)).isEqualTo(model.get(expected));
        }
      }
    }
  }

  /** Makes one random move and returns where it leads in the model. */
  private int move(RandomGenerator random, InternalIterator position, int from) {
    int choice = random.nextInt(from == NOWHERE ? 4 : 40);
    if (choice == 0) {
      position.seekToFirst();
      return 0;
    }
    if (choice == 1) {
      position.seekToLast();
      return model.size() - 1;
    }
    Slice key = targetKey(random);
    long sequence = targetSequence(random);
    if (choice == 2) {
      position.seek(key, sequence);
      return indexAtOrAfter(key, sequence);
    }
    if (choice == 3) {
      position.seekForPrev(key, sequence);
      return indexAtOrBefore(key, sequence);
    }
    // Long runs in one direction, with turns.
    boolean forward = (choice & 4) == 0 ? random.nextInt(8) != 0 : random.nextInt(8) == 0;
    if (forward) {
      position.next();
      return from + 1 < model.size() ? from + 1 : NOWHERE;
    }
    position.prev();
    return from - 1;
  }

  private Slice targetKey(RandomGenerator random) {
    return random.nextBoolean()
        ? model.get(random.nextInt(model.size())).key()
        : Tables.randomKey(random);
  }

  private long targetSequence(RandomGenerator random) {
    long any = model.get(random.nextInt(model.size())).sequence();
    return switch (random.nextInt(4)) {
      case 0 -> Tables.NEWEST;
      case 1 -> 0;
      case 2 -> any;
      default -> Math.max(0, any + random.nextInt(3) - 1);
    };
  }

  private int indexAtOrAfter(Slice key, long sequence) {
    for (int i = 0; i < model.size(); i++) {
      if (model.get(i).compareTo(key, sequence) >= 0) {
        return i;
      }
    }
    return NOWHERE;
  }

  private int indexAtOrBefore(Slice key, long sequence) {
    int result = NOWHERE;
    for (int i = 0; i < model.size(); i++) {
      if (model.get(i).compareTo(key, sequence) <= 0) {
        result = i;
      }
    }
    return result;
  }

  private Entry atOrAfter(Slice key, long sequence) {
    int index = indexAtOrAfter(key, sequence);
    return index == NOWHERE ? null : model.get(index);
  }
}
