package io.silkkv.router;

import com.google.protobuf.ByteString;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.Mutation;
import io.silkkv.v1.Reason;
import io.silkkv.v1.RequestHeader;
import io.silkkv.v1.WriteRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * From a request to the shards it concerns: pure functions over a {@link ShardMap}, the same in
 * clients and nodes.
 */
public final class Routing {
  /** More shards than this in an error are no cheaper than the whole map. */
  private static final int MOST_ATTACHED = 16;

  private Routing() {}

  /**
   * The keys of a request that lie in one shard.
   *
   * @param shard their shard
   * @param positions where they stand in the request, increasing
   */
  public record KeyGroup(Shard shard, List<Integer> positions) {
    /** Keeps its own list. */
    public KeyGroup {
      positions = List.copyOf(positions);
    }
  }

  /** Where a write goes. */
  public sealed interface WriteRoute {
    /** All its keys lie in this shard. */
    record InShard(Shard shard) implements WriteRoute {}

    /** It cannot be one write. */
    record Refused(ErrorDetail error) implements WriteRoute {}
  }

  /** Groups keys by shard, in the order in which shards first appear. */
  public static List<KeyGroup> groupByShard(ShardMap map, List<ByteString> keys) {
    Map<Long, List<Integer>> positionsByShard = new LinkedHashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      long shardId = map.find(keys.get(i)).shardId();
      positionsByShard.computeIfAbsent(shardId, id -> new ArrayList<>()).add(i);
    }
    List<KeyGroup> groups = new ArrayList<>();
    for (List<Integer> positions : positionsByShard.values()) {
      groups.add(new KeyGroup(map.find(keys.get(positions.get(0))), positions));
    }
    return groups;
  }

  /**
   * The shard of a write. The request must have passed {@link Limits#check(WriteRequest)}.
   * Conditions count: they are checked where the mutations are applied.
   */
  public static WriteRoute route(ShardMap map, WriteRequest request) {
    ByteString first = key(request.getMutations(0));
    Shard shard = map.find(first);
    for (int i = 0; i < request.getMutationsCount(); i++) {
      Mutation mutation = request.getMutations(i);
      if (!isIn(shard, mutation)) {
        ByteString key = key(mutation);
        ByteString next = shard.end();
        // A range that starts in the shard reaches at least the first key behind it.
        ByteString outside = next != null && shard.contains(key) ? next : key;
        return crossing("mutations[" + i + "]", map, first, outside);
      }
    }
    for (int i = 0; i < request.getConditionsCount(); i++) {
      ByteString key = request.getConditions(i).getKey();
      if (!shard.contains(key)) {
        return crossing("conditions[" + i + "]", map, first, key);
      }
    }
    return new WriteRoute.InShard(shard);
  }

  /**
   * Whether the routing in a header still fits the map, for a request about the keys {@code [start,
   * end)}; for a single key, {@code end} is {@link KeyOrder#next} of it. A header without a shard
   * id always fits.
   *
   * @return null when it fits, else SHARD_NOT_FOUND or STALE_EPOCH with the current shards of the
   *     range attached, and those between it and the shard that the caller named: after a split
   *     they fill the place of the shard that the caller knows
   */
  public static @Nullable ErrorDetail checkHeader(
      ShardMap map, RequestHeader header, ByteString start, @Nullable ByteString end) {
    long shardId = header.getShardId();
    if (shardId == 0) {
      return null;
    }
    Shard shard = map.byId(shardId);
    if (shard == null) {
      return outdated(
          map,
          shardId,
          Reason.SHARD_NOT_FOUND,
          "there is no shard " + shardId + " any more",
          start,
          end);
    }
    if (!shard.epoch().toProto().equals(header.getEpoch())) {
      return outdated(
          map,
          shardId,
          Reason.STALE_EPOCH,
          "shard "
              + shardId
              + " is at epoch "
              + shard.epoch()
              + ", the request at "
              + header.getEpoch().getRangeVersion()
              + "."
              + header.getEpoch().getMembershipVersion(),
          start,
          end);
    }
    ByteString reach = KeyOrder.smallerEnd(shard.end(), end);
    boolean inside =
        KeyOrder.compare(shard.start(), start) <= 0
            && (shard.end() == null || (end != null && !end.isEmpty() && end.equals(reach)));
    if (!inside) {
      return outdated(
          map,
          shardId,
          Reason.STALE_EPOCH,
          "the keys from " + KeyText.show(start) + " are not all in " + shard,
          start,
          end);
    }
    return null;
  }

  /** The key that a mutation changes, the first one of a range. */
  public static ByteString key(Mutation mutation) {
    return switch (mutation.getKindCase()) {
      case PUT -> mutation.getPut().getKey();
      case DELETE_RANGE -> mutation.getDeleteRange().getStart();
      case DELETE, KIND_NOT_SET -> mutation.getDelete().getKey();
    };
  }

  /** Whether all that a mutation changes lies in a shard. */
  private static boolean isIn(Shard shard, Mutation mutation) {
    if (!shard.contains(key(mutation))) {
      return false;
    }
    ByteString end = shard.end();
    ByteString rangeEnd = mutation.getDeleteRange().getEnd();
    return !mutation.hasDeleteRange()
        || end == null
        || (!rangeEnd.isEmpty() && KeyOrder.compare(rangeEnd, end) <= 0);
  }

  private static ErrorDetail outdated(
      ShardMap map,
      long namedShardId,
      Reason reason,
      String message,
      ByteString start,
      @Nullable ByteString end) {
    return KvErrors.withCurrentShards(
        KvErrors.refused(reason, message), concerned(map, map.byId(namedShardId), start, end));
  }

  private static List<Shard> concerned(
      ShardMap map, @Nullable Shard named, ByteString start, @Nullable ByteString end) {
    List<Shard> asked = map.overlapping(start, end);
    if (named == null || named.shardId() == ShardMap.META_SHARD_ID) {
      return asked;
    }
    ByteString from = KeyOrder.compare(named.start(), start) < 0 ? named.start() : start;
    List<Shard> span = map.overlapping(from, KeyOrder.largerEnd(named.end(), end));
    return span.size() <= MOST_ATTACHED ? span : asked;
  }

  private static WriteRoute crossing(String field, ShardMap map, ByteString first, ByteString key) {
    return new WriteRoute.Refused(
        KvErrors.badField(
            Reason.CROSS_SHARD_BATCH,
            field,
            "the keys of one write must lie in one shard, but "
                + KeyText.show(first)
                + " is in shard "
                + map.find(first).shardId()
                + " and "
                + KeyText.show(key)
                + " in shard "
                + map.find(key).shardId()
                + ": send one write per shard"));
  }
}
