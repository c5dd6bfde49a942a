package io.silkkv.node.rpc;

import com.google.protobuf.ByteString;
import io.silkkv.node.shard.ShardMapHolder;
import io.silkkv.router.KeyOrder;
import io.silkkv.router.Routing;
import io.silkkv.router.Shard;
import io.silkkv.router.ShardMap;
import io.silkkv.v1.Epoch;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.RequestHeader;
import org.jspecify.annotations.Nullable;

/**
 * Finds the shard of a call in the current map and compares it with what the caller believes.
 * Thread-safe.
 */
final class ShardLocator {
  private final ShardMapHolder maps;
  private final Runnable refreshSoon;

  /**
   * @param refreshSoon asked to read the map again when a caller seems to know a newer one
   */
  ShardLocator(ShardMapHolder maps, Runnable refreshSoon) {
    this.maps = maps;
    this.refreshSoon = refreshSoon;
  }

  ShardMap map() {
    return maps.map();
  }

  void refreshSoon() {
    refreshSoon.run();
  }

  /**
   * The shard that holds a key.
   *
   * @return null when the caller's routing does not fit; the call is answered then
   */
  @Nullable Shard shardOf(PendingCall call, ByteString key) {
    ShardMap map = maps.map();
    if (call.header().getShardId() == ShardMap.META_SHARD_ID && call.call().hasGet()) {
      // The meta shard has its own key space: its keys can be read, by who names it.
      return map.meta();
    }
    Shard shard = map.find(key);
    return fits(call, map, shard, key) ? shard : null;
  }

  /**
   * Compares the caller's routing with the shard that its key is in.
   *
   * @return false when it does not fit; the call is answered then
   */
  boolean fits(PendingCall call, ShardMap map, Shard shard, ByteString key) {
    RequestHeader header = call.header();
    long shardId = header.getShardId();
    if (shardId == 0) {
      return true;
    }
    if (shardId == shard.shardId() && (!header.hasEpoch() || same(header.getEpoch(), shard))) {
      return true;
    }
    ErrorDetail fault = Routing.checkHeader(map, header, key, KeyOrder.next(key));
    if (fault == null) {
      call.fail(
          Failures.badField(
              "header.shard_id",
              "shard " + shardId + " holds the cluster's own data: only Get may name it"));
      return false;
    }
    Shard believed = map.byId(shardId);
    if (believed == null || isNewer(header.getEpoch(), believed)) {
      refreshSoon.run();
    }
    call.fail(fault);
    return false;
  }

  private static boolean same(Epoch epoch, Shard shard) {
    return epoch.getRangeVersion() == shard.epoch().rangeVersion()
        && epoch.getMembershipVersion() == shard.epoch().membershipVersion();
  }

  private static boolean isNewer(Epoch epoch, Shard shard) {
    return epoch.getRangeVersion() > shard.epoch().rangeVersion()
        || epoch.getMembershipVersion() > shard.epoch().membershipVersion();
  }
}
