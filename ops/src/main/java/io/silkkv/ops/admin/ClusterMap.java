package io.silkkv.ops.admin;

import io.silkkv.router.ShardMap;
import java.util.Map;

/**
 * A cluster as one node sees it.
 *
 * @param leaders node id by shard id; shards without a known leader are missing
 */
public record ClusterMap(ShardMap shards, Map<Long, String> leaders) {
  public ClusterMap {
    leaders = Map.copyOf(leaders);
  }
}
