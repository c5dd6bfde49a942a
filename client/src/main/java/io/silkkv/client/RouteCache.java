package io.silkkv.client;

import io.grpc.CallOptions;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.silkkv.router.KvErrors;
import io.silkkv.router.NodeInfo;
import io.silkkv.router.ReplicaRef;
import io.silkkv.router.Shard;
import io.silkkv.router.ShardMap;
import io.silkkv.v1.AdminGrpc;
import io.silkkv.v1.Applied;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.GetShardMapRequest;
import io.silkkv.v1.GetShardMapResponse;
import io.silkkv.v1.Reason;
import io.silkkv.v1.ShardLeader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The client's copy of the shard map and its belief about leaders. Loaded from any reachable node
 * at first use, healed by the routing in errors, and read again when that is not enough or a leader
 * went away. One refresh at a time; it asks the known nodes and the endpoints in turn.
 *
 * <p>Confined to the I/O thread.
 */
final class RouteCache {
  private static final long TRY_MILLIS = 1000;
  private static final long LEAST_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final List<Endpoint> endpoints;
  private final NodeStreams streams;
  private final ClientLoop loop;
  private final LongSupplier nanoTime;
  private final RetryPolicy retryPolicy;
  private final Consumer<Operation<?>> resume;
  private final Map<Long, Leader> leaders = new HashMap<>();
  private List<Operation<?>> waiting = new ArrayList<>();
  private @Nullable ShardMap map;
  private boolean refreshing;
  private boolean refreshScheduled;
  private int failedRefreshes;
  private long refreshedAtNanos;
  private int turn;

  /** A belief about who leads; a report with a lower term is older and does not replace it. */
  private record Leader(String nodeId, long term) {}

  /**
   * @param resume goes on with calls that waited for the map
   */
  RouteCache(
      List<Endpoint> endpoints,
      NodeStreams streams,
      ClientLoop loop,
      LongSupplier nanoTime,
      RetryPolicy retryPolicy,
      Consumer<Operation<?>> resume) {
    this.endpoints = endpoints;
    this.streams = streams;
    this.loop = loop;
    this.nanoTime = nanoTime;
    this.retryPolicy = retryPolicy;
    this.resume = resume;
    this.refreshedAtNanos = nanoTime.getAsLong() - PERIOD_NANOS;
  }

  /** The map; null before the first load. */
  @Nullable ShardMap map() {
    return map;
  }

  /** Holds a call back until the next refresh ends, however it ends once there is a map. */
  void await(Operation<?> operation) {
    waiting.add(operation);
    refresh();
  }

  /** Reads the map again soon. */
  void refresh() {
    if (refreshing || refreshScheduled) {
      return;
    }
    long wait = refreshedAtNanos + LEAST_INTERVAL_NANOS - nanoTime.getAsLong();
    schedule(Math.max(0, wait));
  }

  /** Reads the map again when that was long ago; leaders move without an error at this client. */
  void refreshIfOld() {
    if (nanoTime.getAsLong() - refreshedAtNanos >= PERIOD_NANOS) {
      refresh();
    }
  }

  /** Takes the routing in an error; false when only a refresh helps. */
  boolean heal(Shard shard, ErrorDetail failure) {
    ShardMap known = map;
    if (known == null) {
      return false;
    }
    if (failure.getCurrentShardsCount() > 0) {
      ShardMap healed = merge(known, failure);
      if (healed == null || healed.equals(known)) {
        return false;
      }
      map = healed;
      inheritLeaders(known, healed);
      return true;
    }
    String leader = failure.getLeaderNodeId();
    if (leader.isEmpty() || known.findNode(leader) == null) {
      return false;
    }
    Leader believed = leaders.get(shard.shardId());
    leaders.put(shard.shardId(), new Leader(leader, believed == null ? 0 : believed.term()));
    return true;
  }

  /** A node went away: it leads nothing until a refresh says otherwise. */
  void suspect(String nodeId) {
    leaders.values().removeIf(leader -> leader.nodeId().equals(nodeId));
    refresh();
  }

  /**
   * The node to send a call to: the believed leader, else another replica, which forwards.
   *
   * @param avoided a node that just failed the call; taken only when there is no other
   */
  NodeInfo choose(ShardMap known, Shard shard, @Nullable String avoided) {
    Leader leader = leaders.get(shard.shardId());
    Predicate<String> allowed = nodeId -> !nodeId.equals(avoided);
    Predicate<String> usable =
        nodeId -> allowed.test(nodeId) && streams.isUsable(known.node(nodeId).address());
    if (leader != null && known.findNode(leader.nodeId()) != null && usable.test(leader.nodeId())) {
      return known.node(leader.nodeId());
    }
    String chosen = firstReplica(shard, usable);
    if (chosen == null) {
      chosen = firstReplica(shard, allowed);
    }
    return known.node(chosen == null ? shard.replicas().get(0).nodeId() : chosen);
  }

  private @Nullable String firstReplica(Shard shard, Predicate<String> wanted) {
    List<ReplicaRef> replicas = shard.replicas();
    int first = Math.floorMod(turn, replicas.size());
    for (int i = 0; i < replicas.size(); i++) {
      String nodeId = replicas.get((first + i) % replicas.size()).nodeId();
      if (wanted.test(nodeId)) {
        return nodeId;
      }
    }
    return null;
  }

