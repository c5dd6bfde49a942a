package io.silkkv.engine.api;

import java.util.ArrayList;
import java.util.List;

/**
 * Ordered edits that become visible together. Keys and values are kept as views, not copied, until
 * the engine has written them. Not thread-safe.
 */
public final class WriteBatch {
  /** One edit of a batch. */
  public sealed interface Mutation {
    Slice key();
  }

  /** Sets a key to a value. */
  public record Put(Slice key, Slice value) implements Mutation {}

  /** Removes a key; no error when it is absent. */
  public record Delete(Slice key) implements Mutation {}

  /**
   * Removes all keys of {@code [start, end)}.
   *
   * @param end greater than {@code start}
   */
  public record DeleteRange(Slice start, Slice end) implements Mutation {
    public DeleteRange {
      if (start.compareTo(end) >= 0) {
        throw new IllegalArgumentException(
            "a range must end behind its start, but " + start + " to " + end + " is empty");
      }
    }

    @Override
    public Slice key() {
      return start;
    }
  }

  private final List<Mutation> mutations = new ArrayList<>();
  private long sizeBytes;

  public WriteBatch put(Slice key, Slice value) {
    return add(new Put(key, value));
  }

  public WriteBatch delete(Slice key) {
    return add(new Delete(key));
  }

  /**
   * Removes all keys of {@code [start, end)}.
   *
   * @throws IllegalArgumentException when the range is empty
   */
  public WriteBatch deleteRange(Slice start, Slice end) {
    return add(new DeleteRange(start, end));
  }

  /** Appends one edit. */
  public WriteBatch add(Mutation mutation) {
    mutations.add(mutation);
    sizeBytes += mutation.key().length();
    if (mutation instanceof Put put) {
      sizeBytes += put.value().length();
    } else if (mutation instanceof DeleteRange range) {
      sizeBytes += range.end().length();
    }
    return this;
  }

  /** The edits in order; a live view. */
  public List<Mutation> mutations() {
    return mutations;
  }

  public int count() {
    return mutations.size();
  }

  public boolean isEmpty() {
    return mutations.isEmpty();
  }

  /** Bytes of all keys and values. */
  public long sizeBytes() {
    return sizeBytes;
  }
}
