package io.silkkv.engine.version;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.api.EngineIoException;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.testkit.MemFileSystem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ObsoleteFilesTest {
  @Test
  void fileIsDeletedAlthoughClosingItFails() throws IOException {
    MemFileSystem files = new MemFileSystem();
    Path file = Path.of("/data/000001.sst");
    files.createDirectories(Path.of("/data"));
    files.create(file, IoClass.FLUSH).close();
    ObsoleteFiles obsolete = new ObsoleteFiles(files, () -> 0, 1000, () -> {});
    obsolete.leftCurrent(10);
    obsolete.add(
        file,
        10,
        () -> {
          throw new EngineIoException("close " + file, new IOException("no"));
        });
    obsolete.deletePending();
    assertThat(files.exists(file)).isFalse();
    assertThat(obsolete.bytes()).isZero();
  }

  /** cockroachdb/pebble#129: latency spikes when many files are removed at once. */
  @Test
  void manyFilesGoAtAPaceThatGrowsWithWhatIsLeft() throws IOException {
    MemFileSystem files = new MemFileSystem();
    AtomicLong now = new AtomicLong(5);
    AtomicInteger wanted = new AtomicInteger();
    ObsoleteFiles obsolete = new ObsoleteFiles(files, now::get, 100, wanted::incrementAndGet);
    Path directory = Path.of("/data");
    files.createDirectories(directory);
    for (int i = 0; i < 20; i++) {
      Path file = directory.resolve(i + ".sst");
      files.create(file, IoClass.FLUSH).close();
      obsolete.leftCurrent(50);
      obsolete.add(file, 50, () -> {});
    }
    obsolete.deletePending();
    assertThat(files.list(directory)).as("one second's worth at once").hasSize(18);
    obsolete.deletePending();
    assertThat(files.list(directory)).hasSize(18);
    int asked = wanted.get();
    for (int second = 1; second <= 9; second++) {
      now.addAndGet(1_000_000_000);
      obsolete.resume();
      obsolete.deletePending();
      assertThat(files.list(directory)).hasSize(18 - 2 * second);
    }
    obsolete.resume();
    assertThat(wanted.get()).as("asked while files are left").isEqualTo(asked + 9);
    for (int i = 0; i < 100; i++) {
      Path file = directory.resolve(i + ".sst");
      files.create(file, IoClass.FLUSH).close();
      obsolete.add(file, 1000, () -> {});
    }
    for (int second = 1; second <= 200; second++) {
      now.addAndGet(1_000_000_000);
      obsolete.deletePending();
    }
    assertThat(files.list(directory)).as("1000 seconds at the pace of few files").isEmpty();
  }
}
