package io.silkkv.client;

import io.silkkv.router.KvErrors;
import io.silkkv.router.NodeInfo;
import io.silkkv.router.Shard;
import io.silkkv.router.ShardMap;
import io.silkkv.v1.Applied;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.Reason;
import io.silkkv.v1.RequestHeader;
import io.silkkv.v1.StreamCall;
import io.silkkv.v1.StreamReply;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Brings calls from their start to their outcome: route, send, repeat, give up. Deadlines and
 * attempts that take too long are found by a tick every ten milliseconds while calls are in flight,
 * which is cheaper than a timer per call; so a call may end up to one tick after its deadline.
 *
 * <p>Confined to the I/O thread.
 */
final class Dispatcher implements NodeStream.Replies {
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final ClientLoop loop;
  private final SystemSources sources;
  private final ClientOptions options;
  private final InFlightLimit limit;
  private final RetryPolicy retryPolicy;
  private final WriteSessions sessions;
  private final NodeStreams streams;
  private final RouteCache routes;
  private final Set<Operation<?>> active = new LinkedHashSet<>();
  private boolean ticking;
  private boolean closed;
  private long lastCallId;

  Dispatcher(ClientLoop loop, SystemSources sources, ClientOptions options, InFlightLimit limit) {
    this.loop = loop;
    this.sources = sources;
    this.options = options;
    this.limit = limit;
    this.retryPolicy = new RetryPolicy(sources.random());
    this.sessions = new WriteSessions(sources.sessionIds());
    this.streams = new NodeStreams(this::open);
    this.routes =
        new RouteCache(
            options.endpoints(), streams, loop, sources.nanoTime(), retryPolicy, this::dispatch);
  }

  /** Takes over a call whose room the caller acquired. */
  void start(Operation<?> operation) {
    active.add(operation);
    if (closed) {
      fail(operation, new KvException.Closed(false));
      return;
    }
    if (!ticking) {
      ticking = true;
      loop.schedule(this::tick, TICK_NANOS);
    }
    routes.refreshIfOld();
    dispatch(operation);
  }

  /** Fails all calls and closes the connections. */
  void close() {
    closed = true;
    for (Operation<?> operation : List.copyOf(active)) {
      fail(operation, new KvException.Closed(mayStillApply(operation)));
    }
    streams.shutdown();
  }

  @Override
  public void replied(Attempt attempt, StreamReply reply) {
    if (attempt.isAbandoned()) {
      return;
    }
    if (reply.hasError()) {
      failed(attempt, reply.getError());
      return;
    }
    Operation<?> operation = attempt.operation();
    if (!operation.accepts(reply)) {
      failed(attempt, misfit(attempt, reply));
      return;
    }
    finish(operation, operation.completion(reply));
  }

  @Override
  public void failed(Attempt attempt, ErrorDetail failure) {
    if (!attempt.isAbandoned()) {
      attemptFailed(attempt, failure);
    }
  }

  private void attemptFailed(Attempt attempt, ErrorDetail failure) {
    Operation<?> operation = attempt.operation();
    ShardMap map = routes.map();
    operation.endAttempt();
    if (operation.isObsolete() || map == null) {
      finish(operation, () -> {});
      return;
    }
    RetryPolicy.Advice advice = RetryPolicy.advice(failure.getReason());
    // A session that is gone tells nothing new about a write.
    boolean unclear =
        failure.getApplied() != Applied.NEVER && advice != RetryPolicy.Advice.NEW_SESSION;
    operation.failed(failure, unclear);
    switch (advice) {
      case FAIL -> refuse(operation, failure);
      case NEW_ROUTE -> reroute(operation, attempt, map, failure);
      case OTHER_NODE -> {
        routes.suspect(attempt.nodeId());
        operation.avoid(attempt.nodeId());
        retry(operation, failure);
      }
      case LATER -> {
        operation.avoid(null);
        retry(operation, failure);
      }
      case NEW_SESSION -> renewSession(operation, failure);
    }
  }

