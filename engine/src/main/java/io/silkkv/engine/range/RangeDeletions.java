package io.silkkv.engine.range;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.Varint;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Any number of range deletions, cut into fragments: ranges that are ordered and do not overlap,
 * each with the sequences of all deletions that cover it. So the question whether a key is deleted
 * is a binary search. Immutable.
 */
public final class RangeDeletions {
  /** None. */
  public static final RangeDeletions NONE = new RangeDeletions(List.of());

  /**
   * Sequences, newest first. A list that shares its end with others, so that a deletion of a range
   * that was deleted often costs no more than the first one.
   */
  private record Sequences(long newest, @Nullable Sequences older) {
    /** The newest that is not newer than a limit; 0 when there is none. */
    static long newest(@Nullable Sequences all, long limit) {
      for (Sequences at = all; at != null; at = at.older) {
        if (at.newest <= limit) {
          return at.newest;
        }
      }
      return 0;
    }

    /** The oldest that is newer than a sequence; 0 when there is none. */
    long oldestAfter(long sequence) {
      long oldest = 0;
      for (Sequences at = this; at != null && at.newest > sequence; at = at.older) {
        oldest = at.newest;
      }
      return oldest;
    }

    /** Without recursion: a list may be long. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Sequences all && Arrays.equals(array(), all.array());
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(array());
    }

    long[] array() {
      return stream().toArray();
    }

    LongStream stream() {
      LongStream.Builder all = LongStream.builder();
      for (Sequences at = this; at != null; at = at.older) {
        all.add(at.newest);
      }
      return all.build();
    }

    /** The same for sequences in any order; null for none. */
    static @Nullable Sequences of(LongStream any) {
      long[] ascending = any.sorted().distinct().toArray();
      Sequences all = null;
      for (long each : ascending) {
        all = new Sequences(each, all);
      }
      return all;
    }
  }

  /** The keys of {@code [start, end)} were deleted at these sequences. */
  private record Fragment(Slice start, Slice end, Sequences sequences) {
    Fragment within(Slice from, Slice to) {
      return new Fragment(from, to, sequences);
    }
  }

  private final List<Fragment> fragments;

  private RangeDeletions(List<Fragment> fragments) {
    this.fragments = List.copyOf(fragments);
  }

  private static RangeDeletions of(List<Fragment> fragments) {
    return fragments.isEmpty() ? NONE : new RangeDeletions(fragments);
  }

  /** The deletions of several parts of a tree together. */
  public static RangeDeletions merged(Collection<RangeDeletions> parts) {
    List<Fragment> all = new ArrayList<>();
    RangeDeletions only = NONE;
    int notEmpty = 0;
    for (RangeDeletions part : parts) {
      all.addAll(part.fragments);
      if (!part.isEmpty()) {
        only = part;
        notEmpty++;
      }
    }
    return notEmpty <= 1 ? only : fragmented(all);
  }

  private static RangeDeletions fragmented(List<Fragment> overlapping) {
    TreeSet<Slice> borders = new TreeSet<>();
    for (Fragment each : overlapping) {
      borders.add(each.start);
      borders.add(each.end);
    }
    List<Slice> cuts = List.copyOf(borders);
    List<List<Fragment>> covering = new ArrayList<>();
    for (int i = 0; i < cuts.size(); i++) {
      covering.add(new ArrayList<>());
    }
    for (Fragment each : overlapping) {
      int at = indexOf(cuts, each.start);
      while (at < cuts.size() && cuts.get(at).compareTo(each.end) < 0) {
        covering.get(at).add(each);
        at++;
      }
    }
    List<Fragment> fragments = new ArrayList<>();
    for (int i = 0; i + 1 < cuts.size(); i++) {
      Sequences sequences =
          Sequences.of(covering.get(i).stream().flatMapToLong(each -> each.sequences.stream()));
      if (sequences != null) {
        fragments.add(new Fragment(cuts.get(i), cuts.get(i + 1), sequences));
      }
    }
    return of(fragments);
  }

