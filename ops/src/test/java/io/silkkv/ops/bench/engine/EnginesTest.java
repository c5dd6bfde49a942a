package io.silkkv.ops.bench.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every registered system must do. */
class EnginesTest {
  private static final int MEMTABLE_BYTES = 4 << 20;
  private static final int VALUE_BYTES = 16 << 10;

  @TempDir private Path dir;

  static Set<String> systems() {
    return EngineSystems.names();
  }

  private MeasuredEngine open(String system) throws Exception {
    return EngineSystems.open(
        system,
        Files.createDirectories(dir.resolve("data")),
        new EngineSettings(
            MEMTABLE_BYTES, 2, 4 << 20, 3, false, 0, TableCompression.NONE, 100_000_000),
        new EngineSystems.Context(System::nanoTime, 1, 100_000_000));
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(8).putLong(number).array();
  }

  @ParameterizedTest
  @MethodSource("systems")
  void whatIsPutIsFoundAndWhatIsDeletedIsNot(String system) throws Exception {
    try (MeasuredEngine engine = open(system)) {
      for (int i = 0; i < 10; i++) {
        engine.put(key(i), ("v" + i).getBytes(UTF_8));
      }
      engine.delete(key(4));
      assertThat(engine.get(key(3))).isEqualTo("v3".getBytes(UTF_8));
      assertThat(engine.get(key(4))).isNull();
      List<String> found = new ArrayList<>();
      int count = engine.scan(key(2), 4, (key, value) -> found.add(new String(value, UTF_8)));
      assertThat(count).isEqualTo(4);
      assertThat(found).containsExactly("v2", "v3", "v5", "v6");
    }
  }

  @ParameterizedTest
  @MethodSource("systems")
  void manyWritersFillManyMemtablesAndTheTreeSettles(String system) throws Exception {
    int writers = 4;
    int each = 5 * MEMTABLE_BYTES / VALUE_BYTES / writers;
    try (MeasuredEngine engine = open(system)) {
      ExecutorService pool = Executors.newFixedThreadPool(writers);
      List<Future<?>> ends = new ArrayList<>();
      for (int writer = 0; writer < writers; writer++) {
        int first = writer * each;
        ends.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < each; i++) {
                    engine.put(key(first + i), new byte[VALUE_BYTES]);
                  }
                  return null;
                }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
      pool.shutdown();
      Awaitility.await().until(() -> engine.isSettled() && engine.debtBytes() == 0);
      assertThat(engine.counters().writtenBytes()).isGreaterThan(2 * MEMTABLE_BYTES);
      for (int i = 0; i < writers * each; i++) {
        assertThat(engine.get(key(i))).hasSize(VALUE_BYTES);
      }
      assertThat(engine.counters().clientReadBytes()).isPositive();
      assertThat(EngineRun.bytesOf(dir)).isGreaterThan(2 * MEMTABLE_BYTES);
    }
  }

  @ParameterizedTest
  @MethodSource("systems")
  void theEffectiveOptionsNameTheMemory(String system) throws Exception {
    try (MeasuredEngine engine = open(system)) {
      assertThat(engine.effectiveOptions()).containsEntry("block_cache", "4194304");
      assertThat(engine.effectiveOptions().values()).contains("4194304", "2");
    }
  }
}
