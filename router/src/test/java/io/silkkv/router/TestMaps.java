package io.silkkv.router;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** Small maps and keys for tests. */
final class TestMaps {
  static final UUID CLUSTER = new UUID(0x1122334455667788L, 0x99aabbccddeeff00L);

  private TestMaps() {}

  static ByteString key(String text) {
    return KeyText.parse(text);
  }

  static List<ByteString> keys(String... texts) {
    return Arrays.stream(texts).map(TestMaps::key).toList();
  }

  static List<NodeInfo> nodes(int count) {
    List<NodeInfo> nodes = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      nodes.add(
          new NodeInfo("n" + i, "127.0.0.1:740" + i, "127.0.0.1:750" + i, "127.0.0.1:760" + i));
    }
    return nodes;
  }

  static ShardMap map(String... splitPoints) {
    return ShardMap.initial(CLUSTER, nodes(3), keys(splitPoints));
  }

  static Shard shard(long id, String start, String end, long rangeVersion) {
    return new Shard(
        id,
        key(start),
        key(end),
        new ShardEpoch(rangeVersion, 1),
        List.of(new ReplicaRef("n1", "n1")),
        ShardMap.groupId(CLUSTER, id));
  }
}
