package io.silkkv.ops.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.ops.bench.load.Progress;
import io.silkkv.ops.bench.load.Schedule;
import io.silkkv.ops.bench.load.data.OpKind;
import io.silkkv.ops.bench.load.data.OracleFigures;
import io.silkkv.ops.bench.load.figures.GeneratorFigures;
import io.silkkv.ops.bench.load.figures.LoadResult;
import io.silkkv.ops.bench.load.figures.Measurement;
import io.silkkv.ops.bench.load.figures.OpFigures;
import io.silkkv.ops.bench.load.figures.ProcessFigures;
import io.silkkv.ops.bench.load.figures.SecondFigures;
import io.silkkv.ops.bench.load.figures.StorageFigures;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerMessageTest {

  static Stream<WorkerMessage> messages() {
    SecondFigures second = new SecondFigures(3, OpKind.PUT, 100, 99, 1, 5, 6, 7);
    LoadResult load =
        new LoadResult(
            "open",
            2.5,
            List.of(new OpFigures(OpKind.GET, 1.5, 1.25, 9, 0, 0, 1, 2, 3, 4, 5, 6, 0, 7)),
            List.of(second),
            new GeneratorFigures(1, 2, 3, 0.5, 0.25, 4),
            new OracleFigures(1, 2, 0, List.of(), 0),
            List.of("because"),
            List.of());
    Measurement measurement =
        new Measurement(
            "rocksdb",
            "burst",
            1,
            load,
            new ProcessFigures(1.5, 2, 3, 4),
            new StorageFigures(1L, null, 2.5, null, 1.0),
            new TreeMap<>(Map.of("wal", "off")),
            new TreeMap<>(Map.of("flush", List.of(1.0, 2.0))));
    return Stream.of(
        new WorkerMessage.Stage("pre-fill \"1\"\n"),
        new WorkerMessage.Ready(),
        new WorkerMessage.Probed(new DeviceProbe.Result(1.5, 2.5)),
        new WorkerMessage.Running(new Progress(1, 2, 3, 4, 5, List.of(second))),
        new WorkerMessage.Done(measurement),
        new WorkerMessage.Failed("no", 70));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aMessageIsOneLineAndComesBackAsItWas(WorkerMessage message) throws IOException {
    String line = WorkerMessage.encode(message);
    assertThat(line).doesNotContain("\n");
    assertThat(WorkerMessage.decode(line)).isEqualTo(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "hello", "{}", "{\"type\":\"nonsense\"}", "[1]", "{\"type\":"})
  void whatIsNoMessageIsShown(String line) {
    assertThatThrownBy(() -> WorkerMessage.decode(line))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(line);
  }

  @Test
  void aTaskComesBackAsItWas() {
    WorkerTask task =
        new WorkerTask(
            "rocksdb-fixed-50MB",
            "rocksdb-fixed",
            50_000_000,
            2,
            "/data",
            1,
            new WorkloadOptions(
                "burst", 1e4, null, "zipfian", null, 10, null, List.of(1.0), null, 5.0),
            new EngineSettings(1, 2, 3, 4, true, 0, TableCompression.TIERS, 5),
            new RunPlan(
                false, 8, 1.5, Long.MAX_VALUE, Schedule.Arrivals.POISSON, 1, 2, 3, 4, 0.5, 6));
    String line = WorkerMessage.GSON.toJson(task);
    assertThat(line).doesNotContain("\n");
    assertThat(WorkerMessage.GSON.fromJson(line, WorkerTask.class)).isEqualTo(task);
  }
}
