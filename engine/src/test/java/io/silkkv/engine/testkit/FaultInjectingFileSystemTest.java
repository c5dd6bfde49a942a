package io.silkkv.engine.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.WritableFile;
import io.silkkv.engine.testkit.FaultInjectingFileSystem.InjectedFault;
import io.silkkv.engine.testkit.FaultInjectingFileSystem.Operation;
import io.silkkv.engine.testkit.FaultInjectingFileSystem.SimulatedCrash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FaultInjectingFileSystemTest {
  private static final Path HOME = Path.of("/db");
  private static final Path FILE = HOME.resolve("a");

  private final MemFileSystem target = new MemFileSystem();
  private final FaultInjectingFileSystem files = new FaultInjectingFileSystem(target);

  @Test
  void countsOperationsByKind() throws IOException {
    files.createDirectories(HOME);
    try (WritableFile file = files.create(FILE, IoClass.FLUSH)) {
      file.write(ByteBuffer.allocate(3));
      file.write(ByteBuffer.allocate(3));
      file.sync();
    }
    assertThat(files.list(HOME)).containsExactly("a");
    assertThat(files.count(Operation.WRITE)).isEqualTo(2);
    assertThat(files.count(Operation.LIST)).isEqualTo(1);
    assertThat(files.count(Operation.READ)).isZero();
    assertThat(files.mutations()).isEqualTo(5);
  }

  @Test
  void failsTheChosenOperationOnceAndWithoutEffect() throws IOException {
    files.createDirectories(HOME);
    try (WritableFile file = files.create(FILE, IoClass.FLUSH)) {
      files.failAt(Operation.WRITE, 2);
      file.write(ByteBuffer.allocate(3));
      assertThatThrownBy(() -> file.write(ByteBuffer.allocate(3)))
          .isInstanceOf(InjectedFault.class)
          .hasMessageContaining("/db/a");
      file.write(ByteBuffer.allocate(3));
    }
    assertThat(target.size(FILE)).isEqualTo(6);
  }

  @Test
  void failsWhatFitsUntilItIsHealed() throws IOException {
    files.createDirectories(HOME);
    files.failWhen(call -> call.operation() == Operation.CREATE && call.path().endsWith("a"));
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> files.create(FILE, IoClass.FLUSH)).isInstanceOf(InjectedFault.class);
    }
    files.create(HOME.resolve("b"), IoClass.FLUSH).close();
    files.heal();
    files.create(FILE, IoClass.FLUSH).close();
    assertThat(target.list(HOME)).containsExactly("a", "b");
  }

  @Test
  void nothingHappensAfterACrash() throws IOException {
    files.createDirectories(HOME);
    WritableFile file = files.create(FILE, IoClass.FLUSH);
    files.crashAtMutation(2);
    file.write(ByteBuffer.allocate(4));
    assertThat(files.crashed()).isFalse();
    assertThatThrownBy(file::sync).isInstanceOf(SimulatedCrash.class);
    assertThat(files.crashed()).isTrue();
    assertThatThrownBy(() -> file.write(ByteBuffer.allocate(4))).isInstanceOf(SimulatedCrash.class);
    assertThatThrownBy(() -> files.list(HOME)).isInstanceOf(SimulatedCrash.class);
    assertThatThrownBy(() -> files.delete(FILE)).isInstanceOf(SimulatedCrash.class);
    assertThatCode(file::close).doesNotThrowAnyException();
    assertThat(target.size(FILE)).isEqualTo(4);
  }

  @Test
  void aCrashInAWriteLeavesHalfOfItBehind() throws IOException {
    files.createDirectories(HOME);
    WritableFile file = files.create(FILE, IoClass.FLUSH);
    files.crashAtMutation(1);
    assertThatThrownBy(() -> file.write(ByteBuffer.allocate(10)))
        .isInstanceOf(SimulatedCrash.class);
    assertThat(target.size(FILE)).isEqualTo(5);
  }
}
