package io.silkkv.ops.bench.load;

import io.silkkv.ops.bench.load.figures.SecondFigures;
import java.util.List;

/**
 * The state of a run, told about once a second.
 *
 * @param elapsedSeconds since the start of the run
 * @param sent operations sent so far
 * @param answered operations answered so far, errors included
 * @param errors of these, the ones that failed
 * @param behindSeconds how long the next operation has been due already; 0 when the run keeps up
 * @param seconds figures that became final since the last time
 */
public record Progress(
    double elapsedSeconds,
    long sent,
    long answered,
    long errors,
    double behindSeconds,
    List<SecondFigures> seconds) {

  /** Is told; called by the thread that runs the load. */
  @FunctionalInterface
  public interface Listener {
    void progress(Progress progress);

    /** Does not listen. */
    static Listener none() {
      return progress -> {};
    }
  }
}
