package io.silkkv.client;

import io.silkkv.router.Shard;
import io.silkkv.router.ShardMap;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.RequestHeader;
import io.silkkv.v1.StreamCall;
import io.silkkv.v1.StreamReply;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One call of the application, from its start to its outcome over any number of attempts. Made by
 * the application's thread; afterwards everything but the future belongs to the I/O thread.
 */
abstract sealed class Operation<T>
    permits GetOperation, BatchGetOperation, WriteOperation, ScanPageOperation {
  private final CompletableFuture<T> future = new CompletableFuture<>();
  private final long deadlineNanos;
  private final int weight;

  // Where the future is completed; blocked callers are woken by the I/O thread itself.
  private Executor callbacks = Runnable::run;
  private int attempts;
  private int atOnce;
  private int delayed;
  private boolean maybeApplied;
  private @Nullable ErrorDetail lastFailure;
  private @Nullable Attempt attempt;
  private @Nullable String avoidedNode;

  /**
   * @param deadlineNanos on the client's clock
   * @param weight bytes that count as in flight
   */
  Operation(long deadlineNanos, int weight) {
    this.deadlineNanos = deadlineNanos;
    this.weight = weight;
  }

  /** The shard that the call goes to by this map. Called before each {@link #fill}. */
  abstract Shard target(ShardMap map);

  /** Puts the request into a stream call. */
  abstract void fill(StreamCall.Builder call, RequestHeader header);

  /** Whether a reply fits this call; {@link #decode} is asked only then. */
  abstract boolean accepts(StreamReply reply);

  /** The outcome in a reply. */
  abstract T decode(StreamReply reply);

  /** What the call is, for messages. */
  abstract String what();

  /**
   * Whether the request may name the target shard and its epoch. When its keys reach over several
   * shards, routing is left to the node.
   */
  boolean namesShard() {
    return true;
  }

  /** Calls to make in the place of this one, which completes when they do; null for none. */
  @Nullable List<Operation<T>> split(ShardMap map) {
    return null;
  }

  /** Like {@link #split}, after a node found the call too large. */
  @Nullable List<Operation<T>> splitSmaller() {
    return null;
  }

  /** The call that this one is a part of; null when the application made it. */
  @Nullable Operation<?> parent() {
    return null;
  }

  /** How this call completes now that a part ended; null while it still waits for others. */
  @Nullable Runnable partEnded() {
    return null;
  }

  /** Whether a failed attempt may have changed data. */
  boolean isWrite() {
    return false;
  }

  /** Whether nobody waits for the outcome any more. */
  final boolean isObsolete() {
    Operation<?> whole = parent();
    return future.isDone() || (whole != null && whole.isObsolete());
  }

  /** How a reply that fits completes the future. */
  final Runnable completion(StreamReply reply) {
    T outcome = decode(reply);
    return () -> future.complete(outcome);
  }

  final CompletableFuture<T> future() {
    return future;
  }

  final Executor callbacks() {
    return callbacks;
  }

  /** Before the start: dependent actions of the future are the application's. */
  final void callbacksOn(Executor executor) {
    callbacks = executor;
  }

  final long deadlineNanos() {
    return deadlineNanos;
  }

  final int weight() {
    return weight;
  }

  final int attempts() {
    return attempts;
  }

  final @Nullable Attempt attempt() {
    return attempt;
  }

  final void begin(Attempt started) {
    attempt = started;
    attempts++;
  }

  final void endAttempt() {
    attempt = null;
  }

  /** Notes a failed attempt and what it may have done. */
  final void failed(ErrorDetail failure, boolean attemptMaybeApplied) {
    lastFailure = failure;
    maybeApplied |= isWrite() && attemptMaybeApplied;
  }

  /** What kept the call waiting, when no attempt was possible. */
  final void blocked(ErrorDetail failure) {
    lastFailure = failure;
  }

  final @Nullable ErrorDetail lastFailure() {
    return lastFailure;
  }

  final boolean maybeApplied() {
    return maybeApplied;
  }

  final @Nullable String avoidedNode() {
    return avoidedNode;
  }

  final void avoid(@Nullable String nodeId) {
    avoidedNode = nodeId;
  }

  /** Repetitions so far that did not wait. */
  final int atOnce() {
    return atOnce;
  }

  final void countAtOnce() {
    atOnce++;
  }

  /** Repetitions so far that waited. */
  final int delayed() {
    return delayed;
  }

  final void countDelayed() {
    delayed++;
    atOnce = 0;
  }
}
