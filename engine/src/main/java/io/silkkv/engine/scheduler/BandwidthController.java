package io.silkkv.engine.scheduler;

import io.silkkv.engine.api.SilkOptions;
import org.jspecify.annotations.Nullable;

/**
 * SILK's rule (Balmau et al., USENIX ATC '19, algorithm 1): internal work gets {@code I =
 * max(floor, T - C - epsilon)}, and deeper compactions pause while that leaves nothing for them. C
 * goes up with the latest look and down with the average of the last looks, so that the start of a
 * peak is seen at once and a gap between two batches is not taken for its end.
 *
 * <p>The floor is what flushes and L0 compactions need, measured ({@link EngineDemand}), and at
 * least what is configured; both share that evenly unless one needs more.
 *
 * <p>The processor is shared by the same rule on its own scale: deeper compactions get what others
 * leave of it.
 *
 * <p>A function of its inputs and of what it saw before; never waits, knows no clock and no thread.
 * Inputs may be any: totals that go back count as no progress, absurd ones are cut, and within
 * {@value #WINDOW} looks nothing of them is left. Not thread-safe.
 */
final class BandwidthController {
  /** Looks that C is averaged over. */
  static final int WINDOW = 10;

  /** Part of T that floors may take together, however much flushes and L0 need. */
  private static final double MAX_FLOORS = 0.9;

  /** C is not followed beyond this multiple of T: a volume cannot do it. */
  private static final double MAX_CLIENT = 4;

  /** Time in which the measured use of processors follows a new one for the most part. */
  private static final double CPU_FOLLOW_NANOS = 100e6;

  /** Part of the processors that is left free, and part that deeper compactions get at least. */
  private static final double CPU_RESERVE = 0.1;

  private static final double CPU_FLOOR = 0.05;

  /**
   * Totals since any start, at one moment.
   *
   * @param time nanoseconds of a clock that never goes back
   * @param clientBytes client reads that reached the volume, the log, and all else that never waits
   * @param replicationBytes sent to followers
   * @param busyCpuNanos processor time of everything but deeper compactions; 0 when unknown
   * @param flushNeed bytes per second that flushes need now
   * @param l0Need bytes per second that compactions of level 0 need now
   */
  record Sample(
      long time,
      long clientBytes,
      long replicationBytes,
      long busyCpuNanos,
      double flushNeed,
      double l0Need) {}

  private final SilkOptions options;
  private final double processors;

  /** Client bytes between the last looks, as a ring, and the nanoseconds that they took. */
  private final double[] bytes = new double[WINDOW];

  private final double[] nanos = new double[WINDOW];

  /** Of the client bytes, those of replication. */
  private final double[] replicated = new double[WINDOW];

  private int looks;
  private double busyCores;
  private @Nullable Sample last;
  private Allotment current;

  /**
   * Gives internal work everything until the second look.
   *
   * @param processors of the machine or container
   */
  BandwidthController(SilkOptions options, int processors) {
    this.options = options;
    this.processors = processors;
    this.current =
        new Allotment(
            0,
            0,
            Math.max(
                options.floorBytesPerSecond(),
                options.deviceBytesPerSecond() - options.epsilonBytesPerSecond()),
            options.floorBytesPerSecond() / 2,
            options.floorBytesPerSecond() / 2,
            false,
            processors);
  }

  /** How the volume is shared now. */
  Allotment current() {
    return current;
  }

  /** Takes a look; the result is {@link #current()}. */
  Allotment look(Sample now) {
    Sample before = last;
    if (before == null) {
      last = now;
      return current;
    }
    long elapsed = now.time() - before.time();
    if (elapsed < 0) {
      last = now;
      return current;
    }
    // Two looks shortly after each other, as after a pause of the process, say nothing.
    if (elapsed < options.periodMillis() * 1e6 / 2) {
      return current;
    }
    last = now;
    double client = followClients(before, now, (double) elapsed);
    double cores = followCpu(before, now, (double) elapsed);
    current =
        switch (options.parts()) {
          case ALL -> share(client, now.flushNeed(), now.l0Need(), cores, true);
          case BANDWIDTH_ONLY -> share(client, 0, 0, processors, false);
          case PRIORITIES_ONLY -> {
            long floor = options.floorBytesPerSecond() / 2;
            long all = options.deviceBytesPerSecond();
            yield new Allotment((long) client, replication(), all, floor, floor, false, processors);
          }
        };
    return current;
  }

  private double followClients(Sample before, Sample now, double elapsed) {
    double replication =
        progress(before.replicationBytes(), now.replicationBytes()) * options.replicationWeight();
    double moved = progress(before.clientBytes(), now.clientBytes()) + replication;
    double most = options.deviceBytesPerSecond() * MAX_CLIENT * elapsed / 1e9;
    int slot = looks++ % WINDOW;
    bytes[slot] = Math.min(moved, most);
    replicated[slot] = Math.min(replication, most);
    nanos[slot] = elapsed;
    double latest = bytes[slot] / elapsed;
    return Math.max(latest, average(bytes)) * 1e9;
  }

  /** Per nanosecond, over the window. */
  private double average(double[] ring) {
    double allBytes = 0;
    double allNanos = 0;
    for (int i = 0; i < WINDOW; i++) {
      allBytes += ring[i];
      allNanos += nanos[i];
    }
    return allBytes / allNanos;
  }

  private long replication() {
    return (long) (average(replicated) * 1e9);
  }

  private double followCpu(Sample before, Sample now, double elapsed) {
    double cores =
        Math.min(progress(before.busyCpuNanos(), now.busyCpuNanos()) / elapsed, processors);
    busyCores += (cores - busyCores) * Math.min(1, elapsed / CPU_FOLLOW_NANOS);
    double left = processors * (1 - CPU_RESERVE) - busyCores;
    return Math.max(left, processors * CPU_FLOOR);
  }

  private static double progress(long before, long now) {
    long difference = now - before;
    // Totals may be so far apart that their difference overflows.
    return now <= before ? 0 : difference < 0 ? Long.MAX_VALUE : difference;
  }

  /** Also NaN becomes a number. */
  private static double sane(double need, double most) {
    return need > 0 ? Math.min(need, most) : 0;
  }

  private Allotment share(
      double client, double flushNeed, double l0Need, double cores, boolean pauses) {
    double device = options.deviceBytesPerSecond();
    double least = options.floorBytesPerSecond() / 2.0;
    double most = Math.max(device * MAX_FLOORS, 2 * least);
    double flush = Math.max(sane(flushNeed, device), least);
    double l0 = Math.max(sane(l0Need, device), least);
    if (flush + l0 > most) {
      flush = Math.min(flush, Math.max(most / 2, most - l0));
      l0 = most - flush;
    }
    double floor = flush + l0;
    double left = device - client - options.epsilonBytesPerSecond();
    boolean paused = pauses && left < floor;
    double internal = Math.max(1, Math.min(Math.max(floor, left), device));
    boolean small =
        Math.abs(internal - current.internalRate()) <= options.thresholdBytesPerSecond();
    boolean toFloor = internal <= floor && current.internalRate() > floor;
    boolean keep =
        small && !toFloor && paused == current.deepPaused() && current.internalRate() >= floor;
    return new Allotment(
        (long) client,
        replication(),
        keep ? current.internalRate() : (long) internal,
        (long) flush,
        (long) l0,
        paused,
        cores);
  }
}
