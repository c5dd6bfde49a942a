package io.silkkv.ops.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class NodeIoTest {
  @Test
  void bytesOfBothDirectionsAreAddedUpByClass() {
    String metrics =
        """
        # TYPE silkkv_io_bytes counter
        silkkv_io_bytes_total{class="flush",direction="read"} 5.0
        silkkv_io_bytes_total{class="flush",direction="write"} 1.5E9
        silkkv_io_bytes_total{class="l0",direction="write"} 7.0
        silkkv_io_bytes_total{class="client_read",direction="read"} 9.0
        silkkv_io_operations_total{class="l0",direction="write"} 3.0
        jvm_threads_live_threads 20.0
        """;
    assertThat(NodeIo.parse(metrics))
        .containsExactly(
            Map.entry("client", 9.0), Map.entry("flush", 1.5e9 + 5), Map.entry("l0", 7.0));
  }

  @Test
  void aSeriesHoldsWhatEachSecondAdded() {
    List<SortedMap<String, Double>> totals =
        List.of(of(10, 0), of(30, 5), of(20, 5), new TreeMap<>());
    assertThat(IoSeries.differences(totals))
        .containsExactly(
            // A member that was killed takes its count along: that is no traffic.
            Map.entry("deep", List.of(5.0, 0.0, 0.0)), Map.entry("log", List.of(20.0, 0.0, 0.0)));
  }

  private static SortedMap<String, Double> of(double log, double deep) {
    return new TreeMap<>(Map.of("log", log, "deep", deep));
  }

  @Test
  void aSystemThatTellsNothingHasNoSeries() {
    assertThat(IoSeries.differences(List.of(new TreeMap<>(), new TreeMap<>()))).isEmpty();
  }
}
