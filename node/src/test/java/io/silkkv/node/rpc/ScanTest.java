package io.silkkv.node.rpc;

import static io.silkkv.node.rpc.Requests.bytes;
import static io.silkkv.node.rpc.Requests.errorOf;
import static io.silkkv.node.rpc.Requests.header;
import static io.silkkv.node.rpc.Requests.scan;
import static io.silkkv.node.rpc.Requests.scanCall;
import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.v1.Entry;
import io.silkkv.v1.Epoch;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.Reason;
import io.silkkv.v1.RequestHeader;
import io.silkkv.v1.ScanPage;
import io.silkkv.v1.ScanRequest;
import io.silkkv.v1.StreamReply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keys a00..a19 in shard 2 (led by n1), z00..z19 in shard 3 (led by n2). */
class ScanTest {
  private TestCluster cluster;
  private final List<String> keys = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    cluster = TestCluster.of(2);
    for (int i = 0; i < 20; i++) {
      String number = (i < 10 ? "0" : "") + i;
      cluster.shard(2).engine.put("a" + number, "low" + i);
      cluster.shard(3).engine.put("z" + number, "high" + i);
      keys.add("a" + number);
    }
    for (int i = 0; i < 20; i++) {
      keys.add("z" + keys.get(i).substring(1));
    }
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void aScanCrossesShardsAndNodesInOrder() {
    for (int node = 1; node <= 2; node++) {
      assertThat(scanAll(node, scan("", ""))).isEqualTo(keys);
    }
  }

  @Test
  void aReverseScanCrossesShardsTheOtherWay() {
    List<String> expected = new ArrayList<>(keys);
    Collections.reverse(expected);

    for (int node = 1; node <= 2; node++) {
      assertThat(scanAll(node, scan("", "").toBuilder().setReverse(true).build()))
          .isEqualTo(expected);
    }
  }

  @Test
  void theStartIsInclusiveAndTheEndExclusive() {
    assertThat(scanAll(1, scan("a18", "z02"))).containsExactly("a18", "a19", "z00", "z01");
    assertThat(scanAll(1, scan("a18", "z02").toBuilder().setReverse(true).build()))
        .containsExactly("z01", "z00", "a19", "a18");
    assertThat(scanAll(1, scan("m", ""))).hasSize(20);
    assertThat(scanAll(1, scan("", "m").toBuilder().setReverse(true).build())).hasSize(20);
  }

  @Test
  void anEmptyOrInvertedRangeHasNoEntries() {
    assertThat(scanAll(1, scan("b", "c"))).isEmpty();
    assertThat(scanAll(1, scan("z", "a"))).isEmpty();
    assertThat(scanAll(1, scan("a", "a"))).isEmpty();
  }

  @Test
  void theLimitCountsOverPagesAndShards() {
    ScanRequest request = scan("a10", "").toBuilder().setLimit(13).setPageBytes(16).build();

    assertThat(scanAll(2, request)).isEqualTo(keys.subList(10, 23));
    assertThat(scanAll(2, request.toBuilder().setReverse(true).build())).hasSize(13);
    assertThat(scanAll(1, scan("", "").toBuilder().setLimit(20).build())).hasSize(20);
  }

  @Test
  void smallPagesMissAndRepeatNothing() {
    ScanRequest tiny = scan("", "").toBuilder().setPageBytes(1).build();
    List<String> backwards = new ArrayList<>(keys);
    Collections.reverse(backwards);

    assertThat(scanAll(1, tiny)).isEqualTo(keys);
    assertThat(scanAll(1, tiny.toBuilder().setReverse(true).build())).isEqualTo(backwards);
  }

  @Test
  void keysOnlyLeavesTheValuesOut() {
    Iterator<ScanPage> pages =
        cluster.node(1).kv().scan(scan("a00", "a02").toBuilder().setKeysOnly(true).build());

    assertThat(pages.next().getEntriesList())
        .allSatisfy(
            entry -> {
              assertThat(entry.getValue().isEmpty()).isTrue();
              assertThat(entry.getVersion()).isPositive();
            })
        .hasSize(2);
  }

  @Test
  void aStreamCallAnswersOnePageThatSaysWhereToGoOn() throws Exception {
    TestStream stream = cluster.node(2).stream();
    ScanRequest request = scan("a10", "z05").toBuilder().setPageBytes(36).build();

    StreamReply reply = stream.call(scanCall(1, request));

    assertThat(keysOf(reply.getScan())).containsExactly("a10", "a11", "a12", "a13", "a14");
    assertThat(reply.getScan().getMore()).isTrue();
    assertThat(reply.getScan().getResumeKey()).isEqualTo(bytes("a15"));

    StreamReply reverse =
        stream.call(scanCall(2, request.toBuilder().setReverse(true).setPageBytes(1).build()));
    assertThat(keysOf(reverse.getScan())).containsExactly("z04");
    assertThat(reverse.getScan().getResumeKey()).isEqualTo(bytes("z04"));
  }

