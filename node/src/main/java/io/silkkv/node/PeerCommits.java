package io.silkkv.node;

import io.grpc.StatusRuntimeException;
import io.silkkv.node.rpc.NodeChannels;
import io.silkkv.v1.AdminGrpc;
import io.silkkv.v1.GetNodeStatusRequest;
import io.silkkv.v1.NodeStatus;
import io.silkkv.v1.ReplicaStatus;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks other nodes, through their status, how far the shards that they lead are committed. */
final class PeerCommits implements CatchUp.LeaderCommits {
  private static final Logger LOG = LoggerFactory.getLogger(PeerCommits.class);
  private static final long TIMEOUT_SECONDS = 2;

  private final NodeChannels channels;

  PeerCommits(NodeChannels channels) {
    this.channels = channels;
  }

  @Override
  public OptionalLong committedIndex(long shardId, String leaderPeerId) {
    try {
      NodeStatus status =
          AdminGrpc.newBlockingStub(channels.channel(leaderPeerId))
              .withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS)
              .getNodeStatus(GetNodeStatusRequest.getDefaultInstance());
      return status.getReplicasList().stream()
          .filter(replica -> replica.getShardId() == shardId && replica.getRole().equals("LEADER"))
          .mapToLong(ReplicaStatus::getCommittedIndex)
          .findFirst();
    } catch (StatusRuntimeException e) {
      // Still starting, or gone: asked again with the next look.
      LOG.debug("{} does not tell its status", leaderPeerId, e);
      return OptionalLong.empty();
    }
  }
}
