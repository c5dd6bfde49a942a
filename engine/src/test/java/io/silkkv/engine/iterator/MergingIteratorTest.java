package io.silkkv.engine.iterator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.testkit.Seeded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MergingIteratorTest {
  @RegisterExtension final Seeded seeded = new Seeded();

  /** An entry and the run that holds it; the order of the merge. */
  private record Entry(Slice key, long sequence, int run) implements Comparable<Entry> {
    private static final Comparator<Entry> ORDER =
        Comparator.comparing(Entry::key)
            .thenComparing(Entry::sequence, Comparator.reverseOrder())
            .thenComparing(Entry::run);

    @Override
    public int compareTo(Entry other) {
      return ORDER.compare(this, other);
    }

    /** Negative when this entry is before (key, sequence) in internal order. */
    int compareTo(Slice otherKey, long otherSequence) {
      int order = key.compareTo(otherKey);
      return order != 0 ? order : Long.compare(otherSequence, sequence);
    }
  }

  /** A run over a list. Its key is destroyed by the next move, as the contract allows. */
  private static final class Run implements InternalIterator {
    private final List<Entry> entries;
    private int at = -1;
    private byte[] lent = {};
    boolean closed;

    Run(List<Entry> entries) {
      this.entries = entries;
    }

    private void moveTo(int index) {
      Arrays.fill(lent, (byte) 0x55);
      at = index;
      lent = valid() ? entries.get(at).key().toByteArray() : new byte[0];
    }

    @Override
    public boolean valid() {
      return at >= 0 && at < entries.size();
    }

    @Override
    public void seekToFirst() {
      moveTo(0);
    }

    @Override
    public void seekToLast() {
      moveTo(entries.size() - 1);
    }

    @Override
    public void seek(Slice userKey, long sequence) {
      int index = 0;
      while (index < entries.size() && entries.get(index).compareTo(userKey, sequence) < 0) {
        index++;
      }
      moveTo(index);
    }

    @Override
    public void seekForPrev(Slice userKey, long sequence) {
      int index = entries.size() - 1;
      while (index >= 0 && entries.get(index).compareTo(userKey, sequence) > 0) {
        index--;
      }
      moveTo(index);
    }

    @Override
    public void next() {
      assertThat(valid()).isTrue();
      moveTo(at + 1);
    }

    @Override
    public void prev() {
      assertThat(valid()).isTrue();
      moveTo(at - 1);
    }

    @Override
    public Slice key() {
      return Slice.wrap(lent);
    }

    @Override
    public long sequence() {
      return entries.get(at).sequence();
    }

    @Override
    public ValueKind kind() {
      return entries.get(at).run() % 2 == 0 ? ValueKind.PUT : ValueKind.DELETE;
    }

    @Override
    public Slice value() {
      return Slice.utf8("run " + entries.get(at).run());
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private static Slice randomKey(RandomGenerator random) {
    return Slice.utf8("k" + random.nextInt(30));
  }

  /** Runs of which some are empty; the same key and sequence may be in several. */
  private static List<List<Entry>> randomRuns(RandomGenerator random) {
    List<List<Entry>> runs = new ArrayList<>();
    int count = random.nextInt(8);
    for (int run = 0; run < count; run++) {
      List<Entry> entries = new ArrayList<>();
      int size = random.nextInt(4) == 0 ? 0 : random.nextInt(20);
      for (int i = 0; i < size; i++) {
        entries.add(new Entry(randomKey(random), random.nextInt(40), run));
      }
      runs.add(entries.stream().distinct().sorted().toList());
    }
    return runs;
  }

  @RepeatedTest(50)
  void agreesWithASortedListOverRandomMoves() {
    RandomGenerator random = seeded.random();
    List<List<Entry>> runs = randomRuns(random);
    List<Entry> model = runs.stream().flatMap(List::stream).sorted().toList();
    int at = -1;
    try (MergingIterator merge = new MergingIterator(runs.stream().map(Run::new).toList())) {
      assertThat(merge.valid()).isFalse();
      for (int step = 0; step < 300; step++) {
        boolean standing = at >= 0 && at < model.size();
        int move = standing ? random.nextInt(20) : random.nextInt(4);
        Slice key = randomKey(random);
        long sequence = random.nextLong(42) - 1;
        switch (move) {
          case 0 -> {
            merge.seekToFirst();
            at = 0;
          }
          case 1 -> {
            merge.seekToLast();
            at = model.size() - 1;
          }
          case 2 -> {
            merge.seek(key, sequence);
            at = (int) model.stream().filter(e -> e.compareTo(key, sequence) < 0).count();
          }
          case 3 -> {
            merge.seekForPrev(key, sequence);
            at = (int) model.stream().filter(e -> e.compareTo(key, sequence) <= 0).count() - 1;
          }
          default -> {
            if (move % 2 == 0) {
              merge.next();
              at++;
            } else {
              merge.prev();
              at--;
            }
          }
        }
        checkAt(merge, model, at);
      }
    }
  }

  private static void checkAt(MergingIterator merge, List<Entry> model, int at) {
    assertThat(merge.valid()).isEqualTo(at >= 0 && at < model.size());
    if (merge.valid()) {
      Entry expected = model.get(at);
      assertThat(merge.key()).isEqualTo(expected.key());
      assertThat(merge.sequence()).isEqualTo(expected.sequence());
      assertThat(merge.value()).isEqualTo(Slice.utf8("run " + expected.run()));
      assertThat(merge.kind())
          .isEqualTo(expected.run() % 2 == 0 ? ValueKind.PUT : ValueKind.DELETE);
    }
  }

  @Test
  void refusesToMoveWithoutAPosition() {
    MergingIterator merge = new MergingIterator(List.of(new Run(List.of())));
    merge.seekToFirst();
    assertThat(merge.valid()).isFalse();
    assertThatThrownBy(merge::next).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(merge::prev).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(merge::key).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void closesAllChildrenEvenWhenOneFails() {
    Run first = new Run(List.of());
    Run last = new Run(List.of());
    IllegalStateException failure = new IllegalStateException("first");
    InternalIterator failing = new FailingRun(failure);
    MergingIterator merge = new MergingIterator(List.of(first, failing, failing, last));
    assertThatThrownBy(merge::close).isSameAs(failure);
    assertThat(first.closed).isTrue();
    assertThat(last.closed).isTrue();
  }

  /** An empty run that cannot be closed. */
  private record FailingRun(RuntimeException failure) implements InternalIterator {
    @Override
    public boolean valid() {
      return false;
    }

    @Override
    public void seekToFirst() {}

    @Override
    public void seekToLast() {}

    @Override
    public void seek(Slice userKey, long sequence) {}

    @Override
    public void seekForPrev(Slice userKey, long sequence) {}

    @Override
    public void next() {}

    @Override
    public void prev() {}

    @Override
    public Slice key() {
      throw failure;
    }

    @Override
    public long sequence() {
      throw failure;
    }

    @Override
    public ValueKind kind() {
      throw failure;
    }

    @Override
    public Slice value() {
      throw failure;
    }

    @Override
    public void close() {
      throw failure;
    }
  }
}