  @Test
  void aPageEndsAtTheShardsEdge() throws Exception {
    TestStream stream = cluster.node(1).stream();

    ScanPage forward = stream.call(scanCall(1, scan("a15", "z05"))).getScan();
    ScanPage reverse =
        stream.call(scanCall(2, scan("a15", "z05").toBuilder().setReverse(true).build())).getScan();
    ScanPage last = stream.call(scanCall(3, scan("m", "z05"))).getScan();
    ScanPage exact = stream.call(scanCall(4, scan("a15", "m"))).getScan();

    assertThat(keysOf(forward)).hasSize(5).endsWith("a19");
    assertThat(forward.getMore()).isTrue();
    assertThat(forward.getResumeKey()).isEqualTo(bytes("m"));
    assertThat(keysOf(reverse)).hasSize(5).endsWith("z00");
    assertThat(reverse.getMore()).isTrue();
    assertThat(reverse.getResumeKey()).isEqualTo(bytes("m"));
    assertThat(last.getMore()).isFalse();
    assertThat(exact.getMore()).as("nothing of the range is behind the edge").isFalse();
  }

  @Test
  void aReachedLimitEndsTheScan() throws Exception {
    ScanPage page =
        cluster.node(1).stream()
            .call(scanCall(1, scan("a15", "").toBuilder().setLimit(5).build()))
            .getScan();

    assertThat(page.getEntriesCount()).isEqualTo(5);
    assertThat(page.getMore()).isFalse();
  }

  @Test
  void theCallersRoutingIsChecked() throws Exception {
    RequestHeader old =
        RequestHeader.newBuilder()
            .setShardId(2)
            .setEpoch(Epoch.newBuilder().setRangeVersion(9).setMembershipVersion(1))
            .build();
    TestStream stream = cluster.node(1).stream();

    ErrorDetail error =
        stream.call(scanCall(1, scan("a", "").toBuilder().setHeader(old).build())).getError();
    StreamReply fits =
        stream.call(
            scanCall(2, scan("a", "").toBuilder().setHeader(header(cluster.routing(2))).build()));
    StreamReply reverse =
        stream.call(
            scanCall(
                3,
                scan("a", "").toBuilder()
                    .setReverse(true)
                    .setHeader(header(cluster.routing(3)))
                    .build()));

    assertThat(error.getReason()).isEqualTo(Reason.STALE_EPOCH);
    assertThat(error.getCurrentShardsList()).isNotEmpty();
    assertThat(fits.getScan().getEntriesCount()).isEqualTo(20);
    assertThat(keysOf(reverse.getScan())).startsWith("z19");
  }

  @Test
  void aUnaryScanThatNamesItsFirstShardGoesOnPastIt() {
    ScanRequest request = scan("", "").toBuilder().setHeader(header(cluster.routing(2))).build();

    assertThat(scanAll(1, request)).isEqualTo(keys);
  }

  @Test
  void anOversizeBoundIsRefused() {
    ErrorDetail error =
        errorOf(() -> cluster.node(1).kv().scan(scan("k".repeat(20_000), "")).hasNext());

    assertThat(error.getReason()).isEqualTo(Reason.KEY_TOO_LARGE);
    assertThat(error.getField()).isEqualTo("start");
  }

  @Test
  void damageInTheMiddleEndsTheScanWithTheReason() {
    cluster.shard(3).engine.readFailure = new CorruptionException("9.sst", 0, "bad");
    Iterator<ScanPage> pages = cluster.node(1).kv().scan(scan("", ""));

    assertThat(pages.next().getEntriesCount()).isEqualTo(20);
    assertThat(errorOf(pages::hasNext).getReason()).isEqualTo(Reason.DATA_CORRUPT);
    assertThat(cluster.node(2).corrupt).containsExactly(3L);
  }

  @Test
  void noViewStaysOpen() {
    scanAll(1, scan("", "").toBuilder().setPageBytes(1).build());

    assertThat(cluster.shard(2).engine.openViews).hasValue(0);
    assertThat(cluster.shard(3).engine.openViews).hasValue(0);
  }

  private List<String> scanAll(int node, ScanRequest request) {
    List<String> found = new ArrayList<>();
    cluster.node(node).kv().scan(request).forEachRemaining(page -> found.addAll(keysOf(page)));
    return found;
  }

  private static List<String> keysOf(ScanPage page) {
    return page.getEntriesList().stream().map(Entry::getKey).map(k -> k.toStringUtf8()).toList();
  }
}
