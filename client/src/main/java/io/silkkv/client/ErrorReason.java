package io.silkkv.client;

/**
 * Why a call failed; the same words as on the wire, and two for what happens in the client itself.
 */
public enum ErrorReason {
  /** A field is missing or malformed. */
  INVALID_ARGUMENT,
  /** A key is longer than the limit. */
  KEY_TOO_LARGE,
  /** A value is longer than the limit. */
  VALUE_TOO_LARGE,
  /** A batch is larger than the limit. */
  BATCH_TOO_LARGE,
  /** The keys of a write lie in several shards. */
  CROSS_SHARD_BATCH,
  /** The node did not lead the shard and could not forward. */
  NOT_LEADER,
  /** The shard has no known leader now. */
  NO_LEADER,
  /** The client's routing was old. */
  STALE_EPOCH,
  /** The shard was not where the client believed it to be. */
  SHARD_NOT_FOUND,
  /** Too much was in flight, at the node or in this client. */
  OVERLOADED,
  /** The cluster no longer knows the outcome of a write that it may have applied. */
  SESSION_EXPIRED,
  /** The deadline passed first. */
  DEADLINE_EXCEEDED,
  /** A connection or a node went away, or could not be reached. */
  UNAVAILABLE,
  /** The node was shutting down. */
  SHUTTING_DOWN,
  /** Data on the node is damaged. */
  DATA_CORRUPT,
  /** A fault of the node. */
  INTERNAL,
  /** The nodes disagreed about the leader. */
  TOO_MANY_HOPS,
  /** The calling thread was interrupted. */
  INTERRUPTED,
  /** The client was closed. */
  CLOSED
}
