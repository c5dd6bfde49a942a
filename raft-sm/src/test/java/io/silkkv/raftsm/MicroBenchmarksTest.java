package io.silkkv.raftsm;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.silkkv.engine.testkit.MicroBenchmarks;
import org.junit.jupiter.api.Test;

/** See {@link MicroBenchmarks} for measuring. */
class MicroBenchmarksTest {

  @Test
  void everyBenchmarkRuns() {
    assertThatCode(() -> MicroBenchmarks.run("io.silkkv.raftsm")).doesNotThrowAnyException();
  }
}
