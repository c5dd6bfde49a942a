package io.silkkv.engine.memtable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.iterator.InternalIterator;
import io.silkkv.engine.testkit.Seeded;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MemTableTest {
  private static final int SLAB_BYTES = 4096;

  @RegisterExtension final Seeded seeded = new Seeded();

  private final SlabPool pool = new SlabPool(64L << 20, SLAB_BYTES);

  private record ModelKey(Slice key, long sequence) implements Comparable<ModelKey> {
    private static final Comparator<ModelKey> ORDER =
        Comparator.comparing(ModelKey::key)
            .thenComparing(ModelKey::sequence, Comparator.reverseOrder());

    @Override
    public int compareTo(ModelKey other) {
      return ORDER.compare(this, other);
    }
  }

  private record ModelValue(ValueKind kind, Slice value) {}

  private MemTable newTable() {
    return new MemTable(pool, 1 << 20, seeded.random());
  }

  /** Few distinct bytes and lengths around the 8-byte steps of the comparison. */
  private static Slice randomKey(RandomGenerator random) {
    byte[] key = new byte[random.nextInt(20)];
    for (int i = 0; i < key.length; i++) {
      key[i] = random.nextInt(8) == 0 ? (byte) random.nextInt() : (byte) (random.nextInt(2) * 255);
    }
    // A view in the middle of an array, as keys from a network buffer are.
    byte[] padded = new byte[key.length + 5];
    System.arraycopy(key, 0, padded, 3, key.length);
    return Slice.wrap(padded, 3, key.length);
  }

  private static Slice randomValue(RandomGenerator random) {
    int bound = random.nextInt(20) == 0 ? 5 * SLAB_BYTES : 300;
    byte[] value = new byte[random.nextInt(bound)];
    random.nextBytes(value);
    return Slice.wrap(value);
  }

  @Test
  void agreesWithASortedMapOverRandomOperations() {
    RandomGenerator random = seeded.random();
    MemTable table = newTable();
    NavigableMap<ModelKey, ModelValue> model = new TreeMap<>();
    List<Slice> keys = new ArrayList<>();
    try (InternalIterator iterator = table.iterator()) {
      for (int sequence = 1; sequence <= 3000; sequence++) {
        Slice key =
            keys.isEmpty() || random.nextInt(3) > 0
                ? randomKey(random)
                : keys.get(random.nextInt(keys.size()));
        keys.add(key);
        boolean put = random.nextInt(4) > 0;
        ValueKind kind = put ? ValueKind.PUT : ValueKind.DELETE;
        Slice value = put ? randomValue(random) : Slice.EMPTY;
        table.add(kind, key, sequence, value);
        model.put(new ModelKey(key.copy(), sequence), new ModelValue(kind, value));
        Slice wanted =
            random.nextBoolean() ? randomKey(random) : keys.get(random.nextInt(sequence));
        checkGet(table, model, wanted, random.nextLong(sequence + 2));
        checkSeeks(iterator, model, wanted, random.nextLong(sequence + 2));
      }
      checkWalks(iterator, model);
    }
    assertThat(table.entryCount()).isEqualTo(3000);
    table.release();
    assertThat(pool.usedBytes()).isZero();
  }

  private static void checkGet(
      MemTable table, NavigableMap<ModelKey, ModelValue> model, Slice key, long sequence) {
    Map.Entry<ModelKey, ModelValue> expected = model.ceilingEntry(new ModelKey(key, sequence));
    MemTable.Entry found = table.get(key, sequence);
    if (expected == null || !expected.getKey().key().equals(key)) {
      assertThat(found).isNull();
    } else {
      assertThat(found)
          .isEqualTo(
              new MemTable.Entry(
                  expected.getValue().kind(),
                  expected.getKey().sequence(),
                  expected.getValue().value()));
    }
  }

  private static void checkSeeks(
      InternalIterator iterator,
      NavigableMap<ModelKey, ModelValue> model,
      Slice key,
      long sequence) {
    ModelKey target = new ModelKey(key, sequence);
    iterator.seek(key, sequence);
    checkAt(iterator, model.ceilingEntry(target));
    if (iterator.valid()) {
      ModelKey here = new ModelKey(iterator.key().copy(), iterator.sequence());
      iterator.prev();
      checkAt(iterator, model.lowerEntry(here));
    }
    iterator.seekForPrev(key, sequence);
    checkAt(iterator, model.floorEntry(target));
    if (iterator.valid()) {
      ModelKey here = new ModelKey(iterator.key().copy(), iterator.sequence());
      iterator.next();
      checkAt(iterator, model.higherEntry(here));
    }
  }

  private static void checkWalks(
      InternalIterator iterator, NavigableMap<ModelKey, ModelValue> model) {
    iterator.seekToFirst();
    for (Map.Entry<ModelKey, ModelValue> each : model.entrySet()) {
      checkAt(iterator, each);
      iterator.next();
    }
    assertThat(iterator.valid()).isFalse();
    iterator.seekToLast();
    for (Map.Entry<ModelKey, ModelValue> each : model.descendingMap().entrySet()) {
      checkAt(iterator, each);
      iterator.prev();
    }
    assertThat(iterator.valid()).isFalse();
  }

  private static void checkAt(
      InternalIterator iterator, Map.@Nullable Entry<ModelKey, ModelValue> expected) {
    assertThat(iterator.valid()).isEqualTo(expected != null);
    if (expected != null) {
      assertThat(new ModelKey(iterator.key().copy(), iterator.sequence()))
          .isEqualTo(expected.getKey());
      assertThat(new ModelValue(iterator.kind(), iterator.value().copy()))
          .isEqualTo(expected.getValue());
    }
  }

  @Test
  void anEmptyTableHoldsNoMemoryAndFindsNothing() {
    MemTable table = newTable();
    assertThat(table.isEmpty()).isTrue();
    assertThat(table.get(Slice.utf8("a"), Long.MAX_VALUE)).isNull();
    try (InternalIterator iterator = table.iterator()) {
      iterator.seekToFirst();
      assertThat(iterator.valid()).isFalse();
      iterator.seekToLast();
      assertThat(iterator.valid()).isFalse();
    }
    assertThat(pool.usedBytes()).isZero();
  }

  @Test
  void keepsAValueLargerThanASlab() {
    byte[] value = new byte[100 * SLAB_BYTES + 7];
    seeded.random().nextBytes(value);
    MemTable table = newTable();
    table.add(ValueKind.PUT, Slice.utf8("small"), 1, Slice.utf8("x"));
    table.add(ValueKind.PUT, Slice.utf8("large"), 2, Slice.wrap(value));
    assertThat(table.get(Slice.utf8("large"), 2))
        .isEqualTo(new MemTable.Entry(ValueKind.PUT, 2, Slice.wrap(value)));
    assertThat(table.get(Slice.utf8("small"), 2))
        .isEqualTo(new MemTable.Entry(ValueKind.PUT, 1, Slice.utf8("x")));
    assertThat(table.sizeBytes()).isBetween(100L * SLAB_BYTES, 102L * SLAB_BYTES);
  }

  @Test
  void isFullWhenItsSizeReachesTheLimit() {
    MemTable table = new MemTable(pool, 10_000, seeded.random());
    long sequence = 0;
    while (!table.isFull()) {
      assertThat(table.sizeBytes()).isLessThan(10_000);
      table.add(ValueKind.PUT, Slice.utf8("k" + sequence), ++sequence, Slice.wrap(new byte[100]));
    }
    assertThat(sequence).isBetween(60L, 100L);
  }

  @Test
  void refusesTheSameSequenceOfAKeyTwice() {
    MemTable table = newTable();
    table.add(ValueKind.PUT, Slice.utf8("a"), 7, Slice.utf8("x"));
    assertThatThrownBy(() -> table.add(ValueKind.DELETE, Slice.utf8("a"), 7, Slice.EMPTY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sequence 7 of key a");
    assertThat(table.entryCount()).isEqualTo(1);
  }

  @Test
  void refusesAKeyThatFitsIntoNoSlab() {
    MemTable table = newTable();
    assertThatThrownBy(
            () -> table.add(ValueKind.PUT, Slice.wrap(new byte[SLAB_BYTES]), 1, Slice.EMPTY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4096");
  }

  @Test
  void theLastReleaseGivesTheSlabsBackAndEndsTheUse() {
    MemTable table = newTable();
    table.add(ValueKind.PUT, Slice.utf8("a"), 1, Slice.utf8("x"));
    InternalIterator iterator = table.iterator();
    table.release();
    iterator.seekToFirst();
    assertThat(iterator.value()).isEqualTo(Slice.utf8("x"));
    assertThat(pool.usedBytes()).isEqualTo(SLAB_BYTES);
    iterator.close();
    iterator.close();
    assertThat(pool.usedBytes()).isZero();
    assertThat(table.tryRetain()).isFalse();
    assertThatThrownBy(() -> table.get(Slice.utf8("a"), 1))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> table.add(ValueKind.PUT, Slice.utf8("b"), 2, Slice.EMPTY))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(table::iterator).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(table::retain).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(table::release).isInstanceOf(IllegalStateException.class);
    assertThat(pool.usedBytes()).isZero();
  }
}
