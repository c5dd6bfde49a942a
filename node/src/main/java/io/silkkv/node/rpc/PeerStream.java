package io.silkkv.node.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.silkkv.node.shard.LeaderHints;
import io.silkkv.router.KvErrors;
import io.silkkv.router.Limits;
import io.silkkv.router.Shard;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.KvGrpc;
import io.silkkv.v1.Reason;
import io.silkkv.v1.RequestHeader;
import io.silkkv.v1.StreamCall;
import io.silkkv.v1.StreamReply;
import io.silkkv.v1.StreamRequest;
import io.silkkv.v1.StreamResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The forwarded calls to one other node: a gRPC stream that is opened when the first call needs it,
 * and again after it broke. A call that was still queued here when the stream broke was certainly
 * not applied; one that was sent may have been. Thread-safe.
 */
final class PeerStream implements AutoCloseable {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final String peerNode;
  private final Supplier<Channel> channel;
  private final LeaderHints leaders;
  private final GrpcThreads threads;
  private final LongSupplier nanoTime;
  private final AtomicLong lastCallId = new AtomicLong();

  @GuardedBy("this")
  private @Nullable Connection current;

  @GuardedBy("this")
  private boolean closed;

  PeerStream(
      String peerNode,
      Supplier<Channel> channel,
      LeaderHints leaders,
      GrpcThreads threads,
      LongSupplier nanoTime) {
    this.peerNode = peerNode;
    this.channel = channel;
    this.leaders = leaders;
    this.threads = threads;
    this.nanoTime = nanoTime;
  }

  /** Sends an admitted call; its answer arrives at the call. */
  void send(PendingCall call, Shard shard) {
    long millisLeft = (call.deadlineNanos() - nanoTime.getAsLong()) / NANOS_PER_MILLI;
    if (millisLeft <= 0) {
      call.fail(Failures.deadlineAlreadyPassed());
      return;
    }
    long id = lastCallId.incrementAndGet();
    int timeout = (int) Math.min(millisLeft, Integer.MAX_VALUE);
    Forwarded forwarded = new Forwarded(id, call, shard, message(call, id, timeout));
    Connection connection = connection();
    if (connection == null) {
      forwarded.lost("this node is stopping");
    } else {
      connection.send(forwarded);
    }
  }

  private synchronized @Nullable Connection connection() {
    if (closed) {
      return null;
    }
    Connection open = current;
    if (open == null) {
      open = new Connection();
      current = open;
      open.start();
    }
    return open;
  }

  private synchronized void forget(Connection broken) {
    if (current == broken) {
      current = null;
    }
  }

  @Override
  public void close() {
    Connection open;
    synchronized (this) {
      closed = true;
      open = current;
      current = null;
    }
    if (open != null) {
      open.stop();
    }
  }

  /** The call as the other node gets it: one hop further, with the time that is left. */
  private static StreamCall message(PendingCall pending, long id, int timeoutMillis) {
    StreamCall call = pending.call();
    RequestHeader header =
        pending.header().toBuilder()
            .setHops(pending.header().getHops() + 1)
            .setTimeoutMillis(timeoutMillis)
            .build();
    StreamCall.Builder message = StreamCall.newBuilder().setCallId(id);
    switch (call.getCallCase()) {
      case GET -> message.setGet(call.getGet().toBuilder().setHeader(header));
      case BATCH_GET -> message.setBatchGet(call.getBatchGet().toBuilder().setHeader(header));
      case WRITE -> message.setWrite(call.getWrite().toBuilder().setHeader(header));
      case SCAN -> message.setScan(call.getScan().toBuilder().setHeader(header));
      case CALL_NOT_SET -> throw new IllegalArgumentException("a call without content");
    }
    return message.build();
  }

  /** A call on its way. */
  private final class Forwarded {
    private final long id;
    private final PendingCall call;
    private final Shard shard;
    private final StreamCall message;

    /** Set by the sender before the bytes leave, read when the stream breaks. */
    private volatile boolean sent;

    Forwarded(long id, PendingCall call, Shard shard, StreamCall message) {
      this.id = id;
      this.call = call;
      this.shard = shard;
      this.message = message;
    }

