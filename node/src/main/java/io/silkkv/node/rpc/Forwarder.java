package io.silkkv.node.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.node.shard.LeaderHints;
import io.silkkv.router.NodeInfo;
import io.silkkv.router.Shard;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends calls that this node cannot serve to the node that leads their shard, over one stream per
 * node in which calls are packed. A call travels at most {@link #MAX_HOPS} times, so that nodes
 * which disagree about a leader cannot pass it around for ever. Thread-safe.
 */
final class Forwarder implements AutoCloseable {
  /** From the node that the client chose to the leader, and once more when it just moved. */
  static final int MAX_HOPS = 2;

  private final String nodeId;
  private final ShardLocator locator;
  private final LeaderHints leaders;
  private final InFlight inFlight;
  private final NodeChannels channels;
  private final LongSupplier nanoTime;
  private final LongAdder forwarded = new LongAdder();

  @GuardedBy("streams")
  private final Map<String, PeerStream> streams = new HashMap<>();

  /**
   * @param channels connections to the other nodes
   */
  Forwarder(
      String nodeId,
      ShardLocator locator,
      LeaderHints leaders,
      InFlight inFlight,
      NodeChannels channels,
      LongSupplier nanoTime) {
    this.nodeId = nodeId;
    this.locator = locator;
    this.leaders = leaders;
    this.inFlight = inFlight;
    this.channels = channels;
    this.nanoTime = nanoTime;
  }

  /** Sends the call to the shard's leader, or answers why not. */
  void forward(PendingCall call, Shard shard) {
    int hops = call.header().getHops();
    if (hops < 0 || hops >= MAX_HOPS) {
      call.fail(Failures.tooManyHops(shard.shardId(), nodeId, hops));
      return;
    }
    String leader = leaders.leaderOf(shard);
    if (leader == null || leader.equals(nodeId)) {
      // "Itself" means that leadership is just coming or going.
      call.fail(Failures.noLeader(shard.shardId()));
      return;
    }
    NodeInfo node = locator.map().findNode(leader);
    if (node == null) {
      locator.refreshSoon();
      call.fail(Failures.noLeader(shard.shardId()));
      return;
    }
    if (inFlight.admit(call)) {
      forwarded.increment();
      stream(node).send(call, shard);
    }
  }

  long forwarded() {
    return forwarded.sum();
  }

  private PeerStream stream(NodeInfo node) {
    synchronized (streams) {
      @Nullable PeerStream known = streams.get(node.nodeId());
      if (known == null) {
        known =
            new PeerStream(
                node.nodeId(),
                () -> channels.channel(node.nodeId()),
                leaders,
                channels.threads(),
                nanoTime);
        streams.put(node.nodeId(), known);
      }
      return known;
    }
  }

  @Override
  public void close() {
    synchronized (streams) {
      streams.values().forEach(PeerStream::close);
      streams.clear();
    }
  }
}
