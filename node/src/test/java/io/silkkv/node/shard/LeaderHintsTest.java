package io.silkkv.node.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.router.NodeInfo;
import io.silkkv.router.Shard;
import io.silkkv.router.ShardMap;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LeaderHintsTest {
  private final FakeReplicas replicas = new FakeReplicas();
  private final LeaderHints hints = new LeaderHints("n1", replicas);
  private final Shard shard =
      ShardMap.initial(new UUID(1, 1), List.of(node("n1"), node("n2"), node("n3")), List.of())
          .shards()
          .get(0);

  @Test
  void theLocalReplicaKnowsBest() {
    FakeShard fake = new FakeShard(2);
    replicas.add(fake.on("n1"));
    hints.learn(2, "n3");
    fake.leader = "n2";
    assertThat(hints.leaderOf(shard)).isEqualTo("n2");

    fake.leader = null;
    assertThat(hints.leaderOf(shard)).isNull();

    fake.leader = "a peer that left";
    assertThat(hints.leaderOf(shard)).isNull();
  }

  @Test
  void withoutAReplicaTheFirstOfTheMapIsAskedUntilSomebodySaysWho() {
    assertThat(hints.leaderOf(shard)).as("the first that is not this node").isEqualTo("n2");

    hints.learn(2, "n3");

    assertThat(hints.leaderOf(shard)).isEqualTo("n3");
  }

  @Test
  void aDisappointingNodeIsFollowedByTheNextReplica() {
    hints.disappointed(shard, "n2");
    assertThat(hints.leaderOf(shard)).isEqualTo("n3");
    hints.disappointed(shard, "n3");
    assertThat(hints.leaderOf(shard)).isEqualTo("n2");
  }

  @Test
  void aHintAboutANodeWithoutReplicaIsIgnored() {
    hints.learn(2, "n9");

    assertThat(hints.leaderOf(shard)).isEqualTo("n2");
  }

  private static NodeInfo node(String id) {
    return new NodeInfo(id, id + ":1", "", "");
  }
}
