package io.silkkv.engine.scheduler;

/**
 * What one engine needs of the volume so that its writers never wait: a flush has to end before the
 * active memtable is full, and level 0 has to lose as many bytes as flushes add. Follows the rate
 * at which the engine is written to. Confined to the controller's thread.
 */
final class EngineDemand {
  /** Time in which the measured rate follows a new one for the most part. */
  private static final double FOLLOW_NANOS = 500e6;

  /** Flushes aim at ending when the memtable is full to 1/margin. */
  private static final double MARGIN = 1.25;

  /** From this fill of level 0 on, in triggers, it is worked off faster than it fills. */
  private static final double CALM_FILL = 2;

  private static final double MAX_PRESSURE = 4;

  /** Larger needs are all the same: more than any volume has. */
  private static final double MAX_NEED = 1e15;

  private long lastWritten;
  private long lastLook;
  private boolean looked;
  private double writeRate;
  private double flushNeed;
  private double l0Need;

  /**
   * Takes a look.
   *
   * @param load the engine now
   * @param flushedBytes bytes that the flush under way has moved
   * @param l0Amplification bytes that an L0 compaction reads and writes for each byte of level 0
   */
  void look(EngineLoad load, long flushedBytes, double l0Amplification, long now) {
    follow(load.writtenBytes(), now);
    double left = Math.max(0, load.unflushedBytes() - Math.max(0, flushedBytes));
    double room = Math.max(1, load.roomBytes());
    flushNeed = bounded(left * writeRate / room * MARGIN);
    double pressure = Math.max(1, Math.min(load.l0Fill() / CALM_FILL, MAX_PRESSURE));
    l0Need = load.l0Fill() < 1 ? 0 : bounded(writeRate * l0Amplification * pressure);
  }

  private void follow(long written, long now) {
    long elapsed = now - lastLook;
    if (looked && elapsed > 0) {
      double rate = bounded(((double) written - lastWritten) / elapsed * 1e9);
      writeRate += (rate - writeRate) * Math.min(1, elapsed / FOLLOW_NANOS);
    }
    looked = true;
    lastWritten = written;
    lastLook = now;
  }

  /** Also NaN becomes a number. */
  private static double bounded(double need) {
    return need > 0 ? Math.min(need, MAX_NEED) : 0;
  }

  /** Bytes per second that flushes need. */
  double flushNeed() {
    return flushNeed;
  }

  /** Bytes per second, reads and writes, that compactions of level 0 need. */
  double l0Need() {
    return l0Need;
  }
}
