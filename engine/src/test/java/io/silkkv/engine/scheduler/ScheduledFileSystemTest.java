package io.silkkv.engine.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.api.IoFigures;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import io.silkkv.engine.io.WritableFile;
import io.silkkv.engine.testkit.MemFileSystem;
import java.io.EOFException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ScheduledFileSystemTest {
  private static final Path FILE = Path.of("/data/file");
  private static final int BYTES = 300_000;

  private final byte[] content = new byte[BYTES];
  private final IoScheduler scheduler =
      IoScheduler.fixed(
          "fixed", 1L << 40, new MemFileSystem(), System::nanoTime, new SplittableRandom(1));
  private final FileSystem files = scheduler.files();

  ScheduledFileSystemTest() throws Exception {
    files.createDirectories(FILE.getParent());
    new SplittableRandom(2).nextBytes(content);
  }

  private IoFigures.Requests figures(IoClass why) {
    return scheduler.figures().requests().stream()
        .filter(requests -> requests.why() == why)
        .findFirst()
        .orElseThrow();
  }

  private void write(IoClass why) throws Exception {
    try (WritableFile file = files.create(FILE, why)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      file.write(bytes);
      assertThat(bytes.hasRemaining()).isFalse();
      assertThat(file.size()).isEqualTo(BYTES);
      file.sync();
    }
  }

  @Test
  void internalWritesAskForTokensInPieces() throws Exception {
    write(IoClass.DEEP);
    assertThat(figures(IoClass.DEEP).requests()).isEqualTo(3);
    assertThat(figures(IoClass.DEEP).bytes()).isEqualTo(BYTES);
    assertThat(files.size(FILE)).isEqualTo(BYTES);
  }

  @Test
  void othersPass() throws Exception {
    write(IoClass.LOG);
    assertThat(scheduler.figures().requests())
        .allSatisfy(requests -> assertThat(requests.requests()).isZero());
  }

  @Test
  void internalReadsAskForTokensWhereThePolicyLimitsThem() throws Exception {
    write(IoClass.LOG);
    PriorityLedger ledger = new PriorityLedger(true, 0);
    ledger.setRate(1L << 40, 0);
    IoLimiter<PriorityLedger> limiter = new IoLimiter<>(ledger, System::nanoTime, Long.MAX_VALUE);
    IoScheduler limiting = IoScheduler.of("test", files, limiter, System::nanoTime);
    try (ReadableFile file = limiting.files().open(FILE)) {
      ByteBuffer target = ByteBuffer.allocate(200_000);
      file.read(50_000, target, IoClass.L0);
      assertThat(target.array()).isEqualTo(Arrays.copyOfRange(content, 50_000, 250_000));
      file.read(0, ByteBuffer.allocate(1_000), IoClass.CLIENT_READ);
      assertThatThrownBy(() -> file.read(BYTES - 10, ByteBuffer.allocate(20), IoClass.L0))
          .isInstanceOf(EOFException.class);
    }
    assertThat(limiter.figures())
        .filteredOn(requests -> requests.requests() > 0)
        .singleElement()
        .satisfies(
            requests -> {
              assertThat(requests.why()).isEqualTo(IoClass.L0);
              assertThat(requests.bytes()).isEqualTo(200_020);
              assertThat(requests.requests()).isEqualTo(3);
            });
  }

  /** A default that is not forwarded would quietly switch off what the files below can do. */
  @Test
  void everyOperationIsForwarded() {
    for (Method method : FileSystem.class.getMethods()) {
      assertThat(ScheduledFileSystem.class.getDeclaredMethods())
          .anyMatch(
              own ->
                  own.getName().equals(method.getName())
                      && Arrays.equals(own.getParameterTypes(), method.getParameterTypes()));
    }
  }
}
