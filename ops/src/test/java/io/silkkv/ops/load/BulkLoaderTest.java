package io.silkkv.ops.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class BulkLoaderTest {
  private static final BulkLoader.Options STOP = new BulkLoader.Options(8, 1 << 20, false);
  private static final BulkLoader.Options SKIP = new BulkLoader.Options(8, 1 << 20, true);

  private final Map<String, String> store = new ConcurrentSkipListMap<>();
  private final List<Long> skippedLines = new ArrayList<>();

  private CompletableFuture<Void> putAtOnce(byte[] key, byte[] value) {
    String text = new String(key, StandardCharsets.UTF_8);
    if (text.equals("huge")) {
      return CompletableFuture.failedFuture(new RefusedRecordException("key is too large"));
    }
    if (text.equals("dead")) {
      return CompletableFuture.failedFuture(new IllegalStateException("no node answers"));
    }
    store.put(text, new String(value, StandardCharsets.UTF_8));
    return CompletableFuture.completedFuture(null);
  }

  private BulkLoader loader(String text, RecordSink sink, BulkLoader.Options options) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new BulkLoader(
        new LoadReader(new ByteArrayInputStream(bytes), LoadFormat.TSV, 0, 0),
        sink,
        options,
        BulkLoader.Totals.NONE,
        bad -> skippedLines.add(bad.number()));
  }

  @Test
  void everythingIsStoredAndCounted() throws Exception {
    BulkLoader.Totals totals = loader("a\t1\nb\t2\na\t3\n", this::putAtOnce, STOP).run();
    assertThat(store).containsExactly(Map.entry("a", "3"), Map.entry("b", "2"));
    assertThat(totals).isEqualTo(new BulkLoader.Totals(12, 3, 3, 0));
  }

  @Test
  void anUnreadableLineStopsTheLoadAndIsNamed() {
    BulkLoader loader = loader("a\t1\nbad\nc\t3\n", this::putAtOnce, STOP);
    assertThatThrownBy(loader::run)
        .isInstanceOfSatisfying(
            OpsException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.BAD_INPUT))
        .hasMessageStartingWith("line 2: no TAB between key and value")
        .hasMessageContaining("--on-error skip");
    assertThat(loader.acknowledged()).isEqualTo(new BulkLoader.Totals(4, 1, 1, 0));
    assertThat(store).doesNotContainKey("c");
  }

  @Test
  void unreadableAndRefusedLinesArePassedOverWhenAsked() throws Exception {
    BulkLoader.Totals totals = loader("a\t1\nbad\nhuge\tx\nc\t3\n", this::putAtOnce, SKIP).run();
    assertThat(totals).isEqualTo(new BulkLoader.Totals(19, 4, 2, 2));
    assertThat(skippedLines).containsExactly(2L, 3L);
  }

  @Test
  void aRefusedRecordStopsTheLoadLikeAnUnreadableLine() {
    assertThatThrownBy(loader("huge\tx\n", this::putAtOnce, STOP)::run)
        .hasMessageStartingWith("line 1: key is too large");
  }

  @Test
  void aClusterThatGivesUpStopsTheLoadAtTheLastAcknowledgedLine() {
    BulkLoader loader = loader("a\t1\ndead\t2\nc\t3\n", this::putAtOnce, SKIP);
    assertThatThrownBy(loader::run)
        .isInstanceOfSatisfying(
            OpsException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.UNAVAILABLE))
        .hasMessageContaining("line 2 was not acknowledged: no node answers");
    assertThat(loader.acknowledged()).isEqualTo(new BulkLoader.Totals(4, 1, 1, 0));
  }

  @Test
  void acknowledgementsOutOfOrderCountOnlyUpToTheFirstGap() throws Exception {
    List<CompletableFuture<Void>> puts = new ArrayList<>();
    RecordSink sink =
        (key, value) -> {
          CompletableFuture<Void> put = new CompletableFuture<>();
          synchronized (puts) {
            puts.add(put);
          }
          return put;
        };
    BulkLoader loader = loader("a\t1\nb\t2\nc\t3\n", sink, STOP);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      var run = thread.submit(loader::run);
      Awaitility.await()
          .until(
              () -> {
                synchronized (puts) {
                  return puts.size() == 3;
                }
              });
      puts.get(1).complete(null);
      assertThat(loader.acknowledged().lines()).isZero();
      puts.get(0).complete(null);
      assertThat(loader.acknowledged()).isEqualTo(new BulkLoader.Totals(8, 2, 2, 0));
      puts.get(2).complete(null);
      assertThat(run.get(10, TimeUnit.SECONDS).loaded()).isEqualTo(3);
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void linesWithTheSameKeyAreNeverInFlightTogetherAndNoMoreThanTheLimit() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(4);
    Map<String, AtomicInteger> perKey = new ConcurrentSkipListMap<>();
    AtomicInteger all = new AtomicInteger();
    AtomicInteger worst = new AtomicInteger();
    RecordSink sink =
        (key, value) -> {
          String text = new String(key, StandardCharsets.UTF_8);
          AtomicInteger mine = perKey.computeIfAbsent(text, k -> new AtomicInteger());
          assertThat(mine.incrementAndGet()).isEqualTo(1);
          worst.accumulateAndGet(all.incrementAndGet(), Math::max);
          return CompletableFuture.runAsync(
              () -> {
                store.put(text, new String(value, StandardCharsets.UTF_8));
                mine.decrementAndGet();
                all.decrementAndGet();
              },
              pool);
        };
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 5_000; i++) {
      text.append('k').append(i % 20).append('\t').append(i).append('\n');
    }
    try {
      BulkLoader.Totals totals = loader(text.toString(), sink, STOP).run();
      assertThat(totals.loaded()).isEqualTo(5_000);
    } finally {
      pool.shutdownNow();
    }
    assertThat(worst.get()).isBetween(1, 8);
    for (int i = 0; i < 20; i++) {
      assertThat(store).containsEntry("k" + i, String.valueOf(4_980 + i));
    }
  }
}
