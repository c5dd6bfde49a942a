package io.silkkv.engine.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.testkit.Seeded;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RangeDeletionsTest {
  private static final int KEYS = 40;

  @RegisterExtension final Seeded seeded = new Seeded();

  private static Slice key(int number) {
    return Slice.utf8(String.format("%02d", number));
  }

  private RangeDeletion random(long sequence) {
    int from = seeded.random().nextInt(KEYS - 1);
    int to = from + 1 + seeded.random().nextInt(KEYS - 1 - from);
    return new RangeDeletion(key(from), key(to), sequence);
  }

  private static long newest(List<RangeDeletion> all, Slice key, long limit) {
    return all.stream()
        .filter(each -> each.start().compareTo(key) <= 0 && each.end().compareTo(key) > 0)
        .mapToLong(RangeDeletion::sequence)
        .filter(sequence -> sequence <= limit)
        .max()
        .orElse(0);
  }

  private static void assertSame(RangeDeletions fragments, List<RangeDeletion> all) {
    for (int number = 0; number < KEYS; number++) {
      for (long limit = 0; limit <= all.size() + 1; limit++) {
        Slice key = key(number);
        long least = limit;
        assertThat(fragments.newestOf(key, limit)).isEqualTo(newest(all, key, limit));
        assertThat(fragments.oldestAfter(key, limit))
            .isEqualTo(
                all.stream()
                    .filter(d -> d.start().compareTo(key) <= 0 && d.end().compareTo(key) > 0)
                    .mapToLong(RangeDeletion::sequence)
                    .filter(sequence -> sequence > least)
                    .min()
                    .orElse(0));
      }
    }
  }

  @Test
  void fragmentsSayWhatTheDeletionsSay() {
    for (int round = 0; round < 50; round++) {
      List<RangeDeletion> all = new ArrayList<>();
      RangeDeletions one = RangeDeletions.NONE;
      List<RangeDeletions> parts = new ArrayList<>();
      int count = 1 + seeded.random().nextInt(12);
      for (int i = 1; i <= count; i++) {
        RangeDeletion next = random(i);
        all.add(next);
        one = one.with(next);
        if (parts.isEmpty() || seeded.random().nextInt(3) == 0) {
          parts.add(RangeDeletions.NONE);
        }
        int at = seeded.random().nextInt(parts.size());
        parts.set(at, parts.get(at).with(next));
      }
      assertSame(one, all);
      assertSame(RangeDeletions.merged(parts), all);
      assertSame(RangeDeletions.decode(ByteBuffer.wrap(one.encode())), all);
      assertThat(one.largestSequence()).isEqualTo(count);
      assertThat(one.smallestSequence()).isEqualTo(1);
    }
  }

  @Test
  void partIsWhatLiesInIt() {
    for (int round = 0; round < 200; round++) {
      List<RangeDeletion> all = new ArrayList<>();
      RangeDeletions one = RangeDeletions.NONE;
      for (int i = 1; i <= 6; i++) {
        all.add(random(i));
        one = one.with(all.get(i - 1));
      }
      RangeDeletion cut = random(1);
      RangeDeletions inside = one.within(cut.start(), cut.end());
      RangeDeletions left = one.within(null, cut.start());
      RangeDeletions right = one.within(cut.end(), null);
      for (int number = 0; number < KEYS; number++) {
        Slice key = key(number);
        boolean before = key.compareTo(cut.start()) < 0;
        boolean behind = key.compareTo(cut.end()) >= 0;
        long expected = newest(all, key, 99);
        assertThat(left.newestOf(key, 99)).isEqualTo(before ? expected : 0);
        assertThat(inside.newestOf(key, 99)).isEqualTo(before || behind ? 0 : expected);
        assertThat(right.newestOf(key, 99)).isEqualTo(behind ? expected : 0);
      }
    }
  }

  @Test
  void spanIsDeletedWhenNoKeyOfItIsLeft() {
    RangeDeletions ranges =
        RangeDeletions.NONE
            .with(new RangeDeletion(key(1), key(5), 3))
            .with(new RangeDeletion(key(5), key(8), 7));
    assertThat(ranges.allDeletedAt(key(1), key(4), 0)).isEqualTo(3);
    assertThat(ranges.allDeletedAt(key(2), key(7), 0)).as("a view at 5 sees some").isEqualTo(7);
    assertThat(ranges.allDeletedAt(key(2), key(7), 5)).as("some were written after").isZero();
    assertThat(ranges.allDeletedAt(key(5), key(7), 5)).isEqualTo(7);
    assertThat(ranges.allDeletedAt(key(0), key(4), 0)).isZero();
    assertThat(ranges.allDeletedAt(key(6), key(8), 0)).as("the end is not deleted").isZero();
    assertThat(ranges.allDeletedAt(key(20), key(21), 0)).isZero();
  }

  @Test
  void neighboursOfTheSameTimeBecomeOneAndWhatIsNotNeededGoes() {
    RangeDeletions ranges = RangeDeletions.NONE;
    for (int i = 1; i <= 30; i++) {
      ranges = ranges.with(new RangeDeletion(key(0), key(i), i));
    }
    assertThat(ranges.size()).isEqualTo(30);
    RangeDeletions left = ranges.filter((start, end, newer, sequence) -> newer == 0);
    assertThat(left.size()).isEqualTo(1);
    assertThat(left.deletions()).containsExactly(new RangeDeletion(key(0), key(30), 30));
    assertThat(ranges.filter((start, end, newer, sequence) -> false).isEmpty()).isTrue();
  }

  @Test
  void damagedBytesAreRefused() {
    byte[] bytes =
        RangeDeletions.NONE
            .with(new RangeDeletion(key(1), key(5), 3))
            .with(new RangeDeletion(key(3), key(8), 7))
            .encode();
    int refused = 0;
    for (int i = 0; i < 3000; i++) {
      byte[] damaged = bytes.clone();
      damaged[seeded.random().nextInt(bytes.length)] = (byte) seeded.random().nextInt();
      try {
        RangeDeletions.decode(ByteBuffer.wrap(damaged));
      } catch (IllegalArgumentException e) {
        refused++;
      }
    }
    assertThat(refused).isPositive();
    assertThatThrownBy(() -> new RangeDeletion(key(1), key(1), 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
