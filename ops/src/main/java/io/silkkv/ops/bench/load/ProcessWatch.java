package io.silkkv.ops.bench.load;

import io.silkkv.ops.bench.load.figures.ProcessFigures;

/** Watches what this process uses between {@link #start} and {@link #stop}. */
public final class ProcessWatch {
  private ProcessWatch() {}

  public static ProcessWatch start() {
    return new ProcessWatch();
  }

  public ProcessFigures stop() {
    throw new UnsupportedOperationException();
  }
}
