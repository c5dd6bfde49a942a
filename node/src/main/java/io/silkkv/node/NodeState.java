package io.silkkv.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.engine.api.CorruptionException;
import io.silkkv.node.admin.Health;
import io.silkkv.node.fault.FaultHandler;
import io.silkkv.node.rpc.NodeHealth;
import io.silkkv.node.shard.ShardMapHolder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the node is alive, ready and whole: one answer for gRPC, HTTP and the process.
 * Thread-safe.
 */
final class NodeState implements NodeHealth {
  private static final Logger LOG = LoggerFactory.getLogger(NodeState.class);

  private final FaultHandler faults;
  private final ShardMapHolder maps;
  private final CatchUp catchUp;

  /** Damage by shard; the first report of each shard is kept. */
  @GuardedBy("damage")
  private final Map<Long, String> damage = new LinkedHashMap<>();

  NodeState(FaultHandler faults, ShardMapHolder maps, CatchUp catchUp) {
    this.faults = faults;
    this.maps = maps;
    this.catchUp = catchUp;
  }

  Health health() {
    List<Health.Check> checks = new ArrayList<>();
    checks.add(
        new Health.Check(
            "shard map",
            maps.confirmed(),
            maps.confirmed() ? "version " + maps.map().version() : "not read yet"));
    checks.addAll(catchUp.checks());
    synchronized (damage) {
      damage.forEach(
          (shard, what) -> checks.add(new Health.Check("data of shard " + shard, false, what)));
    }
    return new Health(faults.fault(), checks);
  }

  @Override
  public boolean ready() {
    return health().ready();
  }

  @Override
  public String fault() {
    String fault = faults.fault();
    return fault == null ? "" : fault;
  }

  @Override
  public void corrupt(long shardId, CorruptionException cause) {
    synchronized (damage) {
      if (damage.putIfAbsent(shardId, String.valueOf(cause.getMessage())) != null) {
        return;
      }
    }
    LOG.error("shard {} has damaged data; reads of it fail here", shardId, cause);
  }
}
