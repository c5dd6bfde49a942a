package io.silkkv.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.silkkv.engine.api.IoFigures;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.IoCounters;
import io.silkkv.engine.io.IoCounters.Direction;
import io.silkkv.engine.io.LocalFileSystem;
import io.silkkv.engine.testkit.Seeded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What the engine says that it moves is what the kernel sees. */
class EngineIoAccountingTest {
  private static final Path KERNEL = Path.of("/proc/self/io");

  @RegisterExtension final Seeded seeded = new Seeded();
  @TempDir Path directory;

  private final IoCounters counters = new IoCounters();

  /** Bytes of all reads or writes of this process. */
  private static long kernel(String name) throws IOException {
    return Files.readAllLines(KERNEL).stream()
        .filter(line -> line.startsWith(name + ":"))
        .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1).trim()))
        .findFirst()
        .orElseThrow();
  }

  private long counted(Direction direction) {
    long sum = 0;
    for (IoClass why : IoClass.values()) {
      sum += counters.bytes(why, direction);
    }
    return sum;
  }

  @Test
  @Timeout(300)
  void countersAgreeWithTheKernelAndEveryInternalByteHadAToken() throws IOException {
    assumeThat(KERNEL).exists();
    EngineOptions options =
        EngineOptions.DEFAULTS.toBuilder()
            .memtableBytes(2 << 20)
            .targetFileBytes(1 << 20)
            .levelBaseBytes(4 << 20)
            .build();
    IoFigures figures;
    long read = kernel("rchar");
    long written = kernel("wchar");
    try (EngineResources resources =
        EngineResources.create(
            new LocalFileSystem(counters),
            counters,
            new EngineResources.Options(16 << 20, 1 << 20, IoPolicy.silk(2_000_000_000)),
            System::nanoTime,
            seeded.seed())) {
      try (StorageEngine engine =
          LsmEngine.open(
              directory.resolve("engine"), options, resources, new EngineFixture.Told())) {
        load(engine);
      }
      figures = resources.io();
    }
    read = kernel("rchar") - read;
    written = kernel("wchar") - written;
    assertThat(counted(Direction.WRITE)).as("all is flushed at least").isGreaterThan(15 << 20);
    assertThat((double) counted(Direction.WRITE) / written).as("writes").isBetween(0.9, 1.1);
    assertThat((double) counted(Direction.READ) / read).as("reads").isBetween(0.9, 1.1);
    for (IoFigures.Requests requests : figures.requests()) {
      long moved = counters.bytes(requests.why(), Direction.WRITE);
      // A flush reads the footer of its own table only.
      moved += requests.why() == IoClass.FLUSH ? 0 : counters.bytes(requests.why(), Direction.READ);
      // Jobs that the end has stopped move a little without.
      assertThat((double) requests.bytes())
          .as("tokens of %s", requests.why())
          .isGreaterThanOrEqualTo(moved * 0.95 - (1 << 20));
    }
  }

  private void load(StorageEngine engine) {
    byte[] value = new byte[1 << 10];
    for (int i = 0; i < 20_000; i++) {
      seeded.random().nextBytes(value);
      LogPosition last = engine.applied();
      engine.write(
          new WriteBatch()
              .put(Slice.utf8("key" + seeded.random().nextInt(10_000)), Slice.wrap(value.clone())),
          new LogPosition(1, last.index() + 1, last.sequence() + 1));
      if (engine.wantsRotation()) {
        engine.rotate(new byte[0]).join();
      }
    }
    engine.rotate(new byte[0]).join();
  }
}
