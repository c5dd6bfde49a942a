package io.silkkv.client;

import com.google.protobuf.ByteString;
import io.silkkv.v1.Session;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Numbers writes so that the cluster applies each once, however often it is sent.
 *
 * <p>There is a session per shard: a shard without a leader then holds back the acknowledgement of
 * its own writes only, and nodes forget outcomes early. A write keeps its number when the shard is
 * split, because both halves inherit the sessions.
 *
 * <p>Confined to the client's I/O thread.
 */
final class WriteSessions {
  /**
   * Most numbers of one session from its lowest unfinished write on. Nodes remember 1,024 outcomes
   * of a session; one more would make them forget the lowest.
   */
  static final int WINDOW = 1024;

  private final Supplier<ByteString> ids;
  private final Map<Long, Numbering> current = new HashMap<>();

  WriteSessions(Supplier<ByteString> ids) {
    this.ids = ids;
  }

  /** One session: numbers from 1 on, and which of them are finished. */
  private static final class Numbering {
    private final ByteString clientId;
    // Bit 0 stands for lowestUnfinished.
    private BitSet finished = new BitSet(WINDOW);
    private long lowestUnfinished = 1;
    private long next = 1;

    Numbering(ByteString clientId) {
      this.clientId = clientId;
    }

    boolean isFull() {
      return next - lowestUnfinished >= WINDOW;
    }

    void finish(long sequence) {
      finished.set((int) (sequence - lowestUnfinished));
      int done = finished.nextClearBit(0);
      if (done > 0) {
        finished = finished.get(done, WINDOW);
        lowestUnfinished += done;
      }
    }
  }

  /** The number of one write, the same for all its attempts. */
  static final class Ticket {
    private final Numbering numbering;
    private final long shardId;
    private final long sequence;

    private Ticket(Numbering numbering, long shardId, long sequence) {
      this.numbering = numbering;
      this.shardId = shardId;
      this.sequence = sequence;
    }

    /** What travels with an attempt that is sent now. */
    Session toProto() {
      return Session.newBuilder()
          .setClientId(numbering.clientId)
          .setSequence(sequence)
          .setAcknowledgedBelow(numbering.lowestUnfinished)
          .build();
    }
  }

  /** Numbers a new write. A session whose window is full is left to its writes in flight. */
  Ticket open(long shardId) {
    Numbering numbering = current.get(shardId);
    if (numbering == null || numbering.isFull()) {
      numbering = new Numbering(ids.get());
      current.put(shardId, numbering);
    }
    return new Ticket(numbering, shardId, numbering.next++);
  }

  /** The caller knows the outcome of a write, or has given it up. */
  void finish(Ticket ticket) {
    ticket.numbering.finish(ticket.sequence);
  }

  /** The cluster does not know the ticket's session any more: new writes must start another. */
  void expire(Ticket ticket) {
    current.remove(ticket.shardId, ticket.numbering);
  }
}
