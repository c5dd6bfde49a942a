package io.silkkv.ops.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.ops.bench.load.data.OpKind;
import io.silkkv.ops.bench.load.figures.OpFigures;
import io.silkkv.ops.bench.load.figures.SecondFigures;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecorderTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  @Test
  void aSecondOfAnOpenLoopIsFinalWhenAllThatWasDueInItIsCounted() {
    Recorder recorder = Recorder.open(Schedule.constant(3, 2), SECOND);
    recorder.answered(OpKind.GET, 0, 5 * MILLI);
    assertThat(recorder.closeSeconds(3 * SECOND)).isEmpty();
    recorder.answered(OpKind.PUT, SECOND, SECOND + 7 * MILLI);
    recorder.answered(OpKind.PUT, SECOND + 500 * MILLI, 2 * SECOND + 100 * MILLI);
    assertThat(recorder.closeSeconds(2 * SECOND))
        .singleElement()
        .returns(1, SecondFigures::second)
        .returns(2L, SecondFigures::count)
        .returns(1L, SecondFigures::finished);
    recorder.failed(OpKind.GET, 500 * MILLI, 600 * MILLI);
    assertThat(recorder.closeSeconds(3 * SECOND)).isEmpty();
    recorder.answered(OpKind.GET, 2 * SECOND, 2 * SECOND + 300 * MILLI);
    assertThat(recorder.closeSeconds(3 * SECOND))
        .singleElement()
        .returns(0, SecondFigures::second)
        .returns(2L, SecondFigures::count)
        .returns(1L, SecondFigures::errors)
        .satisfies(second -> assertThat(second.max()).isBetween(1_798 * MILLI, 1_812 * MILLI));
    recorder.unanswered(OpKind.GET, 2 * SECOND + 500 * MILLI, 4 * SECOND);
    List<SecondFigures> all = recorder.finish(4 * SECOND);
    assertThat(all).extracting(SecondFigures::second).containsExactly(0, 1, 2, 2);
    assertThat(all.get(2).op()).isEqualTo(OpKind.PUT);
    assertThat(all.get(2).finished()).isEqualTo(1);
    OpFigures gets = recorder.figures(3, 4).get(1);
    assertThat(gets.op()).isEqualTo(OpKind.GET);
    assertThat(gets.unanswered()).isEqualTo(1);
    assertThat(gets.count()).isEqualTo(4);
    assertThat(gets.offeredPerSecond()).isEqualTo(4 / 3.0);
    assertThat(gets.opsPerSecond()).isEqualTo(0.5);
  }

  @Test
  void aSystemThatFailsFastIsNotAFastSystem() {
    Recorder recorder = Recorder.open(Schedule.constant(4, 100), SECOND);
    for (int i = 0; i < 400; i++) {
      long due = i * 10L * MILLI;
      boolean down = i >= 100 && i < 300;
      if (down) {
        recorder.failed(OpKind.PUT, due, due + MILLI);
      } else {
        recorder.answered(OpKind.PUT, due, due + MILLI);
      }
    }
    recorder.failed(OpKind.GET, 3 * SECOND, 3 * SECOND);
    List<SecondFigures> seconds = recorder.finish(5 * SECOND);
    OpFigures puts = recorder.figures(4, 4).get(0);
    assertThat(puts.count()).isEqualTo(400);
    assertThat(puts.errors()).isEqualTo(200);
    assertThat(puts.p50()).isLessThan(30 * MILLI);
    assertThat(puts.p99()).isBetween(1_950 * MILLI, 2_000 * MILLI);
    assertThat(puts.stallNanos()).isBetween(2_000 * MILLI, 2_002 * MILLI);
    assertThat(seconds.get(1).p50()).isBetween(1_450 * MILLI, 1_550 * MILLI);
    // Until the end nobody succeeded.
    OpFigures gets = recorder.figures(4, 4).get(1);
    assertThat(gets.max()).isBetween(1_998 * MILLI, 2_002 * MILLI);
  }

  @Test
  void stallsAreTimesInWhichSomethingWasDueAndNothingWasAnswered() {
    Recorder recorder = Recorder.closed(100);
    // A silence without anything due is no stall.
    recorder.answered(OpKind.GET, SECOND, SECOND + MILLI);
    recorder.answered(OpKind.GET, 5 * SECOND, 5 * SECOND + MILLI);
    // 300 ms, with two under way: counted once.
    recorder.answered(OpKind.GET, 5 * SECOND + 100 * MILLI, 5 * SECOND + 400 * MILLI);
    recorder.answered(OpKind.GET, 5 * SECOND + 110 * MILLI, 5 * SECOND + 401 * MILLI);
    // 99 ms are none.
    recorder.answered(OpKind.GET, 6 * SECOND, 6 * SECOND + 99 * MILLI);
    // Quick failures for 2 s.
    for (int i = 0; i < 200; i++) {
      long due = 7 * SECOND + i * 10L * MILLI;
      recorder.failed(OpKind.GET, due, due + MILLI);
    }
    recorder.answered(OpKind.GET, 9 * SECOND, 9 * SECOND);
    // Failures until the end.
    recorder.failed(OpKind.PUT, 10 * SECOND, 10 * SECOND + MILLI);
    recorder.finish(11 * SECOND);
    List<OpFigures> figures = recorder.figures(10, 10);
    assertThat(figures.get(0).stallNanos()).isEqualTo(SECOND);
    assertThat(figures.get(1).stallNanos()).isEqualTo(2_300 * MILLI);
  }

  @Test
  void aSecondIsBadWhenItsP99IsOverTenTimesTheMedian() {
    Recorder recorder = Recorder.closed(20);
    for (int second = 0; second < 9; second++) {
      long latency = second == 3 ? 11 * MILLI : second == 4 ? 9 * MILLI : MILLI;
      long end = second * SECOND + 500 * MILLI;
      recorder.answered(OpKind.GET, end - latency, end);
    }
    recorder.finish(9 * SECOND);
    assertThat(recorder.figures(9, 9).get(0).badSeconds()).isEqualTo(1);
  }

  @Test
  void nothingIsLostWhileSecondsAreClosed() throws Exception {
    int threads = 4;
    long perThread = 50_000;
    Recorder recorder = Recorder.closed(60);
    List<Thread> writers = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      Thread writer =
          new Thread(
              () -> {
                for (int i = 0; i < perThread; i++) {
                  // 50 seconds pass, many times faster than the closer looks.
                  long end = (long) i * 50 * SECOND / perThread;
                  recorder.answered(OpKind.PUT, end - 1, end);
                }
              });
      writer.start();
      writers.add(writer);
    }
    long now = 0;
    while (writers.stream().anyMatch(Thread::isAlive)) {
      now = Math.min(50 * SECOND, now + SECOND / 10);
      recorder.closeSeconds(now);
    }
    List<SecondFigures> all = recorder.finish(50 * SECOND);
    assertThat(all.stream().mapToLong(SecondFigures::count).sum()).isEqualTo(threads * perThread);
    assertThat(all.stream().mapToLong(SecondFigures::finished).sum())
        .isEqualTo(threads * perThread);
    assertThat(recorder.figures(50, 50).get(0).count()).isEqualTo(threads * perThread);
  }
}
