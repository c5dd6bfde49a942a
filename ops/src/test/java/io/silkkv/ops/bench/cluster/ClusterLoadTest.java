package io.silkkv.ops.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.ops.bench.cluster.ClusterLoad.ClusterOp;
import io.silkkv.ops.bench.load.data.OpKind;
import io.silkkv.ops.bench.load.data.Operation;
import io.silkkv.ops.bench.load.data.OperationSource;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterLoadTest {
  private static ClusterLoad load(int shards, double rate) {
    return new ClusterLoad(64, 1024, 1000, 100, shards, rate);
  }

  @Test
  void oneShardIsNotSplit() {
    assertThat(load(1, 0).splitAt()).isEmpty();
  }

  @Test
  void everyShardGetsItsShareOfTheKeys() {
    ClusterLoad load = load(3, 0);
    List<String> splits = load.splitAt();
    assertThat(splits).containsExactly("b/5555555555555555", "b/aaaaaaaaaaaaaaaa");
    int[] keys = new int[3];
    for (long i = 0; i < 3000; i++) {
      String key = new String(ClusterLoad.keyFormat().key(i), StandardCharsets.UTF_8);
      int at = Collections.binarySearch(splits, key);
      keys[at >= 0 ? at + 1 : -at - 1]++;
    }
    for (int count : keys) {
      assertThat(count).isBetween(850, 1150);
    }
  }

  @Test
  void eachOperationIsWhatItsNameSays() {
    assertThat(kinds(ClusterOp.PUT)).containsOnlyKeys(OpKind.PUT);
    assertThat(kinds(ClusterOp.GET)).containsOnlyKeys(OpKind.GET);
    assertThat(kinds(ClusterOp.SCAN)).containsOnlyKeys(OpKind.SCAN);
    assertThat(kinds(ClusterOp.MIXED)).containsOnlyKeys(OpKind.PUT, OpKind.GET);
    assertThat(kinds(ClusterOp.MIXED).get(OpKind.PUT)).isBetween(400, 600);
  }

  private static Map<OpKind, Integer> kinds(ClusterOp op) {
    Map<OpKind, Integer> kinds = new EnumMap<>(OpKind.class);
    OperationSource source = load(1, 0).operations(op);
    for (long number = 0; number < 1000; number++) {
      Operation operation = source.operation(number);
      kinds.merge(operation.kind(), 1, Integer::sum);
      assertThat(operation.key()).isBetween(0L, 999L);
    }
    return kinds;
  }

  @Test
  void theNameOfAWorkloadTellsLoadsApart() {
    assertThat(load(1, 0).workload(ClusterOp.PUT, Fault.NONE)).isEqualTo("put-inflight64-1024B");
    assertThat(load(4, 2000).workload(ClusterOp.SCAN, Fault.KILL_LEADER))
        .isEqualTo("scan100-2000/s-inflight64-1024B-4shards-kill-leader");
  }

  @Test
  void namesOfOptionsAreReadAsTheyAreWritten() {
    for (ClusterOp op : ClusterOp.values()) {
      assertThat(ClusterOp.ofOptionName(op.optionName())).isEqualTo(op);
    }
    for (Fault fault : Fault.values()) {
      assertThat(Fault.ofOptionName(fault.optionName())).isEqualTo(fault);
    }
    assertThatThrownBy(() -> ClusterOp.ofOptionName("post"))
        .hasMessageContaining("choose from put, get, mixed, scan");
    assertThatThrownBy(() -> Fault.ofOptionName("kill"))
        .hasMessageContaining("choose from none, kill-leader, pause-follower");
  }
}
