package io.silkkv.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.api.Cursor;
import io.silkkv.engine.api.ReadView;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.VersionedValue;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** A cursor with random bounds beside its model; both make the same random moves. */
final class CursorWalk implements AutoCloseable {
  private final NavigableMap<Slice, VersionedValue> expected;
  private final Cursor cursor;
  private final int keys;
  private Slice at;

  CursorWalk(
      ReadView view, NavigableMap<Slice, VersionedValue> state, RandomGenerator random, int keys) {
    Slice lower = random.nextBoolean() ? null : EngineModel.randomKey(random, keys);
    Slice upper = random.nextBoolean() ? null : EngineModel.randomKey(random, keys);
    this.expected = new TreeMap<>(state);
    this.expected
        .keySet()
        .removeIf(
            key ->
                (lower != null && key.compareTo(lower) < 0)
                    || (upper != null && key.compareTo(upper) >= 0));
    this.cursor = view.cursor(lower, upper);
    this.keys = keys;
    assertThat(cursor.valid()).isFalse();
  }

  void move(RandomGenerator random) {
    int choice = random.nextInt(at == null ? 4 : 12);
    switch (choice) {
      case 0 -> {
        cursor.first();
        at = expected.isEmpty() ? null : expected.firstKey();
      }
      case 1 -> {
        cursor.last();
        at = expected.isEmpty() ? null : expected.lastKey();
      }
      case 2 -> {
        Slice target = EngineModel.randomKey(random, keys);
        cursor.seek(target);
        at = expected.ceilingKey(target);
      }
      case 3 -> {
        Slice target = EngineModel.randomKey(random, keys);
        cursor.seekForPrev(target);
        at = expected.floorKey(target);
      }
      case 4, 5, 6, 7 -> {
        cursor.next();
        at = expected.higherKey(at);
      }
      default -> {
        cursor.prev();
        at = expected.lowerKey(at);
      }
    }
    assertThat(cursor.valid()).isEqualTo(at != null);
    if (at != null) {
      assertThat(cursor.key()).isEqualTo(at);
      assertThat(new VersionedValue(cursor.value().copy(), cursor.version()))
          .isEqualTo(expected.get(at));
    }
  }

  @Override
  public void close() {
    cursor.close();
  }
}
