package io.silkkv.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.silkkv.router.KvErrors;
import io.silkkv.v1.Reason;
import io.silkkv.v1.ScanPage;
import io.silkkv.v1.StreamReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KvClientScanTest {
  private final FakeCluster cluster = new FakeCluster(3, "g", "p");
  private final KvClient client = cluster.client().build();
  private final List<String> keys = new ArrayList<>();

  @BeforeEach
  void fill() {
    for (char first = 'a'; first <= 'z'; first++) {
      keys.add(first + "1");
      keys.add(first + "2");
    }
    keys.forEach(key -> cluster.put(key, "value of " + key));
    cluster.pageEntries(7);
  }

  @AfterEach
  void stop() {
    client.close();
    cluster.close();
  }

  @Test
  void aScanVisitsAllShardsInOrder() {
    assertThat(scan(ScanOptions.all())).isEqualTo(keys);
  }

  @Test
  void aRangeIsDeletedInAllItsShards() {
    client.deleteRange("c".getBytes(UTF_8), "r1".getBytes(UTF_8));
    assertThat(scan(ScanOptions.all()))
        .isEqualTo(
            keys.stream()
                .filter(key -> key.compareTo("c") < 0 || key.compareTo("r1") >= 0)
                .toList());
    client.deletePrefix("r".getBytes(UTF_8));
    assertThat(scan(ScanOptions.prefix("r"))).isEmpty();
    client.async().deleteRange(new byte[0], new byte[0]).join();
    assertThat(scan(ScanOptions.all())).isEmpty();
  }

  @Test
  void aRangeIsDeletedThoughItsShardIsSplitMeanwhile() {
    client.get("k1");
    cluster.split("k");
    client.deleteRange("h".getBytes(UTF_8), "o".getBytes(UTF_8));
    assertThat(scan(ScanOptions.all()))
        .isEqualTo(
            keys.stream()
                .filter(key -> key.compareTo("h") < 0 || key.compareTo("o") >= 0)
                .toList());
  }

  @Test
  void aRangeThatEndsBeforeItStartsIsRefused() {
    assertThatThrownBy(() -> client.deleteRange("c".getBytes(UTF_8), "b".getBytes(UTF_8)))
        .isInstanceOf(KvException.InvalidRequest.class)
        .hasMessageContaining("ends before it starts");
  }

  @Test
  void aReverseScanVisitsAllShardsBackwards() {
    List<String> backwards = new ArrayList<>(keys);
    java.util.Collections.reverse(backwards);
    assertThat(scan(ScanOptions.all().reversed())).isEqualTo(backwards);
  }

  @Test
  void boundsAreInclusiveBelowAndExclusiveAbove() {
    assertThat(scan(ScanOptions.range("f2", "h1"))).containsExactly("f2", "g1", "g2");
    assertThat(scan(ScanOptions.range("f2", "h1").reversed())).containsExactly("g2", "g1", "f2");
    assertThat(scan(ScanOptions.all().from(bytes("z2")))).containsExactly("z2");
    assertThat(scan(ScanOptions.all().to(bytes("a2")))).containsExactly("a1");
    assertThat(scan(ScanOptions.range("g", "g").reversed())).isEmpty();
    assertThat(scan(ScanOptions.range("x", "b"))).isEmpty();
  }

  @Test
  void boundsOnShardBordersAskOneShardOnly() {
    assertThat(scan(ScanOptions.range("g", "p"))).hasSize(18).startsWith("g1").endsWith("o2");
    assertThat(scan(ScanOptions.range("g", "p").reversed())).hasSize(18).startsWith("o2");
    assertThat(cluster.calls()).isEqualTo(6);
  }

  @Test
  void aPrefixScanVisitsItsKeysOnly() {
    assertThat(scan(ScanOptions.prefix("g"))).containsExactly("g1", "g2");
    assertThat(scan(ScanOptions.prefix("q2"))).containsExactly("q2");
    assertThat(scan(ScanOptions.prefix("nothing"))).isEmpty();
    assertThat(scan(ScanOptions.prefix(""))).isEqualTo(keys);
  }

  @Test
  void aLimitEndsTheScanAndIsSentToTheNodes() {
    assertThat(scan(ScanOptions.all().limit(9))).isEqualTo(keys.subList(0, 9));
    assertThat(scan(ScanOptions.prefix("z").limit(9))).containsExactly("z1", "z2");
    assertThat(scan(ScanOptions.all().reversed().limit(1))).containsExactly("z2");
  }

  @Test
  void aScanOfKeysOnlyHasEmptyValues() {
    try (KvScan scan = client.scan(ScanOptions.prefix("c").keysOnly())) {
      KvEntry first = scan.next();
      assertThat(first.keyText()).isEqualTo("c1");
      assertThat(first.value()).isEmpty();
      assertThat(first.version()).isPositive();
    }
    try (KvScan scan = client.scan(ScanOptions.prefix("c"))) {
      assertThat(scan.next().valueText()).isEqualTo("value of c1");
    }
  }

  @Test
  void aScanIsAStreamToo() {
    try (Stream<KvEntry> entries = client.scan(ScanOptions.all()).stream()) {
      assertThat(entries.map(KvEntry::keyText).filter(key -> key.endsWith("1"))).hasSize(26);
    }
  }

  @Test
  void onePageIsFetchedAhead() {
    try (KvScan scan = client.scan(ScanOptions.all())) {
      scan.next();
      org.awaitility.Awaitility.await().until(() -> cluster.calls() == 2);
      for (int i = 1; i < 7; i++) {
        scan.next();
      }
      assertThat(cluster.calls()).isEqualTo(2);
    }
  }

  @Test
  void aClosedScanEndsAndDropsWhatWasFetchedAhead() {
    KvScan scan = client.scan(ScanOptions.all());
    scan.next();
    scan.close();
    scan.close();
    assertThat(scan.hasNext()).isFalse();
    assertThatThrownBy(scan::next).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void aScanGoesOnWhenTheLeaderChangesAndAShardIsSplit() {
    List<String> seen = new ArrayList<>();
    try (KvScan scan = client.scan(ScanOptions.all())) {
      while (scan.hasNext()) {
        seen.add(scan.next().keyText());
        if (seen.size() == 3) {
          cluster.lead("c", "n3");
          cluster.split("e");
          cluster.lead("e", "n2");
        }
        if (seen.size() == 25) {
          cluster.split("t");
          cluster.lead("t", "n1");
        }
      }
    }
    assertThat(seen).isEqualTo(keys);
  }

  @Test
  void aReverseScanGoesOnWhenAShardIsSplit() {
    List<String> seen = new ArrayList<>();
    try (KvScan scan = client.scan(ScanOptions.all().reversed())) {
      while (scan.hasNext()) {
        seen.add(0, scan.next().keyText());
        if (seen.size() == 3) {
          cluster.split("r");
          cluster.lead("p", "n1");
        }
      }
    }
    assertThat(seen).isEqualTo(keys);
  }

  @Test
  void emptyPagesThatMoveOnAreFollowed() {
    AtomicInteger calls = new AtomicInteger();
    cluster.script(
        (node, call) ->
            calls.incrementAndGet() > 1
                ? null
                : StreamReply.newBuilder()
                    .setScan(
                        ScanPage.newBuilder()
                            .setMore(true)
                            .setResumeKey(ByteString.copyFromUtf8("a2"))));
    assertThat(scan(ScanOptions.all())).isEqualTo(keys.subList(1, keys.size()));
  }

  @Test
  void aPageThatDoesNotMoveOnIsAFaultAndNotAnEndlessLoop() {
    cluster.script(
        (node, call) -> StreamReply.newBuilder().setScan(ScanPage.newBuilder().setMore(true)));
    KvScan scan = client.withDeadline(Duration.ofMillis(200)).scan(ScanOptions.all());
    assertThatThrownBy(scan::hasNext)
        .isInstanceOf(KvException.DeadlineExceeded.class)
        .hasCauseInstanceOf(KvException.NodeFault.class);
  }

  @Test
  void aFailedPageFailsTheIterator() {
    cluster.script(
        (node, call) ->
            FakeCluster.error(KvErrors.refused(Reason.INVALID_ARGUMENT, "no such scan")));
    KvScan scan = client.scan(ScanOptions.all());
    assertThatThrownBy(scan::hasNext)
        .isInstanceOf(KvException.InvalidRequest.class)
        .hasMessageContaining("no such scan");
  }

  @Test
  void badOptionsAreRefused() {
    assertThatThrownBy(() -> ScanOptions.all().limit(-1)).hasMessageContaining("is -1");
    assertThatThrownBy(() -> ScanOptions.all().pageBytes(5)).hasMessageContaining("has 5");
    assertThatThrownBy(() -> client.scan(ScanOptions.prefix(new byte[20_000])))
        .isInstanceOf(KvException.InvalidRequest.class)
        .hasMessageContaining("start has 20000 bytes");
  }

  @Test
  void randomScansAgreeWithASortedMap() {
    long seed = Long.getLong("silkkv.seed", System.nanoTime());
    Random random = new Random(seed);
    TreeMap<String, String> model = new TreeMap<>();
    keys.forEach(key -> model.put(key, ""));
    for (int round = 0; round < 100; round++) {
      String from = randomKey(random);
      String to = randomKey(random);
      long limit = random.nextInt(30);
      ScanOptions options =
          ScanOptions.range(from, to).limit(limit).pageBytes(1024 << random.nextInt(8));
      boolean reverse = random.nextBoolean();
      List<String> expected =
          new ArrayList<>(
              from.compareTo(to) < 0
                  ? model.subMap(from, true, to, false).keySet()
                  : List.<String>of());
      if (reverse) {
        java.util.Collections.reverse(expected);
      }
      if (limit > 0 && expected.size() > limit) {
        expected = expected.subList(0, (int) limit);
      }
      cluster.pageEntries(1 + random.nextInt(12));
      assertThat(scan(reverse ? options.reversed() : options))
          .as("seed %d round %d from %s to %s", seed, round, from, to)
          .isEqualTo(expected);
    }
  }

  private static String randomKey(Random random) {
    return (char) ('a' + random.nextInt(26)) + (random.nextBoolean() ? "1" : "");
  }

  private List<String> scan(ScanOptions options) {
    List<String> found = new ArrayList<>();
    try (KvScan scan = client.scan(options)) {
      scan.forEachRemaining(entry -> found.add(entry.keyText()));
    }
    return found;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
