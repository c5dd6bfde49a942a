package io.silkkv.client;

import com.google.protobuf.ByteString;
import io.silkkv.router.KeyOrder;
import io.silkkv.router.Shard;
import io.silkkv.v1.Mutation;
import io.silkkv.v1.WriteRequest;
import org.jspecify.annotations.Nullable;

/**
 * The part of a range deletion that lies in one shard, as the map of each attempt has it. What an
 * attempt may have deleted never grows in a later one: the cluster may remember the first as done.
 * Used by one write.
 */
final class RangeDeletion {
  private final ByteString start;
  private final @Nullable ByteString end;
  private @Nullable ByteString pieceEnd;
  private boolean attempted;

  /**
   * @param end null for no bound
   */
  RangeDeletion(ByteString start, @Nullable ByteString end) {
    this.start = start;
    this.end = end;
  }

  /** The request for a shard, which holds the start. */
  WriteRequest in(Shard shard) {
    ByteString reach = KeyOrder.smallerEnd(shard.end(), attempted ? pieceEnd : end);
    attempted = true;
    pieceEnd = reach;
    Mutation.DeleteRange.Builder range = Mutation.DeleteRange.newBuilder().setStart(start);
    if (reach != null) {
      range.setEnd(reach);
    }
    return WriteRequest.newBuilder()
        .addMutations(Mutation.newBuilder().setDeleteRange(range))
        .build();
  }

  /** Where the rest of the range begins after the write; null when there is none. */
  @Nullable ByteString rest() {
    ByteString reached = pieceEnd;
    boolean done = reached == null || (end != null && KeyOrder.compare(reached, end) >= 0);
    return done ? null : reached;
  }
}
