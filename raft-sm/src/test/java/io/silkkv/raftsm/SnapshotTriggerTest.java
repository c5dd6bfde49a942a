package io.silkkv.raftsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.api.LogPosition;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SnapshotTriggerTest {
  private final ArrayDeque<CompletableFuture<Boolean>> asked = new ArrayDeque<>();
  private LogPosition durable = new LogPosition(1, 0, 0);
  private boolean wouldHelp = true;

  private final SnapshotTrigger trigger =
      new SnapshotTrigger(
          "shard 7",
          () -> durable,
          () -> wouldHelp,
          () -> {
            asked.add(new CompletableFuture<>());
            return asked.getLast();
          });

  @Test
  void aSuccessThatChangesNothingIsNotFollowedByAnotherRequest() {
    AtomicInteger requests = new AtomicInteger();
    SnapshotTrigger empty =
        new SnapshotTrigger(
            "shard 7",
            () -> durable,
            () -> true,
            () -> {
              requests.incrementAndGet();
              // Ratis answers so, within the call, to a log that holds entry 0 only.
              return CompletableFuture.completedFuture(true);
            });

    empty.run();
    assertThat(requests).hasValue(1);

    durable = new LogPosition(1, 5, 3);
    empty.run();
    assertThat(requests).hasValue(2);
  }

  @Test
  void aFlushDuringARequestIsToldAfterwards() {
    trigger.run();
    durable = new LogPosition(1, 9, 3);
    trigger.run();
    assertThat(asked).hasSize(1);

    asked.remove().complete(true);
    assertThat(asked).hasSize(1);

    asked.remove().complete(true);
    assertThat(asked).isEmpty();
  }

  @Test
  void aRequestThatFailsIsRepeatedByTheNextFlush() {
    trigger.run();
    asked.remove().completeExceptionally(new IllegalStateException("the server is closing"));
    assertThat(asked).isEmpty();
    trigger.run();
    asked.remove().complete(false);
    assertThat(asked).isEmpty();
    trigger.run();
    assertThat(asked).hasSize(1);
  }

  @Test
  void nothingIsAskedWhenItWouldNotHelp() {
    wouldHelp = false;
    trigger.run();
    assertThat(asked).isEmpty();
  }
}
