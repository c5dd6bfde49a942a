package io.silkkv.ops.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IoSeriesTest {
  @TempDir private Path dir;

  @Test
  void totalsBecomeBytesPerSecondAndSilentClassesAreLeftOut() {
    assertThat(
            IoSeries.perSecond(
                List.of(
                    new TreeMap<>(Map.of("flush", 10L, "scrub", 5L)),
                    new TreeMap<>(Map.of("flush", 30L, "scrub", 5L)),
                    new TreeMap<>(Map.of("flush", 30L, "scrub", 5L)))))
        .isEqualTo(Map.of("flush", List.of(20.0, 0.0)));
  }

  @Test
  void theOperatingSystemTellsWhatReachedTheDevice() throws IOException {
    Path file = dir.resolve("io");
    Files.writeString(file, "rchar: 1\nread_bytes: 4096\nwrite_bytes: 8192\n");
    assertThat(IoSeries.ofProcess(file)).isEqualTo(Map.of("disk-read", 4096L, "disk-write", 8192L));
    assertThat(IoSeries.ofProcess(dir.resolve("missing"))).isEmpty();
  }
}
