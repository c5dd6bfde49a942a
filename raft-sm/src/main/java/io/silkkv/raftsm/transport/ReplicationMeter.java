package io.silkkv.raftsm.transport;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the bytes that replication moves over this node's network, since the node started.
 * Messages are counted by their serialized size, without framing. Thread-safe.
 */
public final class ReplicationMeter {
  /** The totals at one moment, in bytes (and AppendEntries requests for the last two). */
  public record Totals(
      long appendBytesSent,
      long raftBytesReceived,
      long raftReplyBytesSent,
      long checkpointBytesSent,
      long checkpointBytesReceived,
      long appendsSent,
      long raftMessagesReceived) {}

  private final LongAdder appendBytesSent = new LongAdder();
  private final LongAdder raftBytesReceived = new LongAdder();
  private final LongAdder raftReplyBytesSent = new LongAdder();
  private final LongAdder checkpointBytesSent = new LongAdder();
  private final LongAdder checkpointBytesReceived = new LongAdder();
  private final LongAdder appendsSent = new LongAdder();
  private final LongAdder raftMessagesReceived = new LongAdder();

  /** An AppendEntries request (or heartbeat) was built for a follower. */
  void appendSent(int bytes) {
    appendsSent.increment();
    appendBytesSent.add(bytes);
  }

  /** Bytes of a request from another peer: entries, heartbeats, votes. */
  void received(long bytes) {
    raftBytesReceived.add(bytes);
  }

  void messageReceived() {
    raftMessagesReceived.increment();
  }

  /** Bytes of our replies to another peer. */
  void replied(long bytes) {
    raftReplyBytesSent.add(bytes);
  }

  /** A piece of a checkpoint was handed to the network. */
  public void checkpointSent(long bytes) {
    checkpointBytesSent.add(bytes);
  }

  /** A piece of a checkpoint arrived. */
  public void checkpointReceived(long bytes) {
    checkpointBytesReceived.add(bytes);
  }

  /** What was counted so far. The figures are not a snapshot of one instant. */
  public Totals totals() {
    return new Totals(
        appendBytesSent.sum(),
        raftBytesReceived.sum(),
        raftReplyBytesSent.sum(),
        checkpointBytesSent.sum(),
        checkpointBytesReceived.sum(),
        appendsSent.sum(),
        raftMessagesReceived.sum());
  }
}
