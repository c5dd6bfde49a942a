package io.silkkv.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.api.Cursor;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.ReadView;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.VersionedValue;
import io.silkkv.engine.api.WriteBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** What an engine should hold: a log of batches, and a map that is the result of applying them. */
final class EngineModel {
  record Entry(WriteBatch batch, LogPosition position) {}

  private final List<Entry> log = new ArrayList<>();

  /** Makes the next log entry. The engine has still to apply it. */
  Entry append(WriteBatch batch) {
    LogPosition last = last();
    LogPosition next =
        new LogPosition(
            last.term() + (log.size() % 7 == 0 ? 1 : 0),
            last.index() + 1,
            last.sequence() + batch.count());
    Entry entry = new Entry(batch, next);
    log.add(entry);
    return entry;
  }

  LogPosition last() {
    return log.isEmpty() ? LogPosition.NONE : log.get(log.size() - 1).position;
  }

  /** Entries behind an index, oldest first: what a replica replays after a restart. */
  List<Entry> after(long index) {
    return List.copyOf(log.subList((int) index + 1, log.size()));
  }

  /** The position of an entry. */
  LogPosition position(long index) {
    return index < 0 ? LogPosition.NONE : log.get((int) index).position;
  }

  /** The live keys after the entry of an index. */
  NavigableMap<Slice, VersionedValue> stateAt(long index) {
    NavigableMap<Slice, VersionedValue> state = new TreeMap<>();
    log.subList(0, (int) index + 1).forEach(entry -> apply(entry, state));
    return state;
  }

  /** Does to a map what an entry does to an engine. */
  static void apply(Entry entry, NavigableMap<Slice, VersionedValue> state) {
    long sequence = entry.position.sequence() - entry.batch.count();
    for (WriteBatch.Mutation mutation : entry.batch.mutations()) {
      sequence++;
      if (mutation instanceof WriteBatch.Put put) {
        state.put(put.key(), new VersionedValue(put.value(), sequence));
      } else if (mutation instanceof WriteBatch.DeleteRange range) {
        state.subMap(range.start(), range.end()).clear();
      } else {
        state.remove(mutation.key());
      }
    }
  }

  NavigableMap<Slice, VersionedValue> state() {
    return stateAt(log.size() - 1L);
  }

  static WriteBatch randomBatch(RandomGenerator random, int keys) {
    WriteBatch batch = new WriteBatch();
    int count = random.nextInt(10) == 0 ? 0 : 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      Slice key = randomKey(random, keys);
      if (random.nextInt(4) == 0) {
        batch.delete(key);
      } else if (random.nextInt(20) == 0) {
        Slice other = randomKey(random, keys);
        int order = key.compareTo(other);
        if (order != 0) {
          batch.deleteRange(order < 0 ? key : other, order < 0 ? other : key);
        }
      } else {
        batch.put(key, randomValue(random));
      }
    }
    return batch;
  }

  /** Keys of different lengths, some the prefix of others, bytes above 127 among them. */
  static Slice randomKey(RandomGenerator random, int keys) {
    int number = random.nextInt(keys);
    byte[] key = new byte[number % 5];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) ((number * 53) >> i);
    }
    return Slice.wrap(key);
  }

  private static Slice randomValue(RandomGenerator random) {
    int size =
        switch (random.nextInt(12)) {
          case 0 -> 0;
          case 1 -> 2000;
          default -> random.nextInt(80);
        };
    byte[] value = new byte[size];
    random.nextBytes(value);
    return Slice.wrap(value);
  }

  /** Compares a view with a state in every way that a reader has. */
  static void assertShows(ReadView view, NavigableMap<Slice, VersionedValue> expected) {
    try (Cursor cursor = view.cursor(null, null)) {
      List<Slice> forward = new ArrayList<>();
      for (cursor.first(); cursor.valid(); cursor.next()) {
        assertThat(new VersionedValue(cursor.value().copy(), cursor.version()))
            .isEqualTo(expected.get(cursor.key()));
        forward.add(cursor.key().copy());
      }
      assertThat(forward).containsExactlyElementsOf(expected.keySet());
      List<Slice> backward = new ArrayList<>();
      for (cursor.last(); cursor.valid(); cursor.prev()) {
        assertThat(new VersionedValue(cursor.value().copy(), cursor.version()))
            .isEqualTo(expected.get(cursor.key()));
        backward.add(cursor.key().copy());
      }
      assertThat(backward).containsExactlyElementsOf(expected.descendingKeySet());
    }
    expected.forEach((key, value) -> assertThat(view.get(key)).isEqualTo(value));
  }
}
