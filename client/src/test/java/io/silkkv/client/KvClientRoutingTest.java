package io.silkkv.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.router.KvErrors;
import io.silkkv.v1.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KvClientRoutingTest {
  private final FakeCluster cluster = new FakeCluster(3, "m");
  private final KvClient client = cluster.client().attemptTimeout(Duration.ofMillis(300)).build();

  @AfterEach
  void stop() {
    client.close();
    cluster.close();
  }

  @Test
  void callsGoStraightToTheLeader() {
    for (int i = 0; i < 10; i++) {
      client.put("a" + i, "1");
      client.put("z" + i, "1");
    }
    assertThat(cluster.leaderOf("a").calls()).isEqualTo(10);
    assertThat(cluster.leaderOf("z").calls()).isEqualTo(10);
    assertThat(cluster.calls()).isEqualTo(20);
  }

  @Test
  void aLeaderHintInAnErrorIsFollowedAndRemembered() {
    client.get("a");
    cluster.lead("a", "n3");
    long before = cluster.node("n3").calls();

    client.get("a");
    client.get("a");

    assertThat(cluster.node("n3").calls()).isEqualTo(before + 2);
    assertThat(cluster.node("n1").calls()).isEqualTo(2);
  }

  @Test
  void aSplitIsLearnedFromTheErrorWithoutAsking() {
    client.get("a");
    long asked = mapRequests();
    cluster.split("f");

    assertThat(client.get("g")).isEmpty();
    client.put("g", "1");
    assertThat(client.get("g")).isPresent();

    // One refusal told the routing.
    assertThat(cluster.calls()).isEqualTo(5);
    assertThat(mapRequests()).isEqualTo(asked);
  }

  @Test
  void aBatchGetOverAShardThatIsSplitMeanwhileIsAnswered() {
    client.put("b", "1");
    client.put("g", "2");
    cluster.split("f");
    cluster.lead("f", "n2");

    var found = client.batchGet(List.of(bytes("g"), bytes("b")));
    assertThat(found.get(0).orElseThrow().valueText()).isEqualTo("2");
    assertThat(found.get(1).orElseThrow().valueText()).isEqualTo("1");
  }

  @Test
  void aBatchGetWhoseReplyIsTooLargeIsHalved() {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 10; i < 90; i++) {
      cluster.put("a" + i, "v" + i);
      keys.add(bytes("a" + i));
    }
    cluster.script(
        (node, call) ->
            call.getBatchGet().getKeysCount() <= 9
                ? null
                : FakeCluster.error(KvErrors.refused(Reason.BATCH_TOO_LARGE, "too many values")));

    var found = client.batchGet(keys);

    assertThat(found).hasSize(80);
    for (int i = 10; i < 90; i++) {
      assertThat(found.get(i - 10).orElseThrow().valueText()).isEqualTo("v" + i);
    }
    assertThat(client.callsInFlight()).isZero();
  }

  @Test
  void oneFailedPartFailsABatchGet() {
    cluster.script(
        (node, call) ->
            call.getBatchGet().getKeys(0).toStringUtf8().equals("z")
                ? FakeCluster.error(KvErrors.refused(Reason.INVALID_ARGUMENT, "no z"))
                : null);
    assertThatThrownBy(() -> client.batchGet(List.of(bytes("a"), bytes("z"))))
        .isInstanceOf(KvException.InvalidRequest.class)
        .hasMessage("no z");
  }

  @Test
  void aDeadLeaderIsReplacedByAnotherNode() {
    client.put("a", "1");
    cluster.leaderOf("a").stop();
    cluster.lead("a", "n2");

    client.put("a", "2");

    assertThat(client.get("a").orElseThrow().valueText()).isEqualTo("2");
    assertThat(cluster.applied()).isEqualTo(2);
  }

  @Test
  void aNodeThatForwardsIsEnoughWhileTheLeaderIsUnknown() {
    cluster.forwarding(true);
    client.put("a", "1");
    cluster.node("n1").stop();

    client.put("a", "2");
    assertThat(client.get("a").orElseThrow().valueText()).isEqualTo("2");
  }

  @Test
  void aSilentLeaderIsLeftAfterTheAttemptTimeout() {
    client.put("a", "1");
    cluster.leaderOf("a").silent(true);
    cluster.lead("a", "n3");

    client.put("a", "2");

    assertThat(client.get("a").orElseThrow().valueText()).isEqualTo("2");
    assertThat(cluster.applied()).isEqualTo(2);
  }

  @Test
  void aRestartedNodeIsUsedAgain() {
    client.put("a", "1");
    FakeNode leader = cluster.leaderOf("a");
    leader.stop();
    leader.restart();

    client.put("a", "2");
    assertThat(client.get("a").orElseThrow().valueText()).isEqualTo("2");
  }

  @Test
  void anyOneReachableEndpointIsEnough() {
    cluster.node("n1").stop();
    cluster.lead("a", "n2");
    try (KvClient lucky =
        KvClient.builder()
            .endpoint("127.0.0.1:1")
            .endpoint(cluster.node("n1").address())
            .endpoint(cluster.node("n3").address())
            .build()) {
      lucky.put("a", "1");
      assertThat(lucky.get("a")).isPresent();
    }
  }

  @Test
  void aClientMadeBeforeItsClusterWaitsForIt() {
    FakeNode node = cluster.node("n1");
    node.stop();
    try (KvClient early = KvClient.builder().endpoint(node.address()).build()) {
      var put = early.async().put("a", "1");
      Awaitility.await().pollDelay(Duration.ofMillis(200)).until(() -> !put.isDone());
      node.restart();
      assertThat(put.join()).isPositive();
    }
  }

  private long mapRequests() {
    return cluster.node("n1").mapRequests()
        + cluster.node("n2").mapRequests()
        + cluster.node("n3").mapRequests();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
