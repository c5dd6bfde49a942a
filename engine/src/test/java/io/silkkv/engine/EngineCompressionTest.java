package io.silkkv.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.api.Compression;
import io.silkkv.engine.api.EngineStats;
import io.silkkv.engine.testkit.MemFileSystem;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tables are compressed as their place in the tree asks for. */
final class EngineCompressionTest {
  private static final String VALUE = "compressible ".repeat(8);

  /** Ascending keys never overlap, so nothing but compression makes a merge rewrite them. */
  private static long[] bytesByLevel(TierCompression compression) {
    EngineOptions options = EngineFixture.TINY.toBuilder().compression(compression).build();
    try (EngineFixture engine = new EngineFixture(new MemFileSystem(), options)) {
      for (int i = 0; i < 2000; i++) {
        engine.put("key" + (100_000 + i), VALUE + i);
        if (engine.engine.wantsRotation()) {
          engine.rotate("");
        }
      }
      engine.rotate("");
      assertThat(engine.get("key100000")).isEqualTo(VALUE + 0);
      assertThat(engine.get("key101999")).isEqualTo(VALUE + 1999);
      return engine.engine.stats().levels().stream().mapToLong(EngineStats.Level::bytes).toArray();
    }
  }

  private static long sum(long[] bytes) {
    return java.util.Arrays.stream(bytes).sum();
  }

  @Test
  void theLastLevelIsCompressedAlsoWhenNothingIsMerged() {
    long raw = sum(bytesByLevel(TierCompression.all(Compression.NONE)));
    long last =
        sum(
            bytesByLevel(
                new TierCompression(Compression.NONE, Compression.NONE, Compression.ZSTD)));

    assertThat(raw).isGreaterThan(2000L * VALUE.length());
    assertThat(last).isLessThan(raw * 2 / 3);
  }

  @Test
  void spaceAmplificationComparesTheDiskWithTheDeepestLevel() {
    EngineStats stats =
        new EngineStats(
            List.of(level(0, 100, 150), level(1, 0, 0), level(2, 700, 1000)),
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            200,
            1,
            0,
            0,
            0);
    assertThat(stats.spaceAmplification()).isEqualTo(1.0);
    EngineStats empty = new EngineStats(List.of(), 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0);
    assertThat(empty.spaceAmplification()).isNaN();
  }

  private static EngineStats.Level level(int level, long bytes, long rawBytes) {
    return new EngineStats.Level(level, 1, bytes, 0, 10, 0, rawBytes);
  }

  @Test
  void flushesAreCompressedWhenTheUpperTierSaysSo() {
    EngineOptions.Builder options = EngineFixture.TINY.toBuilder();
    long[] flushed = new long[2];
    for (int i = 0; i < 2; i++) {
      options.compression(TierCompression.all(i == 0 ? Compression.NONE : Compression.LZ4));
      try (EngineFixture engine = new EngineFixture(new MemFileSystem(), options.build())) {
        for (int key = 0; key < 50; key++) {
          engine.put("key" + key, VALUE);
        }
        engine.rotate("");
        flushed[i] = engine.engine.stats().levels().get(0).bytes();
      }
    }

    assertThat(flushed[1]).isPositive().isLessThan(flushed[0] / 2);
  }
}
