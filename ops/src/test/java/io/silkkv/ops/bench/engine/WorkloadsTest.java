package io.silkkv.ops.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.bench.load.Phase;
import io.silkkv.ops.bench.load.data.OpKind;
import io.silkkv.ops.bench.load.data.Operation;
import io.silkkv.ops.bench.load.data.OperationSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class WorkloadsTest {
  private static final long SEED = 7;
  private static final int DRAWS = 60_000;

  private static WorkloadOptions options(String name, Double rate, String mix, String keys) {
    return new WorkloadOptions(name, rate, mix, keys, null, null, null, null, null, null);
  }

  private static WorkloadOptions peaks(
      String name, Double rate, List<Double> peaks, Double valley, Double valleyRate) {
    return new WorkloadOptions(name, rate, null, null, null, null, null, peaks, valley, valleyRate);
  }

  private static Map<OpKind, Double> shares(Workload workload) {
    OperationSource source = workload.source(SEED, 1000);
    Map<OpKind, Double> shares = new EnumMap<>(OpKind.class);
    for (int i = 0; i < DRAWS; i++) {
      shares.merge(source.operation(i).kind(), 1.0 / DRAWS, Double::sum);
    }
    return shares;
  }

  static Set<String> names() {
    return Workloads.names();
  }

  @Test
  void allWorkloadsOfTheIssueAreThere() {
    assertThat(Workloads.names())
        .containsExactly(
            "fill",
            "burst",
            "long-peak",
            "nutanix",
            "mixed-size",
            "ycsb-a",
            "ycsb-b",
            "ycsb-c",
            "ycsb-d",
            "ycsb-e",
            "ycsb-f",
            "overwrite-space",
            "delete-queue");
  }

  @ParameterizedTest
  @MethodSource("names")
  void theRateIsThatOfThePeakAndScalesTheRest(String name) {
    Workload plain = Workloads.create(WorkloadOptions.of(name));
    Workload halved = Workloads.create(options(name, plain.peak() / 2, null, null));
    assertThat(halved.peak()).isEqualTo(plain.peak() / 2);
    assertThat(halved.phases()).hasSameSizeAs(plain.phases());
    for (int i = 0; i < plain.phases().size(); i++) {
      assertThat(halved.phases().get(i).opsPerSecond())
          .isCloseTo(plain.phases().get(i).opsPerSecond() / 2, within(1e-6));
      assertThat(halved.phases().get(i).seconds()).isEqualTo(plain.phases().get(i).seconds());
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void theSharesThatTheSizeOfTheDeviceFollowsFromAreThoseOfTheOperations(String name) {
    Workload workload = Workloads.create(WorkloadOptions.of(name));
    Map<OpKind, Double> shares = shares(workload);
    double puts = shares.getOrDefault(OpKind.PUT, 0.0) + shares.getOrDefault(OpKind.RMW, 0.0);
    assertThat(workload.recipe().putShare()).isCloseTo(puts, within(0.01));
  }

  @Test
  void aBurstIsFiftySecondsOfPeakAndTenOfValley() {
    assertThat(Workloads.create(WorkloadOptions.of("burst")).phases())
        .containsExactly(new Phase(50, 20_000), new Phase(10, 1_000));
  }

  @Test
  void longPeaksFollowEachOther() {
    assertThat(Workloads.create(WorkloadOptions.of("long-peak")).phases())
        .extracting(Phase::seconds)
        .containsExactly(10.0, 10.0, 50.0, 10.0, 100.0, 10.0, 500.0, 10.0);
  }

  @Test
  void peaksAndValleysCanBeChosen() {
    assertThat(
            Workloads.create(peaks("long-peak", 4_000.0, List.of(3.0, 5.0), 2.0, 100.0)).phases())
        .containsExactly(
            new Phase(3, 4_000), new Phase(2, 100), new Phase(5, 4_000), new Phase(2, 100));
    assertThat(Workloads.create(peaks("burst", null, List.of(3.0), 0.0, null)).phases())
        .containsExactly(new Phase(3, 20_000));
  }

  @Test
  void theTraceHasManyShortPeaksAndSomeLongOnes() {
    List<Phase> phases = Workloads.create(WorkloadOptions.of("nutanix")).phases();
    List<Double> peaks = new ArrayList<>();
    for (int i = 0; i < phases.size(); i += 2) {
      Phase peak = phases.get(i);
      Phase valley = phases.get(i + 1);
      assertThat(peak.opsPerSecond()).isBetween(10_000.0, 20_000.0);
      assertThat(peak.seconds()).isBetween(10.0, 400.0);
      assertThat(valley.opsPerSecond()).isBetween(200.0, 1_000.0);
      assertThat(valley.seconds()).isBetween(5.0, 20.0);
      peaks.add(peak.seconds());
    }
    assertThat(phases.get(0).opsPerSecond()).isEqualTo(20_000);
    long brief = peaks.stream().filter(seconds -> seconds <= 20).count();
    assertThat(brief / (double) peaks.size()).isBetween(0.8, 0.97);
    assertThat(peaks).anyMatch(seconds -> seconds > 100);
  }

  @Test
  void theTraceHasItsMix() {
    Map<OpKind, Double> shares = shares(Workloads.create(WorkloadOptions.of("nutanix")));
    assertThat(shares.get(OpKind.PUT)).isCloseTo(0.57, within(0.02));
    assertThat(shares.get(OpKind.GET)).isCloseTo(0.41, within(0.02));
    assertThat(shares.get(OpKind.SCAN)).isCloseTo(0.02, within(0.01));
  }

  @Test
  void mixedSizesHaveTheirShares() {
    OperationSource source =
        Workloads.create(options("mixed-size", null, "put=1", null)).source(SEED, 1000);
    int tiny = 0;
    int large = 0;
    for (int i = 0; i < DRAWS; i++) {
      int bytes = source.operation(i).valueBytes();
      assertThat(bytes).isBetween(1, 1_000_000);
      tiny += bytes <= 15 ? 1 : 0;
      large += bytes > 1500 ? 1 : 0;
    }
    assertThat(tiny / (double) DRAWS).isCloseTo(0.4, within(0.01));
    assertThat(large / (double) DRAWS).isCloseTo(0.001, within(0.0006));
  }

  @Test
  void aMixCanBeChosen() {
    Workload workload =
        Workloads.create(options("burst", null, "insert=1,put=2,rmw=1,delete=0", null));
    Map<OpKind, Double> shares = shares(workload);
    assertThat(shares.get(OpKind.PUT)).isCloseTo(0.75, within(0.01));
    assertThat(shares.get(OpKind.RMW)).isCloseTo(0.25, within(0.01));
    assertThat(shares).doesNotContainKey(OpKind.DELETE);
    assertThat(workload.recipe().keysPerOperation()).isEqualTo(0.25);
  }

  @Test
  void aFillPutsNewKeysOnly() {
    OperationSource source = Workloads.create(WorkloadOptions.of("fill")).source(SEED, 500);
    assertThat(source.operation(0).kind()).isEqualTo(OpKind.PUT);
    assertThat(source.operation(0).key()).isEqualTo(500);
    assertThat(source.operation(1).key()).isEqualTo(501);
  }

  @Test
  void theQueueKeepsItsLengthAndLosesItsHead() {
    OperationSource source = Workloads.create(WorkloadOptions.of("delete-queue")).source(SEED, 10);
    assertThat(source.operation(0)).isEqualTo(Operation.put(10, 256));
    assertThat(source.operation(1)).isEqualTo(Operation.seek(0));
    assertThat(source.operation(2)).isEqualTo(Operation.delete(0));
    assertThat(source.operation(3)).isEqualTo(Operation.put(11, 256));
    assertThat(source.operation(5)).isEqualTo(Operation.delete(1));
  }

  @Test
  void keysCanBeLonger() {
    Workload workload =
        Workloads.create(
            new WorkloadOptions("burst", null, null, null, 24, 100, null, null, null, null));
    assertThat(workload.entryBytes(SEED)).isEqualTo(124);
    byte[] key = workload.keyFormat().key(5);
    assertThat(key).hasSize(24).startsWith(new byte[16]);
    assertThat(workload.keyFormat().index(key)).isEqualTo(5);
    key[0] = 1;
    assertThat(workload.keyFormat().index(key)).isEqualTo(-1);
  }

  @Test
  void aPrefillHasTheKeysThatMakeUpItsBytes() {
    Workload workload = Workloads.create(WorkloadOptions.of("burst"));
    assertThat(workload.entryBytes(SEED)).isEqualTo(1032);
    assertThat(workload.keysIn(2_064_000, SEED)).isEqualTo(2000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "brust|-|-|-|did you mean 'burst'?",
        "burst|0|-|-|--rate is 0.0",
        "burst|-|put|-|is not of the form put=50,get=50",
        "burst|-|put=1,put=2|-|is not of the form put=50,get=50",
        "burst|-|put=x|-|is not of the form put=50,get=50",
        "burst|-|put=0|-|leaves nothing to do",
        "burst|-|putt=1|-|did you mean 'put'?",
        "burst|-|-|zipfain|did you mean 'zipfian'?",
        "delete-queue|-|put=1|-|has a fixed order of operations",
      })
  void whatIsWrongIsNamed(String name, Double rate, String mix, String keys, String message) {
    assertThatThrownBy(() -> Workloads.create(options(name, rate, mix, keys)))
        .isInstanceOf(OpsException.class)
        .hasMessageContaining(message);
  }

  @Test
  void peaksOfASteadyWorkloadAreRefused() {
    assertThatThrownBy(() -> Workloads.create(peaks("ycsb-a", null, List.of(1.0), null, null)))
        .hasMessageContaining("workload 'ycsb-a' has no peaks and valleys");
    assertThatThrownBy(() -> Workloads.create(peaks("burst", 100.0, null, null, 200.0)))
        .hasMessageContaining("--valley-rate is 200.0");
  }
}
