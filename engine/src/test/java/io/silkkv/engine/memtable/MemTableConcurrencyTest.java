package io.silkkv.engine.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.iterator.InternalIterator;
import io.silkkv.engine.testkit.Seeded;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One thread writes while others read: nothing published is missed, nothing torn is seen. */
@Timeout(120)
class MemTableConcurrencyTest {
  private static final int ENTRIES = 60_000;
  private static final int KEYS = 20_000;

  @RegisterExtension final Seeded seeded = new Seeded();

  private final SlabPool pool = new SlabPool(256L << 20, 1 << 16);

  /** Sequence of the last entry that is certainly in the table. */
  private final AtomicLong published = new AtomicLong();

  private static Slice keyOf(long sequence) {
    long mixed = (sequence % KEYS) * 0x9E3779B97F4A7C15L;
    return Slice.utf8(Long.toUnsignedString(mixed, 36));
  }

  /** A value that its sequence explains; some span slabs. */
  private static byte[] valueOf(long sequence) {
    byte[] value = new byte[sequence % 997 == 0 ? 100_000 : (int) (sequence % 61)];
    for (int i = 0; i < value.length; i++) {
      value[i] = (byte) (sequence + i * 7L);
    }
    return value;
  }

  private static void checkValue(long sequence, Slice value) {
    assertThat(value.equals(Slice.wrap(valueOf(sequence))))
        .as("value of sequence %d is whole", sequence)
        .isTrue();
  }

  @Test
  void readersSeeEveryPublishedEntryAndNeverATornOne() throws Exception {
    MemTable table = new MemTable(pool, 1 << 30, new SplittableRandom(seeded.seed()));
    List<CompletableFuture<Void>> readers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      RandomGenerator random = new SplittableRandom(seeded.seed() + 1 + i);
      readers.add(CompletableFuture.runAsync(() -> getUntilDone(table, random)));
    }
    readers.add(CompletableFuture.runAsync(() -> walkUntilDone(table)));
    for (long sequence = 1; sequence <= ENTRIES; sequence++) {
      table.add(ValueKind.PUT, keyOf(sequence), sequence, Slice.wrap(valueOf(sequence)));
      published.setRelease(sequence);
    }
    for (CompletableFuture<Void> reader : readers) {
      reader.get();
    }
    table.release();
    assertThat(pool.usedBytes()).isZero();
  }

  private void getUntilDone(MemTable table, RandomGenerator random) {
    long last;
    do {
      last = published.getAcquire();
      if (last > 0) {
        long sequence = 1 + random.nextLong(last);
        MemTable.Entry exact = table.get(keyOf(sequence), sequence);
        assertThat(exact).as("entry of sequence %d", sequence).isNotNull();
        assertThat(exact.sequence()).isEqualTo(sequence);
        checkValue(sequence, exact.value());
        MemTable.Entry newest = table.get(keyOf(sequence), Long.MAX_VALUE);
        assertThat(newest).isNotNull();
        assertThat(newest.sequence()).isGreaterThanOrEqualTo(sequence);
        checkValue(newest.sequence(), newest.value());
      }
    } while (last < ENTRIES);
  }

  private void walkUntilDone(MemTable table) {
    boolean forward = true;
    long last;
    do {
      last = published.getAcquire();
      try (InternalIterator iterator = table.iterator()) {
        long seen = forward ? walkForward(iterator, last) : walkBackward(iterator, last);
        assertThat(seen).as("entries up to sequence %d", last).isEqualTo(last);
      }
      forward = !forward;
    } while (last < ENTRIES);
  }

  /** Checks the order and every value; counts the entries up to {@code last}. */
  private static long walkForward(InternalIterator iterator, long last) {
    long seen = 0;
    Slice previousKey = null;
    long previousSequence = 0;
    for (iterator.seekToFirst(); iterator.valid(); iterator.next()) {
      checkValue(iterator.sequence(), iterator.value());
      if (previousKey != null) {
        int order = previousKey.compareTo(iterator.key());
        assertThat(order < 0 || (order == 0 && previousSequence > iterator.sequence())).isTrue();
      }
      previousKey = iterator.key().copy();
      previousSequence = iterator.sequence();
      seen += previousSequence <= last ? 1 : 0;
    }
    return seen;
  }

  private static long walkBackward(InternalIterator iterator, long last) {
    long seen = 0;
    for (iterator.seekToLast(); iterator.valid(); iterator.prev()) {
      checkValue(iterator.sequence(), iterator.value());
      seen += iterator.sequence() <= last ? 1 : 0;
    }
    return seen;
  }
}
