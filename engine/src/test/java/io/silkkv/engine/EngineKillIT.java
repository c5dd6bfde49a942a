package io.silkkv.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.testkit.Seeded;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A writing process is killed again and again, without warning; each start finds the state at the
 * flushed position, which is never before one that was confirmed.
 *
 * <p>{@code -Dsilkkv.kills=N} kills more often than a usual build does.
 */
class EngineKillIT {
  @RegisterExtension final Seeded seeded = new Seeded();

  @TempDir private Path directory;

  @Test
  void engineHoldsWhatWasFlushedAfterEachKill() throws IOException, InterruptedException {
    int kills = Integer.getInteger("silkkv.kills", 4);
    long confirmed = -1;
    for (int kill = 0; kill < kills; kill++) {
      Process writer =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx64m",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  KilledWriter.class.getName(),
                  directory.resolve("engine").toString(),
                  Long.toString(seeded.seed()))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(writer.getInputStream(), StandardCharsets.UTF_8))) {
        long found = number(lines.readLine(), "verified ");
        assertThat(found).isGreaterThanOrEqualTo(confirmed);
        confirmed = found;
        int flushes = seeded.random().nextInt(20);
        for (int i = 0; i < flushes; i++) {
          confirmed = number(lines.readLine(), "flushed ");
        }
      } finally {
        writer.destroyForcibly().waitFor();
      }
    }
    assertThat(confirmed).isPositive();
  }

  private static long number(String line, String prefix) {
    assertThat(line).startsWith(prefix);
    return Long.parseLong(line.substring(prefix.length()));
  }
}
