package io.silkkv.ops.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.ops.bench.load.figures.ProcessFigures;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessWatchTest {
  @TempDir Path directory;

  @Test
  void aCollectionShowsAsAPauseOfTheCollectorAndOfAllThreads() throws Exception {
    try (ProcessWatch watch = ProcessWatch.start()) {
      System.gc();
      ProcessFigures figures = watch.stop();
      assertThat(figures.gcPauseMaxNanos()).isPositive();
      assertThat(figures.safepointMaxNanos()).isPositive();
      assertThat(figures.cpuSeconds()).isPositive();
    }
  }

  @Test
  void thePeakOfTheMemoryIsReadFromTheStatus() throws Exception {
    Path status = directory.resolve("status");
    Files.writeString(status, "Name:\tjava\nVmPeak:\t 9 kB\nVmHWM:\t  123456 kB\nVmRSS:\t 1 kB\n");
    assertThat(ProcessWatch.peakRssBytes(status)).isEqualTo(123_456L * 1024);
    assertThat(ProcessWatch.peakRssBytes(directory.resolve("none"))).isEqualTo(-1);
    Files.writeString(status, "Name:\tjava\n");
    assertThat(ProcessWatch.peakRssBytes(status)).isEqualTo(-1);
  }
}