  private void dispatch(Operation<?> operation) {
    if (!active.contains(operation)) {
      return;
    }
    ShardMap map = routes.map();
    if (operation.isObsolete()) {
      finish(operation, () -> {});
    } else if (remainingNanos(operation) <= 0) {
      expire(operation);
    } else if (map == null) {
      routes.await(operation);
    } else if (!startParts(operation.split(map))) {
      send(operation, map);
    }
  }

  private void send(Operation<?> operation, ShardMap map) {
    Shard shard = operation.target(map);
    if (operation instanceof WriteOperation<?> write && write.ticket() == null) {
      write.setTicket(sessions.open(shard.shardId()));
    }
    RequestHeader.Builder header =
        RequestHeader.newBuilder().setTimeoutMillis(timeoutMillis(operation));
    if (operation.namesShard()) {
      header.setShardId(shard.shardId()).setEpoch(shard.epoch().toProto());
    }
    NodeInfo node = routes.choose(map, shard, operation.avoidedNode());
    StreamCall.Builder call = StreamCall.newBuilder().setCallId(++lastCallId);
    operation.fill(call, header.build());
    Attempt attempt =
        new Attempt(operation, node.nodeId(), streams.at(node.address()), call.build(), now());
    operation.begin(attempt);
    attempt.stream().send(attempt);
  }

  private boolean startParts(@Nullable List<? extends Operation<?>> parts) {
    if (parts == null) {
      return false;
    }
    parts.forEach(active::add);
    parts.forEach(this::dispatch);
    return true;
  }

  private void refuse(Operation<?> operation, ErrorDetail failure) {
    if (failure.getReason() == Reason.BATCH_TOO_LARGE && startParts(operation.splitSmaller())) {
      return;
    }
    fail(operation, KvException.of(failure, operation.maybeApplied()));
  }

  private void reroute(Operation<?> operation, Attempt attempt, ShardMap map, ErrorDetail failure) {
    boolean healed = routes.heal(operation.target(map), failure);
    boolean wrongNode = !healed && failure.getReason() != Reason.STALE_EPOCH;
    operation.avoid(wrongNode ? attempt.nodeId() : null);
    if (!healed && failure.getReason() != Reason.NOT_LEADER) {
      long delay = retryPolicy.delayNanos(operation, failure);
      later(operation, failure, delay, () -> routes.await(operation));
      return;
    }
    if (!healed) {
      routes.refresh();
    }
    retry(operation, failure);
  }

  /**
   * When no attempt before may have applied the write, it starts over under a new session; else
   * only the application can tell whether to repeat it.
   */
  private void renewSession(Operation<?> operation, ErrorDetail failure) {
    if (operation instanceof WriteOperation<?> write && !operation.maybeApplied()) {
      WriteSessions.Ticket ticket = write.ticket();
      if (ticket != null && write.renewTicket()) {
        sessions.expire(ticket);
        sessions.finish(ticket);
        retry(operation, failure);
        return;
      }
    }
    fail(operation, KvException.of(failure, operation.maybeApplied()));
  }

  private void retry(Operation<?> operation, ErrorDetail failure) {
    long delay = retryPolicy.delayNanos(operation, failure);
    later(operation, failure, delay, () -> dispatch(operation));
  }

  private void later(Operation<?> operation, ErrorDetail failure, long delayNanos, Runnable next) {
    operation.blocked(failure);
    if (delayNanos == 0) {
      // Not from here: a caller may be in the middle of a list of failures.
      loop.execute(next);
    } else if (delayNanos >= remainingNanos(operation)) {
      expire(operation);
    } else {
      loop.schedule(next, delayNanos);
    }
  }

  private void tick() {
    List<Operation<?>> due = new ArrayList<>();
    long now = now();
    for (Operation<?> operation : active) {
      Attempt attempt = operation.attempt();
      if (operation.isObsolete()
          || now - operation.deadlineNanos() >= 0
          || (attempt != null && now - attempt.startedNanos() >= options.attemptNanos())) {
        due.add(operation);
      }
    }
    due.forEach(this::overdue);
    ticking = !active.isEmpty() && !closed;
    if (ticking) {
      loop.schedule(this::tick, TICK_NANOS);
    }
  }

