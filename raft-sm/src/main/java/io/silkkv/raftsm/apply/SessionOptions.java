package io.silkkv.raftsm.apply;

import java.time.Duration;

/**
 * Bounds of the session table. They decide which retries are recognized, so they must be the same
 * on all replicas of a shard: a change needs an entry in the log.
 *
 * @param idleLimit a session is forgotten when the log's clock has moved on by this much since its
 *     last command
 * @param maxSessions most sessions; beyond it a new one takes the place of the longest idle one if
 *     that was idle for 5 minutes of the log's clock, and is turned away otherwise
 * @param maxResultsPerSession most outcomes kept for one client; a client should not have more
 *     writes in flight, because beyond it the lowest sequences are forgotten
 * @param maxResults most outcomes of all clients; beyond it the client that holds most loses the
 *     lower half of its sequences
 */
public record SessionOptions(
    Duration idleLimit, int maxSessions, int maxResultsPerSession, int maxResults) {
  /** One hour, 10,000 clients, 1,024 writes in flight per client, 200,000 outcomes. */
  public static final SessionOptions DEFAULT =
      new SessionOptions(Duration.ofHours(1), 10_000, 1_024, 200_000);

  /**
   * @throws IllegalArgumentException when a bound is not positive
   */
  public SessionOptions {
    if (idleLimit.toMillis() < 1
        || maxSessions < 1
        || maxResultsPerSession < 1
        || maxResults < maxResultsPerSession) {
      throw new IllegalArgumentException(
          "session bounds must be positive and maxResults at least maxResultsPerSession: idleLimit "
              + idleLimit
              + ", maxSessions "
              + maxSessions
              + ", maxResultsPerSession "
              + maxResultsPerSession
              + ", maxResults "
              + maxResults);
    }
  }
}
