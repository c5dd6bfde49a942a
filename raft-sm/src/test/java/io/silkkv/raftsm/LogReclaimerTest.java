package io.silkkv.raftsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.WritableFile;
import io.silkkv.engine.testkit.MemFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogReclaimerTest {
  private static final Path LOG = Path.of("/data/raft/group/current");
  private static final Path GARBAGE = Path.of("/data/shards/7/purged-log");

  private final MemFileSystem files = new MemFileSystem();
  private final LogReclaimer reclaimer = new LogReclaimer(files, LOG, GARBAGE);

  @BeforeEach
  void aLogOfFourSegments() throws IOException {
    files.createDirectories(LOG);
    for (String name : new String[] {"log_0-9", "log_10-19", "log_20-29", "log_inprogress_30"}) {
      try (WritableFile file = files.create(LOG.resolve(name), IoClass.LOG)) {
        file.write(ByteBuffer.wrap(new byte[100]));
      }
    }
  }

  private void tick() {
    reclaimer.tick(Runnable::run);
  }

  @Test
  void segmentsUpToTheIndexGetASecondNameAndNoOthers() throws IOException {
    reclaimer.keepUntilPurged(19);
    assertThat(files.list(GARBAGE)).containsExactly("log_0-9", "log_10-19");
    reclaimer.keepUntilPurged(28);
    assertThat(files.list(GARBAGE)).containsExactly("log_0-9", "log_10-19");
    reclaimer.keepUntilPurged(29);
    assertThat(files.list(GARBAGE)).containsExactly("log_0-9", "log_10-19", "log_20-29");
  }

  @Test
  void aSegmentIsFreedOnceItIsPurgedAndOneAtATime() throws IOException {
    reclaimer.keepUntilPurged(19);
    tick();
    assertThat(files.list(GARBAGE)).hasSize(2);

    files.delete(LOG.resolve("log_10-19"));
    files.delete(LOG.resolve("log_0-9"));
    tick();
    assertThat(files.list(GARBAGE)).hasSize(1);
    tick();
    assertThat(files.list(GARBAGE)).isEmpty();
    assertThat(files.list(LOG)).containsExactly("log_20-29", "log_inprogress_30");
  }

  @Test
  void whatACrashLeftIsFreedAfterTheNextStart() throws IOException {
    reclaimer.keepUntilPurged(9);
    files.delete(LOG.resolve("log_0-9"));

    new LogReclaimer(files, LOG, GARBAGE).tick(Runnable::run);

    assertThat(files.list(GARBAGE)).isEmpty();
  }

  @Test
  void aLogThatWasNeverPurgedNeedsNoDirectory() throws IOException {
    tick();
    assertThat(files.exists(GARBAGE)).isFalse();
  }
}
