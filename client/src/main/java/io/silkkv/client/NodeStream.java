package io.silkkv.client;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.silkkv.router.KvErrors;
import io.silkkv.router.Limits;
import io.silkkv.v1.Applied;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.KvGrpc;
import io.silkkv.v1.Reason;
import io.silkkv.v1.StreamReply;
import io.silkkv.v1.StreamRequest;
import io.silkkv.v1.StreamResponse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one stream to one node, opened when it is needed. Calls that queue up while the network is
 * busy, or while the I/O thread has other work, travel in one message; no timer holds any back. The
 * queue is bounded by the client's limit of calls in flight.
 *
 * <p>Confined to the I/O thread.
 */
final class NodeStream {
  private final String address;
  private final ManagedChannel channel;
  private final ClientLoop loop;
  private final LongSupplier nanoTime;
  private final RetryPolicy retryPolicy;
  private final Replies replies;
  private final ArrayDeque<Attempt> pending = new ArrayDeque<>();
  private final Map<Long, Attempt> inFlight = new HashMap<>();
  private @Nullable Connection connection;
  private boolean flushScheduled;
  private int failures;
  private long retryAtNanos;

  /** Who is told the outcome of attempts; called on the I/O thread. */
  interface Replies {
    void replied(Attempt attempt, StreamReply reply);

    void failed(Attempt attempt, ErrorDetail failure);
  }

  NodeStream(
      String address,
      ManagedChannel channel,
      ClientLoop loop,
      LongSupplier nanoTime,
      RetryPolicy retryPolicy,
      Replies replies) {
    this.address = address;
    this.channel = channel;
    this.loop = loop;
    this.nanoTime = nanoTime;
    this.retryPolicy = retryPolicy;
    this.replies = replies;
    this.retryAtNanos = nanoTime.getAsLong();
  }

  /** The channel, for calls outside the stream; reconnects at once when it was down. */
  ManagedChannel channel() {
    channel.resetConnectBackoff();
    return channel;
  }

  /** Whether a call has a chance here now: connected, or not known to be unreachable. */
  boolean isUsable() {
    return connection != null || nanoTime.getAsLong() - retryAtNanos >= 0;
  }

  void send(Attempt attempt) {
    if (!isUsable()) {
      loop.execute(() -> replies.failed(attempt, unreachable()));
      return;
    }
    pending.add(attempt);
    if (!flushScheduled) {
      // After the tasks that are already queued: their calls travel in the same message.
      flushScheduled = true;
      loop.execute(this::flush);
    }
  }

  /** Nobody waits for this attempt any more; a late reply is dropped. */
  void abandon(Attempt attempt) {
    attempt.markAbandoned();
    inFlight.remove(attempt.call().getCallId());
  }

  /** Whether something arrived after this moment. */
  boolean heardSince(long nanos) {
    return connection != null && connection.heard && connection.lastHeardNanos - nanos > 0;
  }

  /** Gives up a connection that does not answer; its calls fail and the next one reconnects. */
  void reset(String why) {
    Connection broken = connection;
    if (broken != null) {
      ended(broken, Status.UNAVAILABLE.withDescription(why));
      broken.call.cancel(why, null);
      channel.enterIdle();
    }
  }

  void shutdown() {
    if (connection != null) {
      connection.call.cancel("the client is closed", null);
      connection = null;
    }
    channel.shutdownNow();
  }

  private void flush() {
    flushScheduled = false;
    if (pending.isEmpty()) {
      return;
    }
    Connection open = connection != null ? connection : connect();
    while (open == connection && open.call.isReady() && !pending.isEmpty()) {
      StreamRequest message = pack();
      if (message.getCallsCount() > 0) {
        open.call.sendMessage(message);
      }
    }
  }

  private StreamRequest pack() {
    StreamRequest.Builder message = StreamRequest.newBuilder();
    int bytes = 0;
    while (!pending.isEmpty() && bytes < Limits.PACKED_BYTES) {
      Attempt next = pending.peek();
      int size = next.call().getSerializedSize();
      if (bytes > 0 && bytes + size > Limits.PACKED_BYTES) {
        break;
      }
      pending.remove();
      if (!next.isAbandoned()) {
        next.markSent();
        inFlight.put(next.call().getCallId(), next);
        message.addCalls(next.call());
        bytes += size;
      }
    }
    return message.build();
  }

  private Connection connect() {
    channel.resetConnectBackoff();
    ClientCall<StreamRequest, StreamResponse> call =
        channel.newCall(KvGrpc.getStreamMethod(), CallOptions.DEFAULT);
    Connection opened = new Connection(call, nanoTime.getAsLong());
    connection = opened;
    call.start(opened, new Metadata());
    call.request(1);
    return opened;
  }

  private void ended(Connection ended, Status status) {
    if (ended != connection) {
      return;
    }
    connection = null;
    failures = ended.heard ? 0 : failures + 1;
    retryAtNanos = nanoTime.getAsLong() + (failures == 0 ? 0 : retryPolicy.jitterNanos(failures));
    List<Attempt> lost = new ArrayList<>(inFlight.values());
    List<Attempt> unsent = new ArrayList<>(pending);
    inFlight.clear();
    pending.clear();
    String text = "the connection to " + address + " ended: " + reason(status);
    ErrorDetail maybe = KvErrors.detail(Reason.UNAVAILABLE, Applied.MAYBE, text);
    ErrorDetail never = KvErrors.detail(Reason.UNAVAILABLE, Applied.NEVER, text);
    lost.forEach(attempt -> replies.failed(attempt, maybe));
    unsent.stream()
        .filter(attempt -> !attempt.isAbandoned())
        .forEach(attempt -> replies.failed(attempt, never));
  }

  private ErrorDetail unreachable() {
    return KvErrors.refused(Reason.UNAVAILABLE, "node at " + address + " is not reachable now");
  }

  private static String reason(Status status) {
    Throwable cause = status.getCause();
    String root = cause == null ? "" : " (" + cause.getMessage() + ")";
    return status.getCode()
        + (status.getDescription() == null ? "" : ": " + status.getDescription())
        + root;
  }

  /** One stream call; what arrives for an earlier one is ignored. */
  private final class Connection extends ClientCall.Listener<StreamResponse> {
    private final ClientCall<StreamRequest, StreamResponse> call;
    private long lastHeardNanos;
    private boolean heard;

    Connection(ClientCall<StreamRequest, StreamResponse> call, long nowNanos) {
      this.call = call;
      this.lastHeardNanos = nowNanos;
    }

    @Override
    public void onReady() {
      if (this == connection) {
        flush();
      }
    }

    @Override
    public void onMessage(StreamResponse message) {
      if (this != connection) {
        return;
      }
      heard = true;
      lastHeardNanos = nanoTime.getAsLong();
      for (StreamReply reply : message.getRepliesList()) {
        Attempt attempt = inFlight.remove(reply.getCallId());
        if (attempt != null) {
          replies.replied(attempt, reply);
        }
      }
      call.request(1);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      ended(this, status);
    }
  }
}
