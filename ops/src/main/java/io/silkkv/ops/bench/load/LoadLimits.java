package io.silkkv.ops.bench.load;

import java.time.Duration;

/**
 * When a run is not to be believed, and how long it may overrun.
 *
 * @param lateness a run is invalid when its generator was later than this, and later than {@code
 *     latenessShare} of the latency (both at p99): the figures would show the generator and not the
 *     system
 * @param latenessShare 0 to 1
 * @param overrun how long after the end of the schedule operations are still sent and answers
 *     awaited; what is open then counts as unanswered
 */
public record LoadLimits(Duration lateness, double latenessShare, Duration overrun) {
  public static final LoadLimits DEFAULT =
      new LoadLimits(Duration.ofMillis(1), 0.1, Duration.ofSeconds(30));
}