  private void schedule(long delayNanos) {
    refreshScheduled = true;
    loop.schedule(
        () -> {
          refreshScheduled = false;
          if (!refreshing) {
            refreshing = true;
            ask(candidates(), null);
          }
        },
        delayNanos);
  }

  private ArrayDeque<String> candidates() {
    Set<String> addresses = new LinkedHashSet<>();
    if (map != null) {
      map.nodes().forEach(node -> addresses.add(node.address()));
    }
    endpoints.forEach(endpoint -> addresses.add(endpoint.toString()));
    List<String> order = new ArrayList<>(addresses);
    Collections.rotate(order, -turn % order.size());
    turn = (turn + 1) & Integer.MAX_VALUE;
    // Unreachable ones last: they cost a second each when packets vanish.
    order.sort(Comparator.comparing(address -> !streams.isUsable(address)));
    return new ArrayDeque<>(order);
  }

  private void ask(ArrayDeque<String> addresses, @Nullable ErrorDetail lastFailure) {
    String address = addresses.poll();
    if (address == null) {
      failed(
          lastFailure != null
              ? lastFailure
              : KvErrors.refused(Reason.UNAVAILABLE, "there is no node to ask"));
      return;
    }
    GetShardMapRequest request =
        GetShardMapRequest.newBuilder().setKnownVersion(map == null ? 0 : map.version()).build();
    ClientCalls.asyncUnaryCall(
        streams
            .at(address)
            .channel()
            .newCall(
                AdminGrpc.getGetShardMapMethod(),
                CallOptions.DEFAULT.withDeadlineAfter(TRY_MILLIS, TimeUnit.MILLISECONDS)),
        request,
        new StreamObserver<GetShardMapResponse>() {
          @Override
          public void onNext(GetShardMapResponse response) {
            try {
              install(address, response);
            } catch (IllegalArgumentException notAMap) {
              ask(addresses, noMap(address, String.valueOf(notAMap.getMessage())));
            }
          }

          @Override
          public void onError(Throwable failure) {
            ErrorDetail detail = KvErrors.fromStatus(failure);
            ask(addresses, noMap(address, detail.getMessage()));
          }

          @Override
          public void onCompleted() {
            // The answer was handled in onNext.
          }
        });
  }

  private void install(String address, GetShardMapResponse response) {
    ShardMap received = response.hasMap() ? ShardMap.fromProto(response.getMap()) : null;
    ShardMap known = map;
    if (received != null) {
      // Here a malformed address is refused with its map; later it would be in the way of a call.
      received.nodes().forEach(node -> Endpoint.parse(node.address()));
    }
    if (received == null && known == null) {
      throw new IllegalArgumentException("the answer has no shard map");
    }
    if (received != null && known != null && !received.clusterId().equals(known.clusterId())) {
      throw new IllegalArgumentException(
          "node at "
              + address
              + " belongs to cluster "
              + received.clusterId()
              + ", not to "
              + known.clusterId());
    }
    if (received != null && (known == null || received.version() > known.version())) {
      map = received;
    }
    for (ShardLeader report : response.getLeadersList()) {
      Leader believed = leaders.get(report.getShardId());
      if (!report.getNodeId().isEmpty()
          && (believed == null || report.getTerm() >= believed.term())) {
        leaders.put(report.getShardId(), new Leader(report.getNodeId(), report.getTerm()));
      }
    }
    failedRefreshes = 0;
    ended();
    resumeWaiting();
  }

  private void failed(ErrorDetail failure) {
    failedRefreshes++;
    ended();
    if (map != null) {
      // The old map may still do; nodes refuse what does not fit.
      resumeWaiting();
    } else if (!waiting.isEmpty()) {
      waiting.removeIf(Operation::isObsolete);
      waiting.forEach(operation -> operation.blocked(failure));
      schedule(LEAST_INTERVAL_NANOS / 2 + retryPolicy.jitterNanos(failedRefreshes));
    }
  }

  private void ended() {
    refreshing = false;
    refreshedAtNanos = nanoTime.getAsLong();
  }

  /** A shard that was split off begins with the leader of the one it was a part of. */
  private void inheritLeaders(ShardMap old, ShardMap healed) {
    for (Shard shard : healed.shards()) {
      Leader parent = leaders.get(old.find(shard.start()).shardId());
      if (old.byId(shard.shardId()) == null && parent != null) {
        leaders.putIfAbsent(shard.shardId(), new Leader(parent.nodeId(), 0));
      }
    }
  }

  private void resumeWaiting() {
    List<Operation<?>> ready = waiting;
    waiting = new ArrayList<>();
    ready.forEach(resume);
  }

  private static ErrorDetail noMap(String address, String why) {
    return KvErrors.detail(
        Reason.UNAVAILABLE, Applied.NEVER, "no shard map from " + address + ": " + why);
  }

  private static @Nullable ShardMap merge(ShardMap known, ErrorDetail failure) {
    try {
      return known.withCurrent(
          failure.getCurrentShardsList().stream().map(Shard::fromProto).toList());
    } catch (IllegalArgumentException malformed) {
      // A refresh brings a whole map, or tells what is wrong with it.
      return null;
    }
  }
}
