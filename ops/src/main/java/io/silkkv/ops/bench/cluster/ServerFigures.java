package io.silkkv.ops.bench.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What server processes have used so far, all together.
 *
 * @param cpuSeconds NaN when a process is gone or the operating system does not tell
 * @param peakRssBytes sum of the most that each had resident; -1 when unknown
 */
record ServerFigures(double cpuSeconds, long peakRssBytes) {

  /** What was used since an earlier look; the memory is that of now. */
  ServerFigures since(ServerFigures earlier) {
    return new ServerFigures(cpuSeconds - earlier.cpuSeconds, peakRssBytes);
  }

  static ServerFigures read(List<Long> pids) throws IOException {
    double cpu = 0;
    long peak = 0;
    for (long pid : pids) {
      cpu +=
          ProcessHandle.of(pid)
              .flatMap(process -> process.info().totalCpuDuration())
              .map(Duration::toNanos)
              .map(nanos -> nanos / 1e9)
              .orElse(Double.NaN);
      long own = peakRss(Path.of("/proc", String.valueOf(pid), "status"));
      peak = own < 0 || peak < 0 ? -1 : peak + own;
    }
    return new ServerFigures(cpu, peak);
  }

  private static long peakRss(Path status) throws IOException {
    if (!Files.exists(status)) {
      return -1;
    }
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
      }
    }
    return -1;
  }
}