    void answer(StreamReply reply) {
      if (reply.hasError()) {
        learn(reply.getError());
      }
      call.answer(reply.toBuilder());
    }

    private void learn(ErrorDetail error) {
      if (!error.getLeaderNodeId().isEmpty()) {
        leaders.learn(shard.shardId(), error.getLeaderNodeId());
      } else if (error.getReason() == Reason.SHARD_NOT_FOUND
          || error.getReason() == Reason.SHUTTING_DOWN) {
        leaders.disappointed(shard, peerNode);
      }
    }

    void lost(String why) {
      leaders.disappointed(shard, peerNode);
      if (sent) {
        call.fail(Failures.peerGone(peerNode, call.unknownOutcome(), why));
      } else {
        call.fail(Failures.peerNotReached(shard.shardId(), peerNode, why));
      }
    }
  }

  /** One gRPC stream, from its opening until it breaks. */
  private final class Connection
      implements ClientResponseObserver<StreamRequest, StreamResponse>,
          Outbox.Transport<Forwarded> {
    private final Map<Long, Forwarded> pending = new ConcurrentHashMap<>();
    private final Outbox<Forwarded> outbox =
        new Outbox<>(
            threads.current(),
            this,
            forwarded -> forwarded.message.getSerializedSize(),
            Limits.PACKED_BYTES);

    private volatile @Nullable ClientCallStreamObserver<StreamRequest> requests;
    private volatile boolean broken;

    void start() {
      try {
        // Not in the context of the call that happens to open it, whose end would cancel it.
        Context.ROOT.run(() -> KvGrpc.newStub(channel.get()).stream(this));
      } catch (RuntimeException e) {
        // The node left the shard map, or this node is stopping.
        lose(String.valueOf(e.getMessage()));
      }
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<StreamRequest> stream) {
      requests = stream;
      stream.setOnReadyHandler(outbox::wake);
    }

    void send(Forwarded forwarded) {
      pending.put(forwarded.id, forwarded);
      forwarded.call.onAnswered(() -> pending.remove(forwarded.id));
      outbox.add(forwarded);
      if (broken) {
        // The stream broke while the call was added: whoever removes it answers it.
        loseAll("the connection ended");
      }
    }

    @Override
    public boolean ready() {
      ClientCallStreamObserver<StreamRequest> stream = requests;
      return stream != null && !broken && stream.isReady();
    }

    @Override
    public void send(List<Forwarded> items) {
      ClientCallStreamObserver<StreamRequest> stream = requests;
      StreamRequest.Builder message = StreamRequest.newBuilder();
      for (Forwarded item : items) {
        if (!item.call.isAnswered()) {
          item.sent = true;
          message.addCalls(item.message);
        }
      }
      if (stream == null || message.getCallsCount() == 0) {
        return;
      }
      try {
        stream.onNext(message.build());
      } catch (RuntimeException e) {
        // The stream ended meanwhile; gRPC reports it through onError as well.
        lose(KvErrors.fromStatus(e).getMessage());
      }
    }

    @Override
    public void onNext(StreamResponse response) {
      for (StreamReply reply : response.getRepliesList()) {
        Forwarded forwarded = pending.remove(reply.getCallId());
        if (forwarded != null) {
          forwarded.answer(reply);
        }
      }
    }

    @Override
    public void onError(Throwable failure) {
      lose(KvErrors.fromStatus(failure).getMessage());
    }

    @Override
    public void onCompleted() {
      lose("it ended the connection");
    }

    void stop() {
      ClientCallStreamObserver<StreamRequest> stream = requests;
      if (stream != null) {
        stream.cancel("this node is stopping", null);
      }
      lose("this node is stopping");
    }

    private void lose(String why) {
      broken = true;
      forget(this);
      loseAll(why);
    }

    private void loseAll(String why) {
      for (Long id : List.copyOf(pending.keySet())) {
        Forwarded forwarded = pending.remove(id);
        if (forwarded != null) {
          forwarded.lost(why);
        }
      }
    }
  }
}
