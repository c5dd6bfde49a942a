package io.silkkv.ops.admin;

import com.google.protobuf.MessageLite;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.router.NodeInfo;
import io.silkkv.router.ShardMap;
import io.silkkv.v1.AdminGrpc;
import io.silkkv.v1.FlushRequest;
import io.silkkv.v1.GetNodeStatusRequest;
import io.silkkv.v1.GetShardMapRequest;
import io.silkkv.v1.GetShardMapResponse;
import io.silkkv.v1.NodeStatus;
import io.silkkv.v1.ShardLeader;
import io.silkkv.v1.TransferLeadershipRequest;
import java.net.ConnectException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls {@code silkkv.v1.Admin} of the nodes of a cluster. Channels are kept per address until
 * {@link #close}. Thread-safe.
 */
public final class AdminClient implements AutoCloseable {
  private final List<String> endpoints;
  private final Duration deadline;
  private final Map<String, ManagedChannel> channels = new ConcurrentHashMap<>();

  /**
   * @param endpoints host:port of nodes; the first that answers is asked for the shard map
   * @param deadline of each call
   */
  public AdminClient(List<String> endpoints, Duration deadline) {
    this.endpoints = List.copyOf(endpoints);
    this.deadline = deadline;
  }

  /**
   * The shard map and the leaders that the first answering end point knows.
   *
   * @throws OpsException when none answers
   */
  public ClusterMap map() {
    StringBuilder failures = new StringBuilder();
    for (String endpoint : endpoints) {
      try {
        GetShardMapResponse answer =
            stub(endpoint).getShardMap(GetShardMapRequest.getDefaultInstance());
        Map<Long, String> leaders = new LinkedHashMap<>();
        for (ShardLeader leader : answer.getLeadersList()) {
          if (!leader.getNodeId().isEmpty()) {
            leaders.put(leader.getShardId(), leader.getNodeId());
          }
        }
        return new ClusterMap(ShardMap.fromProto(answer.getMap()), leaders);
      } catch (StatusRuntimeException e) {
        failures.append("\n  ").append(endpoint).append(": ").append(text(e));
      }
    }
    throw new OpsException(
        ExitCode.UNAVAILABLE,
        "no node answers:"
            + failures
            + "\nIs the cluster up? Start one here with 'silkkv up', or name another node with"
            + " --endpoint");
  }

  /** A node's answer, or why there is none. */
  public record StatusOrFailure(@Nullable NodeStatus status, String failure) {}

  /** Asks every node of the map; nodes that do not answer are part of the result. */
  public Map<NodeInfo, StatusOrFailure> statuses(ShardMap map) {
    Map<NodeInfo, StatusOrFailure> statuses = new LinkedHashMap<>();
    for (NodeInfo node : map.nodes()) {
      try {
        statuses.put(node, new StatusOrFailure(status(node.address()), ""));
      } catch (StatusRuntimeException e) {
        statuses.put(node, new StatusOrFailure(null, text(e)));
      }
    }
    return statuses;
  }

  /**
   * State of one node.
   *
   * @throws StatusRuntimeException when it does not answer
   */
  public NodeStatus status(String address) {
    return stub(address).getNodeStatus(GetNodeStatusRequest.getDefaultInstance());
  }

  /** The node that leads a shard, by what any end point knows; empty when none knows one. */
  public Optional<String> leader(long shardId) {
    return Optional.ofNullable(map().leaders().get(shardId));
  }

  /** Moves a shard's leadership; returns when it is there. */
  public void transferLeadership(String address, long shardId, String targetNodeId) {
    MessageLite unused =
        stub(address)
            .transferLeadership(
                TransferLeadershipRequest.newBuilder()
                    .setShardId(shardId)
                    .setTargetNodeId(targetNodeId)
                    .build());
  }

  /** Flushes the memtables of all replicas of a node; returns when they are durable. */
  public void flush(String address) {
    MessageLite unused = stub(address).flush(FlushRequest.getDefaultInstance());
  }

  private AdminGrpc.AdminBlockingStub stub(String address) {
    return stub(address, AdminGrpc::newBlockingStub)
        .withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS);
  }

  private <T> T stub(String address, Function<ManagedChannel, T> create) {
    return create.apply(
        channels.computeIfAbsent(
            address,
            target -> NettyChannelBuilder.forTarget("dns:///" + target).usePlaintext().build()));
  }

  /** Short words for the usual cases, because a table or a list has little room. */
  private static String text(StatusRuntimeException e) {
    Status status = e.getStatus();
    Throwable cause = status.getCause();
    return switch (status.getCode()) {
      case DEADLINE_EXCEEDED -> "no answer in time";
      case UNAVAILABLE ->
          cause == null || cause instanceof ConnectException
              ? "not reachable"
              : "not reachable (" + cause.getClass().getSimpleName() + ")";
      default -> status.getCode() + " " + status.getDescription();
    };
  }

  @Override
  public void close() {
    channels.values().forEach(ManagedChannel::shutdownNow);
  }
}