  private static int indexOf(List<Slice> sorted, Slice key) {
    int low = 0;
    int high = sorted.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted.get(middle).compareTo(key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** These and one more, whose sequence is newer than all of theirs. */
  public RangeDeletions with(RangeDeletion newer) {
    int first = firstEndingBehind(newer.start());
    List<Fragment> next = new ArrayList<>(fragments.size() + 3);
    next.addAll(fragments.subList(0, first));
    Slice from = newer.start();
    int at = first;
    while (at < fragments.size() && fragments.get(at).start.compareTo(newer.end()) < 0) {
      Fragment old = fragments.get(at);
      if (old.start.compareTo(from) < 0) {
        next.add(old.within(old.start, from));
      } else if (old.start.compareTo(from) > 0) {
        next.add(new Fragment(from, old.start, new Sequences(newer.sequence(), null)));
        from = old.start;
      }
      Slice to = old.end.compareTo(newer.end()) < 0 ? old.end : newer.end();
      next.add(new Fragment(from, to, new Sequences(newer.sequence(), old.sequences)));
      if (to.compareTo(old.end) < 0) {
        next.add(old.within(to, old.end));
      }
      from = to;
      at++;
    }
    if (from.compareTo(newer.end()) < 0) {
      next.add(new Fragment(from, newer.end(), new Sequences(newer.sequence(), null)));
    }
    next.addAll(fragments.subList(at, fragments.size()));
    return of(next);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RangeDeletions all && fragments.equals(all.fragments);
  }

  @Override
  public int hashCode() {
    return fragments.hashCode();
  }

  @Override
  public String toString() {
    return deletions().toString();
  }

  public boolean isEmpty() {
    return fragments.isEmpty();
  }

  /** Number of fragments. */
  public int size() {
    return fragments.size();
  }

  /** First key that is deleted. Not empty. */
  public Slice start() {
    return fragments.get(0).start;
  }

  /** First key behind all that are deleted. Not empty. */
  public Slice end() {
    return fragments.get(fragments.size() - 1).end;
  }

  /** The fragments as deletions, in key order, of each range the newest first. */
  public List<RangeDeletion> deletions() {
    List<RangeDeletion> all = new ArrayList<>();
    for (Fragment each : fragments) {
      each.sequences.stream()
          .forEach(sequence -> all.add(new RangeDeletion(each.start, each.end, sequence)));
    }
    return all;
  }

  /** The newest deletion of a key that is not newer than a limit; 0 when there is none. */
  public long newestOf(Slice key, long limit) {
    int at = firstEndingBehind(key);
    return at < fragments.size() && fragments.get(at).start.compareTo(key) <= 0
        ? Sequences.newest(fragments.get(at).sequences, limit)
        : 0;
  }

  /** The oldest deletion of a key that is newer than a sequence; 0 when there is none. */
  public long oldestAfter(Slice key, long sequence) {
    int at = firstEndingBehind(key);
    return at < fragments.size() && fragments.get(at).start.compareTo(key) <= 0
        ? fragments.get(at).sequences.oldestAfter(sequence)
        : 0;
  }

  /**
   * When the last of the keys of {@code [from, to]} was deleted, of each key the first time after a
   * sequence; 0 when one of them was not.
   */
  public long allDeletedAt(Slice from, Slice to, long sequence) {
    long last = 0;
    Slice covered = from;
    for (int at = firstEndingBehind(from); at < fragments.size(); at++) {
      Fragment each = fragments.get(at);
      long deleted = each.sequences.oldestAfter(sequence);
      if (each.start.compareTo(covered) > 0 || deleted == 0) {
        return 0;
      }
      last = Math.max(last, deleted);
      covered = each.end;
      if (covered.compareTo(to) > 0) {
        return last;
      }
    }
    return 0;
  }

  private int firstEndingBehind(Slice key) {
    int low = 0;
    int high = fragments.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (fragments.get(middle).end.compareTo(key) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * What lies in {@code [from, to)}.
   *
   * @param from null for the beginning
   * @param to null for the end
   */
  public RangeDeletions within(@Nullable Slice from, @Nullable Slice to) {
    List<Fragment> inside = new ArrayList<>();
    for (int at = from == null ? 0 : firstEndingBehind(from); at < fragments.size(); at++) {
      Fragment each = fragments.get(at);
      Slice start = from != null && from.compareTo(each.start) > 0 ? from : each.start;
      Slice end = to != null && to.compareTo(each.end) < 0 ? to : each.end;
      if (to != null && each.start.compareTo(to) >= 0) {
        break;
      }
      inside.add(each.within(start, end));
    }
    return of(inside);
  }

  /** Decides which sequences of a fragment are still needed. */
  @FunctionalInterface
  public interface Needed {
    /**
     * @param newer the next newer sequence of the same fragment that is kept; 0 when there is none
     */
    boolean test(Slice start, Slice end, long newer, long sequence);
  }

  /** Those that are still needed. */
  public RangeDeletions filter(Needed needed) {
    List<Fragment> left = new ArrayList<>();
    for (Fragment each : fragments) {
      List<Long> kept = new ArrayList<>();
      for (Sequences at = each.sequences; at != null; at = at.older) {
        long newer = kept.isEmpty() ? 0 : kept.get(kept.size() - 1);
        if (needed.test(each.start, each.end, newer, at.newest)) {
          kept.add(at.newest);
        }
      }
      Sequences sequences = Sequences.of(kept.stream().mapToLong(Long::longValue));
      if (sequences != null) {
        append(left, new Fragment(each.start, each.end, sequences));
      }
    }
    return of(left);
  }

  /** Neighbours that were deleted at the same time become one again. */
  private static void append(List<Fragment> fragments, Fragment next) {
    int last = fragments.size() - 1;
    if (last >= 0
        && fragments.get(last).end.equals(next.start)
        && fragments.get(last).sequences.equals(next.sequences)) {
      fragments.set(last, fragments.get(last).within(fragments.get(last).start, next.end));
    } else {
      fragments.add(next);
    }
  }

  /** Oldest sequence. Not empty. */
  public long smallestSequence() {
    return fragments.stream().flatMapToLong(f -> f.sequences.stream()).min().orElseThrow();
  }

  /** Newest sequence. Not empty. */
  public long largestSequence() {
    return fragments.stream().mapToLong(f -> f.sequences.newest).max().orElseThrow();
  }

  /**
   * The bytes in a table.
   *
   * <pre>
   * range_deletions = fragment*
   * fragment        = len(start):varint start len(end):varint end
   *                   sequences:varint sequence:varint{sequences}      ; newest first
   * </pre>
   */
  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (Fragment each : fragments) {
      write(bytes, each.start);
      write(bytes, each.end);
      long[] sequences = each.sequences.array();
      write(bytes, sequences.length);
      for (long sequence : sequences) {
        write(bytes, sequence);
      }
    }
    return bytes.toByteArray();
  }

  private static void write(ByteArrayOutputStream bytes, Slice key) {
    write(bytes, key.length());
    bytes.write(key.array(), key.offset(), key.length());
  }

  private static void write(ByteArrayOutputStream bytes, long number) {
    byte[] varint = new byte[Varint.MAX_BYTES];
    bytes.write(varint, 0, Varint.write(varint, 0, number));
  }

  /**
   * @throws IllegalArgumentException when the bytes are not what {@link #encode} writes
   */
  public static RangeDeletions decode(ByteBuffer bytes) {
    List<Fragment> fragments = new ArrayList<>();
    Slice last = null;
    while (bytes.hasRemaining()) {
      Slice start = readKey(bytes);
      Slice end = readKey(bytes);
      int count = Varint.readInt(bytes);
      if (count < 1 || count > bytes.remaining()) {
        throw new IllegalArgumentException("a range was deleted " + count + " times");
      }
      long[] sequences = new long[count];
      for (int i = 0; i < count; i++) {
        sequences[i] = Varint.read(bytes);
        if (i > 0 && sequences[i] >= sequences[i - 1]) {
          throw new IllegalArgumentException("sequences of a range are out of order");
        }
      }
      Sequences all = Sequences.of(Arrays.stream(sequences));
      if (start.compareTo(end) >= 0 || (last != null && last.compareTo(start) > 0)) {
        throw new IllegalArgumentException("ranges are out of order at " + start);
      }
      fragments.add(new Fragment(start, end, Objects.requireNonNull(all)));
      last = end;
    }
    return of(fragments);
  }

  private static Slice readKey(ByteBuffer bytes) {
    int length = Varint.readInt(bytes);
    if (length > bytes.remaining()) {
      throw new IllegalArgumentException("a key is cut off");
    }
    byte[] key = new byte[length];
    bytes.get(key);
    return Slice.wrap(key);
  }
}
