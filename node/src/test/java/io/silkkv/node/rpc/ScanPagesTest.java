package io.silkkv.node.rpc;

import static io.silkkv.node.rpc.Requests.scan;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.silkkv.engine.api.ReadView;
import io.silkkv.node.shard.MemoryEngine;
import io.silkkv.router.NodeInfo;
import io.silkkv.router.Shard;
import io.silkkv.router.ShardMap;
import io.silkkv.v1.ScanPage;
import io.silkkv.v1.ScanRequest;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScanPagesTest {
  private final MemoryEngine engine = new MemoryEngine();
  private final AtomicLong clock = new AtomicLong();
  private final ScanPages pages = new ScanPages(TestCluster.options(), clock::get);
  private final Shard shard =
      ShardMap.initial(new UUID(1, 2), List.of(new NodeInfo("n1", "h:1", "", "")), List.of())
          .shards()
          .get(0);

  @BeforeEach
  void fill() {
    for (int i = 0; i < 40_000; i++) {
      engine.put("k" + (100_000 + i), "v".repeat(60));
    }
  }

  @Test
  void aPageHasTheDefaultSizeWhenTheCallerDoesNotSay() {
    ScanPage page = read(scan("", ""));

    assertThat(page.getMore()).isTrue();
    assertThat(bytesOf(page)).isBetween(256L << 10, (256L << 10) + 100);
  }

  @Test
  void aCallerMayAskForLessAndForNotTooMuchMore() {
    assertThat(bytesOf(read(scan("", "").toBuilder().setPageBytes(1000).build())))
        .isBetween(1000L, 1100L);
    ScanPage greedy = read(scan("", "").toBuilder().setPageBytes(-1).build());
    assertThat(greedy.getEntriesCount()).isEqualTo(8192);
  }

  @Test
  void aPageHasABoundedNumberOfEntries() {
    ScanPage page = read(scan("", "").toBuilder().setKeysOnly(true).setPageBytes(1 << 20).build());

    assertThat(page.getEntriesCount()).isEqualTo(8192);
    assertThat(page.getResumeKey()).isEqualTo(ByteString.copyFromUtf8("k108192"));
  }

  @Test
  void aPageThatTakesTooLongIsSentAsItIs() {
    ScanPages slow = new ScanPages(TestCluster.options(), () -> clock.addAndGet(5_000_000));
    try (ReadView view = engine.view()) {
      ScanPage page = slow.read(view, scan("", ""), shard);

      assertThat(page.getEntriesCount()).isBetween(1, 5);
      assertThat(page.getMore()).isTrue();
    }
  }

  @Test
  void anEntryLargerThanAPageIsAPage() {
    engine.put("a", "x".repeat(2 << 20));

    ScanPage page = read(scan("", ""));

    assertThat(page.getEntriesCount()).isEqualTo(1);
    assertThat(page.getResumeKey()).isEqualTo(ByteString.copyFromUtf8("k100000"));
  }

  @Test
  void anUnsignedLimitIsNotTakenForNegative() {
    ScanPage page = read(scan("k139990", "").toBuilder().setLimit(-1).build());

    assertThat(page.getEntriesCount()).isEqualTo(10);
    assertThat(page.getMore()).isFalse();
  }

  private ScanPage read(ScanRequest request) {
    try (ReadView view = engine.view()) {
      return pages.read(view, request, shard);
    }
  }

  private static long bytesOf(ScanPage page) {
    return page.getEntriesList().stream()
        .mapToLong(entry -> entry.getKey().size() + entry.getValue().size())
        .sum();
  }
}
