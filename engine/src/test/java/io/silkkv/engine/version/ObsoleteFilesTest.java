package io.silkkv.engine.version;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.api.EngineIoException;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.testkit.MemFileSystem;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ObsoleteFilesTest {
  @Test
  void fileIsDeletedAlthoughClosingItFails() throws IOException {
    MemFileSystem files = new MemFileSystem();
    Path file = Path.of("/data/000001.sst");
    files.createDirectories(Path.of("/data"));
    files.create(file, IoClass.FLUSH).close();
    ObsoleteFiles obsolete = new ObsoleteFiles(files, () -> {});
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
}
