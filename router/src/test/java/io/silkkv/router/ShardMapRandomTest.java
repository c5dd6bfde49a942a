package io.silkkv.router;

import static io.silkkv.router.TestMaps.CLUSTER;
import static io.silkkv.router.TestMaps.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.RequestHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Lookups against a naive walk over all shards; repeat one run with -Dsilkkv.seed=N. */
class ShardMapRandomTest {
  private final long seed = Long.getLong("silkkv.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void lookupsAgreeWithANaiveWalk() {
    for (int round = 0; round < 300; round++) {
      ShardMap map = randomMap();
      assertThat(ShardMap.fromProto(map.toProto())).isEqualTo(map);
      for (int i = 0; i < 50; i++) {
        ByteString key = randomKey();
        ByteString end = randomKey();
        String what = "seed " + seed + " round " + round + " key " + KeyText.show(key);
        assertThat(map.find(key)).as(what).isEqualTo(naiveFind(map, key));
        assertThat(map.overlapping(key, end)).as(what).isEqualTo(naiveOverlap(map, key, end));
        if (!end.isEmpty()) {
          assertThat(map.findBefore(end)).as(what).isEqualTo(naiveBefore(map, end));
        }
      }
    }
  }

  @Test
  void groupingKeepsEveryKeyOnceAndInItsShard() {
    for (int round = 0; round < 300; round++) {
      ShardMap map = randomMap();
      List<ByteString> keys = new ArrayList<>();
      for (int i = random.nextInt(40); i > 0; i--) {
        keys.add(randomKey());
      }
      List<Integer> seen = new ArrayList<>();
      for (Routing.KeyGroup group : Routing.groupByShard(map, keys)) {
        assertThat(group.positions()).as("seed " + seed).isSorted().isNotEmpty();
        group.positions().forEach(i -> assertThat(group.shard().contains(keys.get(i))).isTrue());
        seen.addAll(group.positions());
      }
      assertThat(seen).as("seed " + seed).doesNotHaveDuplicates().hasSize(keys.size());
    }
  }

  @Test
  void anErrorAfterSplitsHealsTheOldMapOrNothing() {
    int healedMaps = 0;
    for (int round = 0; round < 500; round++) {
      ShardMap old = randomMap();
      ShardMap current = old;
      for (int i = random.nextInt(4); i >= 0; i--) {
        current = split(current, randomKey());
      }
      ByteString key = randomKey();
      Shard believed = old.find(key);
      RequestHeader header =
          RequestHeader.newBuilder()
              .setShardId(believed.shardId())
              .setEpoch(believed.epoch().toProto())
              .build();
      ErrorDetail error = Routing.checkHeader(current, header, key, KeyOrder.next(key));
      if (error == null) {
        assertThat(current.find(key)).as("seed " + seed).isEqualTo(believed);
        continue;
      }
      ShardMap healed =
          old.withCurrent(error.getCurrentShardsList().stream().map(Shard::fromProto).toList());
      if (healed != null) {
        healedMaps++;
        assertThat(healed.find(key)).as("seed " + seed).isEqualTo(current.find(key));
      }
    }
    assertThat(healedMaps).as("seed " + seed).isGreaterThan(20);
  }

  private static ShardMap split(ShardMap map, ByteString point) {
    Shard old = map.find(point);
    if (point.equals(old.start())) {
      return map;
    }
    ShardEpoch epoch = new ShardEpoch(old.epoch().rangeVersion() + 1, 1);
    long newId = map.shards().stream().mapToLong(Shard::shardId).max().orElseThrow() + 1;
    List<Shard> shards = new ArrayList<>(map.shards());
    int at = shards.indexOf(old);
    shards.set(
        at, new Shard(old.shardId(), old.start(), point, epoch, old.replicas(), old.groupId()));
    shards.add(
        at + 1,
        new Shard(
            newId, point, old.end(), epoch, old.replicas(), ShardMap.groupId(CLUSTER, newId)));
    return new ShardMap(map.version() + 1, CLUSTER, map.meta(), shards, map.nodes());
  }

  @Test
  void keyTextReadsBackWhatItWrote() {
    for (int round = 0; round < 2000; round++) {
      byte[] bytes = new byte[random.nextInt(20)];
      random.nextBytes(bytes);
      ByteString key = ByteString.copyFrom(bytes);
      assertThat(KeyText.parse(KeyText.format(key))).as("seed " + seed).isEqualTo(key);
    }
  }

  @Test
  void theEndOfAPrefixSeparatesItsKeysFromAllOthers() {
    for (int round = 0; round < 5000; round++) {
      ByteString prefix = randomKey();
      ByteString key = randomKey();
      boolean inRange = KeyOrder.inRange(key, prefix, KeyOrder.endOfPrefix(prefix));
      assertThat(inRange).as("seed " + seed).isEqualTo(key.startsWith(prefix));
    }
  }

  private ShardMap randomMap() {
    TreeSet<ByteString> points = new TreeSet<>(KeyOrder::compare);
    for (int i = random.nextInt(20); i > 0; i--) {
      points.add(randomKey());
    }
    points.remove(ByteString.EMPTY);
    return ShardMap.initial(CLUSTER, nodes(1 + random.nextInt(5)), List.copyOf(points));
  }

  /** Short keys of few bytes, so that they often meet split points; 0xFF tests the signs. */
  private ByteString randomKey() {
    byte[] alphabet = {0, 'a', 0x7F, (byte) 0x80, (byte) 0xFF};
    byte[] bytes = new byte[random.nextInt(4)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = alphabet[random.nextInt(alphabet.length)];
    }
    return ByteString.copyFrom(bytes);
  }

  private static boolean less(ByteString left, ByteString right) {
    return java.util.Arrays.compareUnsigned(left.toByteArray(), right.toByteArray()) < 0;
  }

  private static Shard naiveFind(ShardMap map, ByteString key) {
    for (Shard shard : map.shards()) {
      if (!less(key, shard.start()) && (shard.end() == null || less(key, shard.end()))) {
        return shard;
      }
    }
    throw new AssertionError("no shard holds " + KeyText.show(key));
  }

  private static List<Shard> naiveOverlap(ShardMap map, ByteString start, ByteString end) {
    List<Shard> overlapping = new ArrayList<>();
    for (Shard shard : map.shards()) {
      ByteString from = less(start, shard.start()) ? shard.start() : start;
      boolean beforeOwnEnd = shard.end() == null || less(from, shard.end());
      boolean beforeGivenEnd = end.isEmpty() || less(from, end);
      if (beforeOwnEnd && beforeGivenEnd && (end.isEmpty() || less(start, end))) {
        overlapping.add(shard);
      }
    }
    return overlapping;
  }

  private static Shard naiveBefore(ShardMap map, ByteString end) {
    Shard last = map.shards().get(0);
    for (Shard shard : map.shards()) {
      if (less(shard.start(), end)) {
        last = shard;
      }
    }
    return last;
  }
}