  private void overdue(Operation<?> operation) {
    if (!active.contains(operation)) {
      return;
    }
    Attempt attempt = operation.attempt();
    if (operation.isObsolete()) {
      finish(operation, () -> {});
    } else if (remainingNanos(operation) <= 0) {
      expire(operation);
    } else if (attempt != null && now() - attempt.startedNanos() >= options.attemptNanos()) {
      giveUp(attempt);
    }
  }

  /**
   * Repeats a call elsewhere; when the node was silent all the time, its connection is given up.
   */
  private void giveUp(Attempt attempt) {
    NodeStream stream = attempt.stream();
    boolean silent = !stream.heardSince(attempt.startedNanos());
    String why =
        "node "
            + attempt.nodeId()
            + " did not answer within "
            + TimeUnit.NANOSECONDS.toMillis(options.attemptNanos())
            + " ms";
    Applied applied = attempt.isSent() ? Applied.MAYBE : Applied.NEVER;
    stream.abandon(attempt);
    attemptFailed(attempt, KvErrors.detail(Reason.UNAVAILABLE, applied, why));
    if (silent) {
      stream.reset(why);
    }
  }

  private void expire(Operation<?> operation) {
    boolean maybeApplied = mayStillApply(operation);
    ErrorDetail last = operation.lastFailure();
    KvException cause = last == null ? null : KvException.of(last, maybeApplied);
    String message =
        "the "
            + operation.what()
            + " did not end before its deadline, after "
            + operation.attempts()
            + (operation.attempts() == 1 ? " attempt" : " attempts")
            + (cause == null ? "" : "; last failure: " + cause.reason() + ": " + cause.getMessage())
            + (maybeApplied ? "; it may have been applied" : "");
    fail(operation, new KvException.DeadlineExceeded(message, maybeApplied, cause));
  }

  private void fail(Operation<?> operation, KvException failure) {
    finish(operation, () -> operation.future().completeExceptionally(failure));
  }

  /** The end of a call, once: gives back its room and its session number, then tells the caller. */
  private void finish(Operation<?> operation, Runnable completion) {
    if (!active.remove(operation)) {
      return;
    }
    Attempt attempt = operation.attempt();
    if (attempt != null) {
      attempt.stream().abandon(attempt);
      operation.endAttempt();
    }
    if (operation instanceof WriteOperation<?> write && write.ticket() != null) {
      sessions.finish(write.ticket());
    }
    Operation<?> parent = operation.parent();
    if (parent == null) {
      limit.release(operation.weight());
      complete(operation.callbacks(), completion);
      return;
    }
    completion.run();
    Runnable parentCompletion = parent.partEnded();
    if (parentCompletion != null) {
      finish(parent, parentCompletion);
    }
  }

  private static void complete(Executor executor, Runnable completion) {
    try {
      executor.execute(completion);
    } catch (RejectedExecutionException shutDown) {
      // The application ended its executor first; its futures still have to end.
      completion.run();
    }
  }

  private static boolean mayStillApply(Operation<?> operation) {
    Attempt attempt = operation.attempt();
    return operation.isWrite()
        && (operation.maybeApplied() || (attempt != null && attempt.isSent()));
  }

  private static ErrorDetail misfit(Attempt attempt, StreamReply reply) {
    return KvErrors.detail(
        Reason.INTERNAL,
        Applied.MAYBE,
        "node "
            + attempt.nodeId()
            + " answered a "
            + attempt.operation().what()
            + " with a "
            + reply.getReplyCase()
            + " that does not fit");
  }

  private NodeStream open(String address) {
    return new NodeStream(
        address,
        loop.channel(Endpoint.parse(address)),
        loop,
        sources.nanoTime(),
        retryPolicy,
        this);
  }

  private int timeoutMillis(Operation<?> operation) {
    long nanos = Math.min(remainingNanos(operation), options.attemptNanos());
    return (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  private long remainingNanos(Operation<?> operation) {
    return operation.deadlineNanos() - now();
  }

  private long now() {
    return sources.nanoTime().getAsLong();
  }
}
