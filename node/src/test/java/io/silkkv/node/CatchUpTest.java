package io.silkkv.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.node.admin.Health;
import io.silkkv.node.shard.FakeReplicas;
import io.silkkv.node.shard.FakeShard;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The fake replica has applied 29 entries. */
class CatchUpTest {
  private final FakeShard shard = new FakeShard(2);
  private OptionalLong committedAtLeader = OptionalLong.empty();
  private final CatchUp catchUp =
      new CatchUp(new FakeReplicas().add(shard.on("n1")), (shardId, leader) -> committedAtLeader);

  private Health.Check checkAfterALook() {
    catchUp.look();
    return catchUp.checks().get(0);
  }

  @Test
  void waitsForALeaderAndForItsAnswer() {
    assertThat(checkAfterALook().detail()).isEqualTo("no leader known yet");
    shard.leader = "n2";
    assertThat(checkAfterALook().detail()).isEqualTo("waits for leader n2");
    assertThat(catchUp.checks().get(0).passed()).isFalse();
  }

  @Test
  void isBehindUntilWhatTheLeaderHadCommittedIsApplied() {
    shard.leader = "n2";
    committedAtLeader = OptionalLong.of(35);
    assertThat(checkAfterALook().detail()).isEqualTo("applied 29 of 35 log entries");
    committedAtLeader = OptionalLong.of(29);
    assertThat(checkAfterALook().passed()).as("the first answer counts").isFalse();
  }

  @Test
  void staysReadyWhenTheLeaderIsLostLater() {
    shard.leader = "n2";
    committedAtLeader = OptionalLong.of(29);
    assertThat(checkAfterALook().passed()).isTrue();
    shard.leader = null;
    committedAtLeader = OptionalLong.of(100);
    assertThat(checkAfterALook().passed()).isTrue();
  }

  @Test
  void aLeaderAsksItself() {
    shard.leader = "n1";
    assertThat(checkAfterALook().detail()).isEqualTo("applied 29 of 30 log entries");
  }
}
