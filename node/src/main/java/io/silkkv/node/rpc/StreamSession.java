package io.silkkv.node.rpc;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.silkkv.router.Limits;
import io.silkkv.v1.StreamCall;
import io.silkkv.v1.StreamReply;
import io.silkkv.v1.StreamRequest;
import io.silkkv.v1.StreamResponse;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's stream. Messages are handled on the event loop that read them; all replies that are
 * ready by the end of a message, and all that come later from one log entry, leave as one message.
 *
 * <p>Two bounds hold a client back. Calls in flight beyond {@code callsPerStream} are answered
 * OVERLOADED. When replies pile up because the client does not take them, the results of further
 * reads are dropped and answered OVERLOADED, and no further message of it is read until half of the
 * replies are gone.
 */
final class StreamSession implements StreamObserver<StreamRequest>, Outbox.Transport<StreamReply> {
  private static final Logger LOG = LoggerFactory.getLogger(StreamSession.class);

  private final RequestPath path;
  private final CallClock clock;
  private final ServerCallStreamObserver<StreamResponse> out;
  private final Outbox<StreamReply> outbox;
  private final CallCounters counters;
  private final int callsPerStream;
  private final long outboundBytes;

  /** Calls without an answer. */
  private final AtomicInteger inFlight = new AtomicInteger();

  /** Calls whose answer has not been given to gRPC. */
  private final AtomicInteger unsent = new AtomicInteger();

  /** Set while no message is asked for because of {@link #outboundBytes}. */
  private final AtomicBoolean paused = new AtomicBoolean();

  /** The client will send nothing more. */
  private volatile boolean halfClosed;

  /** Nothing more may be sent. */
  private volatile boolean ended;

  StreamSession(
      RequestPath path,
      CallClock clock,
      RequestPathOptions options,
      ServerCallStreamObserver<StreamResponse> out,
      Executor loop,
      CallCounters counters) {
    this.path = path;
    this.clock = clock;
    this.out = out;
    this.counters = counters;
    this.callsPerStream = options.callsPerStream();
    this.outboundBytes = options.outboundBytesPerStream();
    this.outbox = new Outbox<>(loop, this, StreamReply::getSerializedSize, Limits.PACKED_BYTES);
  }

  /** Begins to read the client's messages; to be called while the call is being set up. */
  StreamSession start() {
    out.disableAutoRequest();
    out.setOnReadyHandler(outbox::wake);
    out.setOnCancelHandler(this::end);
    out.request(1);
    return this;
  }

  @Override
  public void onNext(StreamRequest message) {
    boolean held = outbox.hold();
    try {
      long now = clock.nanoTime().getAsLong();
      for (StreamCall call : message.getCallsList()) {
        accept(call, now);
      }
    } finally {
      outbox.letGo(held);
    }
    readOnUnlessFull();
  }

  private void accept(StreamCall message, long now) {
    Call call = new Call(message, now);
    unsent.incrementAndGet();
    if (inFlight.incrementAndGet() > callsPerStream) {
      call.fail(
          Failures.overloaded(
              "this stream has " + callsPerStream + " calls in flight, its limit; wait for some"));
    } else {
      path.handle(call);
    }
  }

  private void readOnUnlessFull() {
    if (outbox.queuedBytes() < outboundBytes) {
      out.request(1);
      return;
    }
    paused.set(true);
    // What was queued may have left before the flag was set.
    resumeWhenDrained();
  }

  private void resumeWhenDrained() {
    if (outbox.queuedBytes() < outboundBytes / 2 && paused.compareAndSet(true, false)) {
      out.request(1);
    }
  }

  @Override
  public boolean ready() {
    return ended || out.isReady();
  }

  @Override
  public void send(List<StreamReply> replies) {
    if (ended) {
      return;
    }
    try {
      out.onNext(StreamResponse.newBuilder().addAllReplies(replies).build());
      unsent.addAndGet(-replies.size());
      resumeWhenDrained();
      completeIfDone();
    } catch (RuntimeException e) {
      // The client went away between the check and the send; nobody waits for these replies.
      LOG.debug("a stream ended while replies were sent", e);
      ended = true;
    }
  }

  @Override
  public void onError(Throwable failure) {
    end();
  }

  @Override
  public void onCompleted() {
    halfClosed = true;
    completeIfDone();
  }

  private void completeIfDone() {
    if (halfClosed && unsent.get() == 0) {
      synchronized (this) {
        if (!ended) {
          ended = true;
          out.onCompleted();
        }
      }
    }
  }

  private void end() {
    ended = true;
    // Replies that come later find nobody; the sender drops them.
    outbox.wake();
  }

  /** One call of this stream. */
  private final class Call extends PendingCall {
    Call(StreamCall message, long now) {
      super(message, clock.deadlineAfter(now, timeoutMillis(message)));
    }

    @Override
    void deliver(StreamReply.Builder reply) {
      inFlight.decrementAndGet();
      if (outbox.queuedBytes() >= outboundBytes && !isWrite()) {
        reply.setError(
            Failures.overloaded(
                "the client has not taken "
                    + outboundBytes
                    + " bytes of replies, the limit of a stream; read them first"));
      }
      counters.count(reply);
      outbox.add(reply.setCallId(call().getCallId()).build());
    }
  }

  private static int timeoutMillis(StreamCall call) {
    return switch (call.getCallCase()) {
      case GET -> call.getGet().getHeader().getTimeoutMillis();
      case BATCH_GET -> call.getBatchGet().getHeader().getTimeoutMillis();
      case WRITE -> call.getWrite().getHeader().getTimeoutMillis();
      case SCAN -> call.getScan().getHeader().getTimeoutMillis();
      case CALL_NOT_SET -> 0;
    };
  }
}
