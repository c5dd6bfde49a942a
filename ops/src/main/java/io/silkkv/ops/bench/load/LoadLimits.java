package io.silkkv.ops.bench.load;

import java.time.Duration;

/**
 * When a run is not to be believed, and how long it may overrun.
 *
 * @param latenessP99 a run whose generator was later than this (p99) is invalid
 * @param ownShare share (0 to 1) of the busy time that the generator may need for itself in a run
 *     in which operations had to wait for a free thread or slot; above it, the run is invalid: the
 *     generator and not the system may have been the bottleneck
 * @param overrun how long after the end of the schedule operations are still sent and answers
 *     awaited; what is open then counts as unanswered
 */
public record LoadLimits(Duration latenessP99, double ownShare, Duration overrun) {
  public static final LoadLimits DEFAULT =
      new LoadLimits(Duration.ofMillis(5), 0.25, Duration.ofSeconds(30));
}
