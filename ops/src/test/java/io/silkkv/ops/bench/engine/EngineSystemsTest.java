package io.silkkv.ops.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.ops.base.OpsException;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineSystemsTest {

  @Test
  void allSystemsOfTheIssueAreThere() {
    assertThat(EngineSystems.names())
        .containsExactly(
            "silkkv-none",
            "silkkv-fixed",
            "silkkv-auto",
            "silkkv-silk",
            "rocksdb",
            "rocksdb-paper",
            "rocksdb-fixed",
            "rocksdb-auto",
            "rocksdb-nocompact");
  }

  @Test
  void severalRatesAreASweep() {
    assertThat(
            EngineSystems.choose(
                List.of("rocksdb", "rocksdb-fixed"), List.of(50_000_000L, 75_000_000L), 0))
        .containsExactly(
            new EngineSystems.Chosen("rocksdb", "rocksdb", 0),
            new EngineSystems.Chosen("rocksdb-fixed-50MB", "rocksdb-fixed", 50_000_000),
            new EngineSystems.Chosen("rocksdb-fixed-75MB", "rocksdb-fixed", 75_000_000));
  }

  @Test
  void anUnknownSystemIsRefusedWithASuggestion() {
    assertThatThrownBy(() -> EngineSystems.choose(List.of("rocksdb-atuo"), List.of(), 0))
        .isInstanceOf(OpsException.class)
        .hasMessageContaining("system 'rocksdb-atuo' is unknown; did you mean 'rocksdb-auto'?");
  }

  @Test
  void whatASystemMustKnowIsAskedFor() {
    assertThatThrownBy(() -> EngineSystems.choose(List.of("silkkv-fixed"), List.of(), 1))
        .hasMessageContaining("--fixed-rate 50MB/s");
    assertThatThrownBy(() -> EngineSystems.choose(List.of("silkkv-silk"), List.of(), 0))
        .hasMessageContaining("--device-limit, or --device-rate");
  }

  @Test
  void aSystemIsNotNamedTwice() {
    assertThatThrownBy(() -> EngineSystems.choose(List.of("rocksdb", "rocksdb"), List.of(), 0))
        .hasMessageContaining("named twice");
  }
}
