package io.silkkv.client;

import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.Reason;
import org.jspecify.annotations.Nullable;

/**
 * A call failed for good: what could be retried was retried until the deadline. The subclass says
 * what the caller can do about it, {@link #reason} why it happened, {@link #maybeApplied} whether a
 * write may have changed data all the same.
 */
public abstract sealed class KvException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final ErrorReason reason;
  private final boolean maybeApplied;

  private KvException(
      ErrorReason reason, String message, boolean maybeApplied, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
    this.maybeApplied = maybeApplied;
  }

  /** Why the call failed. */
  public ErrorReason reason() {
    return reason;
  }

  /**
   * Whether a write may have been applied. False means that it was not and never will be; always
   * false for reads.
   */
  public boolean maybeApplied() {
    return maybeApplied;
  }

  /** The request itself is wrong or too large: mend it, do not repeat it. */
  public static final class InvalidRequest extends KvException {
    private static final long serialVersionUID = 1;
    private final String field;

    InvalidRequest(ErrorReason reason, String message, String field, boolean maybeApplied) {
      super(reason, message, maybeApplied, null);
      this.field = field;
    }

    /** The field of the request that is wrong, such as {@code mutations[3].put.key}, or empty. */
    public String field() {
      return field;
    }
  }

  /**
   * The deadline passed first. The cause is the failure of the last attempt, when there was one. A
   * write with {@link #maybeApplied} may have been applied, or may still be.
   */
  public static final class DeadlineExceeded extends KvException {
    private static final long serialVersionUID = 1;

    DeadlineExceeded(String message, boolean maybeApplied, @Nullable Throwable cause) {
      super(ErrorReason.DEADLINE_EXCEEDED, message, maybeApplied, cause);
    }
  }

  /** More is in flight than allowed: slow down and try again later. */
  public static final class Overloaded extends KvException {
    private static final long serialVersionUID = 1;

    Overloaded(String message, boolean maybeApplied) {
      super(ErrorReason.OVERLOADED, message, maybeApplied, null);
    }
  }

  /**
   * The shard could not be reached or served; it may be later. Calls retry this on their own, so it
   * appears as the cause of {@link DeadlineExceeded}.
   */
  public static final class Unavailable extends KvException {
    private static final long serialVersionUID = 1;

    Unavailable(ErrorReason reason, String message, boolean maybeApplied) {
      super(reason, message, maybeApplied, null);
    }
  }

  /**
   * The cluster forgot the outcome of a write that it may have applied, so a repetition could apply
   * it twice. Read what the write would have changed before you decide.
   */
  public static final class SessionExpired extends KvException {
    private static final long serialVersionUID = 1;

    SessionExpired(String message, boolean maybeApplied) {
      super(ErrorReason.SESSION_EXPIRED, message, maybeApplied, null);
    }
  }

  /** A node has damaged data or another fault; operators find more in its status and log. */
  public static final class NodeFault extends KvException {
    private static final long serialVersionUID = 1;

    NodeFault(ErrorReason reason, String message, boolean maybeApplied) {
      super(reason, message, maybeApplied, null);
    }
  }

  /** The calling thread was interrupted while it waited; its interrupt flag is set again. */
  public static final class Interrupted extends KvException {
    private static final long serialVersionUID = 1;

    Interrupted(boolean maybeApplied, InterruptedException cause) {
      super(
          ErrorReason.INTERRUPTED,
          "the thread was interrupted while it waited",
          maybeApplied,
          cause);
    }
  }

  /** The client was closed before the call ended. */
  public static final class Closed extends KvException {
    private static final long serialVersionUID = 1;

    Closed(boolean maybeApplied) {
      super(ErrorReason.CLOSED, "the client is closed", maybeApplied, null);
    }
  }

  /** The exception for an error of a node (or of the way to it). */
  static KvException of(ErrorDetail detail, boolean maybeApplied) {
    ErrorReason reason = reason(detail.getReason());
    String message = detail.getMessage().isEmpty() ? reason.toString() : detail.getMessage();
    return switch (reason) {
      case INVALID_ARGUMENT, KEY_TOO_LARGE, VALUE_TOO_LARGE, BATCH_TOO_LARGE, CROSS_SHARD_BATCH ->
          new InvalidRequest(reason, message, detail.getField(), maybeApplied);
      case NOT_LEADER,
          NO_LEADER,
          STALE_EPOCH,
          SHARD_NOT_FOUND,
          UNAVAILABLE,
          SHUTTING_DOWN,
          TOO_MANY_HOPS ->
          new Unavailable(reason, message, maybeApplied);
      case OVERLOADED -> new Overloaded(message, maybeApplied);
      case SESSION_EXPIRED -> new SessionExpired(message, maybeApplied);
      case DEADLINE_EXCEEDED -> new DeadlineExceeded(message, maybeApplied, null);
      case DATA_CORRUPT, INTERNAL -> new NodeFault(reason, message, maybeApplied);
      case CLOSED, INTERRUPTED -> throw new IllegalStateException("not a reason of a node");
    };
  }

  private static ErrorReason reason(Reason reason) {
    return switch (reason) {
      case INVALID_ARGUMENT -> ErrorReason.INVALID_ARGUMENT;
      case KEY_TOO_LARGE -> ErrorReason.KEY_TOO_LARGE;
      case VALUE_TOO_LARGE -> ErrorReason.VALUE_TOO_LARGE;
      case BATCH_TOO_LARGE -> ErrorReason.BATCH_TOO_LARGE;
      case CROSS_SHARD_BATCH -> ErrorReason.CROSS_SHARD_BATCH;
      case NOT_LEADER -> ErrorReason.NOT_LEADER;
      case NO_LEADER -> ErrorReason.NO_LEADER;
      case STALE_EPOCH -> ErrorReason.STALE_EPOCH;
      case SHARD_NOT_FOUND -> ErrorReason.SHARD_NOT_FOUND;
      case OVERLOADED -> ErrorReason.OVERLOADED;
      case SESSION_EXPIRED -> ErrorReason.SESSION_EXPIRED;
      case DEADLINE_EXCEEDED -> ErrorReason.DEADLINE_EXCEEDED;
      case UNAVAILABLE -> ErrorReason.UNAVAILABLE;
      case SHUTTING_DOWN -> ErrorReason.SHUTTING_DOWN;
      case DATA_CORRUPT -> ErrorReason.DATA_CORRUPT;
      case TOO_MANY_HOPS -> ErrorReason.TOO_MANY_HOPS;
      // A newer node may know reasons that this client does not.
      case INTERNAL, REASON_UNSPECIFIED, UNRECOGNIZED -> ErrorReason.INTERNAL;
    };
  }
}
