package io.silkkv.ops.bench.cluster;

import com.alipay.sofa.jraft.option.NodeOptions;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.option.ReadOnlyOption;
import com.alipay.sofa.jraft.rhea.options.PlacementDriverOptions;
import com.alipay.sofa.jraft.rhea.options.RegionEngineOptions;
import com.alipay.sofa.jraft.rhea.options.RegionRouteTableOptions;
import com.alipay.sofa.jraft.rhea.options.RheaKVStoreOptions;
import com.alipay.sofa.jraft.rhea.options.RocksDBOptions;
import com.alipay.sofa.jraft.rhea.options.StoreEngineOptions;
import com.alipay.sofa.jraft.rhea.storage.StorageType;
import com.alipay.sofa.jraft.util.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * RheaKV as it is measured: its own defaults, without a placement driver. What our promise needs is
 * set although it is RheaKV's default too, so that a later release cannot change it unnoticed: the
 * Raft log is fsynced, reads are linearizable by a read index. The client batches, as it does by
 * default. RocksDB below runs without a log of its own, because the Raft log is the commit log
 * there as it is here.
 */
final class RheaOptions {
  /** Region ids count from here, in key order. */
  static final long FIRST_REGION = 1;

  private static final String CLUSTER = "silkkv-bench";

  private RheaOptions() {}

  /**
   * A server.
   *
   * @param members host:port of all servers
   * @param splitAt first keys of all regions but the first
   */
  static RheaKVStoreOptions server(
      Path dir, String address, List<String> members, List<String> splitAt) {
    RocksDBOptions rocks = new RocksDBOptions();
    rocks.setDbPath(dir.resolve("db").toString());
    StoreEngineOptions store = new StoreEngineOptions();
    store.setStorageType(StorageType.RocksDB);
    store.setRocksDBOptions(rocks);
    store.setRaftDataPath(dir.resolve("raft").toString());
    store.setServerAddress(endpoint(address));
    store.setCommonNodeOptions(node());
    List<RegionEngineOptions> regions = new ArrayList<>();
    for (int i = 0; i <= splitAt.size(); i++) {
      RegionEngineOptions region = new RegionEngineOptions();
      region.setRegionId(FIRST_REGION + i);
      @Nullable String start = start(splitAt, i);
      if (start != null) {
        region.setStartKey(start);
      }
      @Nullable String end = start(splitAt, i + 1);
      if (end != null) {
        region.setEndKey(end);
      }
      regions.add(region);
    }
    store.setRegionEngineOptionsList(regions);
    RheaKVStoreOptions options = common(members);
    options.setStoreEngineOptions(store);
    PlacementDriverOptions placement = new PlacementDriverOptions();
    placement.setFake(true);
    options.setPlacementDriverOptions(placement);
    return options;
  }

  /** A client of these servers. */
  static RheaKVStoreOptions client(List<String> members, List<String> splitAt, Duration deadline) {
    List<RegionRouteTableOptions> routes = new ArrayList<>();
    for (int i = 0; i <= splitAt.size(); i++) {
      RegionRouteTableOptions route = new RegionRouteTableOptions();
      route.setRegionId(FIRST_REGION + i);
      @Nullable String start = start(splitAt, i);
      if (start != null) {
        route.setStartKey(start);
      }
      @Nullable String end = start(splitAt, i + 1);
      if (end != null) {
        route.setEndKey(end);
      }
      route.setInitialServerList(String.join(",", members));
      routes.add(route);
    }
    PlacementDriverOptions placement = new PlacementDriverOptions();
    placement.setFake(true);
    placement.setRegionRouteTableOptionsList(routes);
    RheaKVStoreOptions options = common(members);
    options.setPlacementDriverOptions(placement);
    options.setFutureTimeoutMillis(deadline.toMillis());
    options.getBatchingOptions().setAllowBatching(true);
    return options;
  }

  /** What is worth knowing about a comparison, for the report. */
  static Map<String, String> facts(RheaKVStoreOptions client) {
    RaftOptions raft = node().getRaftOptions();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("log_fsync", String.valueOf(raft.isSync()));
    facts.put("read_only_option", String.valueOf(raft.getReadOnlyOptions()));
    facts.put("election_timeout_ms", String.valueOf(node().getElectionTimeoutMs()));
    facts.put("client_batching", String.valueOf(client.getBatchingOptions().isAllowBatching()));
    facts.put("client_batch_size", String.valueOf(client.getBatchingOptions().getBatchSize()));
    facts.put("client_failover_retries", String.valueOf(client.getFailoverRetries()));
    facts.put("only_leader_read", String.valueOf(client.isOnlyLeaderRead()));
    return facts;
  }

  private static RheaKVStoreOptions common(List<String> members) {
    RheaKVStoreOptions options = new RheaKVStoreOptions();
    options.setClusterName(CLUSTER);
    options.setInitialServerList(String.join(",", members));
    return options;
  }

  private static NodeOptions node() {
    RaftOptions raft = new RaftOptions();
    raft.setSync(true);
    raft.setReadOnlyOptions(ReadOnlyOption.ReadOnlySafe);
    NodeOptions node = new NodeOptions();
    node.setRaftOptions(raft);
    return node;
  }

  /** First key of region number {@code index}; null for the first region and beyond the last. */
  private static @Nullable String start(List<String> splitAt, int index) {
    return index == 0 || index > splitAt.size() ? null : splitAt.get(index - 1);
  }

  private static Endpoint endpoint(String address) {
    int colon = address.lastIndexOf(':');
    return new Endpoint(
        address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
  }
}
