package io.silkkv.node;

import io.silkkv.node.shard.Replica;
import io.silkkv.node.shard.ReplicaDirectory;
import io.silkkv.node.shard.ShardMapHolder;
import io.silkkv.router.ReplicaRef;
import io.silkkv.router.Shard;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node does before a clean stop, so that the others notice little and the next start is
 * quick: leaderships move away, memtables are flushed. Both are favours with a time limit; the stop
 * is safe without them.
 */
final class Handover {
  private static final Logger LOG = LoggerFactory.getLogger(Handover.class);

  /** Part of the time that moving leaders may take: with no other node up, it is all in vain. */
  private static final int TRANSFER_SHARE = 3;

  private final String nodeId;
  private final ReplicaDirectory replicas;
  private final ShardMapHolder maps;
  private final LongSupplier nanoTime;

  Handover(String nodeId, ReplicaDirectory replicas, ShardMapHolder maps, LongSupplier nanoTime) {
    this.nodeId = nodeId;
    this.replicas = replicas;
    this.maps = maps;
    this.nanoTime = nanoTime;
  }

  /** Takes at most {@code limitMillis}. */
  void run(long limitMillis) {
    long start = nanoTime.getAsLong();
    long limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMillis);
    await("moving leaders away", transfers(), limitNanos / TRANSFER_SHARE);
    List<CompletableFuture<?>> flushes = new ArrayList<>();
    for (Replica replica : replicas.replicas()) {
      flushes.add(replica.flush());
    }
    await("flushing", flushes, limitNanos - (nanoTime.getAsLong() - start));
  }

  private List<CompletableFuture<?>> transfers() {
    List<CompletableFuture<?>> transfers = new ArrayList<>();
    for (Replica replica : replicas.replicas()) {
      Shard shard = maps.map().byId(replica.shardId());
      if (replica.leads() && shard != null) {
        String target = other(shard);
        if (target != null) {
          transfers.add(replica.transferLeadership(target));
        }
      }
    }
    return transfers;
  }

  /** The next peer after this node's, so that several stopping nodes do not all choose the same. */
  private @Nullable String other(Shard shard) {
    List<ReplicaRef> peers = shard.replicas();
    for (int i = 0; i < peers.size(); i++) {
      if (peers.get(i).nodeId().equals(nodeId) && peers.size() > 1) {
        return peers.get((i + 1) % peers.size()).peerId();
      }
    }
    return null;
  }

  private static void await(String what, List<CompletableFuture<?>> steps, long limitNanos) {
    try {
      CompletableFuture.allOf(steps.toArray(CompletableFuture<?>[]::new))
          .get(Math.max(0, limitNanos), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      LOG.info("{} did not end in time; the stop goes on", what);
    } catch (ExecutionException e) {
      LOG.info("{} failed; the stop goes on: {}", what, String.valueOf(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
