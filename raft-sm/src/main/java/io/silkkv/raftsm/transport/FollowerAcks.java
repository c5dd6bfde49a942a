package io.silkkv.raftsm.transport;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.OptionalLong;

/**
 * What one follower acknowledged to one appender, i.e. within one term. Times are readings of the
 * transport's nano clock.
 */
final class FollowerAcks {
  /** Requests in flight are limited to a few; older ones than this have been given up. */
  private static final int REMEMBERED = 1024;

  private final String peerId;
  private final long term;

  @GuardedBy("this")
  private final long[] callIds = new long[REMEMBERED];

  @GuardedBy("this")
  private final long[] createdAt = new long[REMEMBERED];

  @GuardedBy("this")
  private boolean acknowledged;

  @GuardedBy("this")
  private long newest;

  FollowerAcks(String peerId, long term) {
    this.peerId = peerId;
    this.term = term;
    for (int i = 0; i < REMEMBERED; i++) {
      callIds[i] = -1;
    }
  }

  String peerId() {
    return peerId;
  }

  long term() {
    return term;
  }

  /** A request with this call id exists since {@code nanos}. */
  synchronized void sending(long callId, long nanos) {
    int slot = (int) (callId % REMEMBERED);
    callIds[slot] = callId;
    createdAt[slot] = nanos;
  }

  /** The follower accepted the request with this call id as coming from its leader. */
  synchronized void acknowledge(long callId) {
    int slot = (int) (callId % REMEMBERED);
    if (callId < 0 || callIds[slot] != callId) {
      return;
    }
    long created = createdAt[slot];
    if (!acknowledged || created - newest > 0) {
      acknowledged = true;
      newest = created;
    }
  }

  /** When the newest acknowledged request was created; empty when none was acknowledged. */
  synchronized OptionalLong newest() {
    return acknowledged ? OptionalLong.of(newest) : OptionalLong.empty();
  }
}
