package io.silkkv.ops.bench.load;

import com.sun.management.OperatingSystemMXBean;
import io.silkkv.ops.bench.load.figures.ProcessFigures;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Watches what this process uses from {@link #start} to {@link #stop}. Pauses come from the JVM's
 * flight recorder, which here records nothing but them. For one thread.
 */
public final class ProcessWatch implements AutoCloseable {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String GC_PAUSE = "jdk.GCPhasePause";
  private static final String SAFEPOINT_BEGIN = "jdk.SafepointBegin";
  private static final String SAFEPOINT_END = "jdk.SafepointEnd";

  private final OperatingSystemMXBean system;
  private final Recording recording;
  private final long cpuNanosBefore;

  private ProcessWatch(OperatingSystemMXBean system, Recording recording) {
    this.system = system;
    this.recording = recording;
    recording.start();
    this.cpuNanosBefore = system.getProcessCpuTime();
  }

  public static ProcessWatch start() {
    Recording recording = new Recording();
    recording.enable(GC_PAUSE).withoutStackTrace().withThreshold(Duration.ZERO);
    recording.enable(SAFEPOINT_BEGIN).withoutStackTrace().withThreshold(Duration.ZERO);
    recording.enable(SAFEPOINT_END).withoutStackTrace().withThreshold(Duration.ZERO);
    return new ProcessWatch(
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class), recording);
  }

  /** The figures since the start. To be called once. */
  public ProcessFigures stop() throws IOException {
    double cpuSeconds = (system.getProcessCpuTime() - cpuNanosBefore) / 1e9;
    recording.stop();
    Path file = Files.createTempFile("silkkv-pauses-", ".jfr");
    try {
      recording.dump(file);
      return figures(cpuSeconds, file);
    } finally {
      Files.delete(file);
    }
  }

  private static ProcessFigures figures(double cpuSeconds, Path file) throws IOException {
    long gcPause = 0;
    long safepoint = 0;
    Map<Long, Instant> begins = new HashMap<>();
    Map<Long, Instant> ends = new HashMap<>();
    try (RecordingFile events = new RecordingFile(file)) {
      while (events.hasMoreEvents()) {
        RecordedEvent event = events.readEvent();
        switch (event.getEventType().getName()) {
          case GC_PAUSE -> gcPause = Math.max(gcPause, event.getDuration().toNanos());
          case SAFEPOINT_BEGIN -> begins.put(event.getLong("safepointId"), event.getStartTime());
          case SAFEPOINT_END -> ends.put(event.getLong("safepointId"), event.getEndTime());
          default -> {}
        }
      }
    }
    for (Map.Entry<Long, Instant> begin : begins.entrySet()) {
      Instant end = ends.get(begin.getKey());
      if (end != null) {
        safepoint = Math.max(safepoint, Duration.between(begin.getValue(), end).toNanos());
      }
    }
    return new ProcessFigures(cpuSeconds, peakRssBytes(STATUS), gcPause, safepoint);
  }

  /** -1 where the system has no such file or no such line. */
  static long peakRssBytes(Path status) throws IOException {
    if (!Files.isReadable(status)) {
      return -1;
    }
    for (String line : Files.readAllLines(status, StandardCharsets.UTF_8)) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
      }
    }
    return -1;
  }

  @Override
  public void close() {
    recording.close();
  }
}
