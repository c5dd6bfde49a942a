package io.silkkv.client;

import io.silkkv.v1.StreamCall;

/** One sending of a call to one node. Confined to the I/O thread. */
final class Attempt {
  private final Operation<?> operation;
  private final String nodeId;
  private final NodeStream stream;
  private final StreamCall call;
  private final long startedNanos;
  private boolean sent;
  private boolean abandoned;

  Attempt(
      Operation<?> operation,
      String nodeId,
      NodeStream stream,
      StreamCall call,
      long startedNanos) {
    this.operation = operation;
    this.nodeId = nodeId;
    this.stream = stream;
    this.call = call;
    this.startedNanos = startedNanos;
  }

  Operation<?> operation() {
    return operation;
  }

  String nodeId() {
    return nodeId;
  }

  NodeStream stream() {
    return stream;
  }

  StreamCall call() {
    return call;
  }

  long startedNanos() {
    return startedNanos;
  }

  /** Whether the call was handed to the network, and so may have been executed. */
  boolean isSent() {
    return sent;
  }

  void markSent() {
    sent = true;
  }

  /** Whether nobody waits for the reply any more. */
  boolean isAbandoned() {
    return abandoned;
  }

  void markAbandoned() {
    abandoned = true;
  }
}
