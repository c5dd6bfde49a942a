package io.silkkv.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OutboxTest {
  private final Queue<Runnable> loop = new ArrayDeque<>();
  private final Recorder transport = new Recorder();
  private final Outbox<String> outbox = new Outbox<>(loop::add, transport, String::length, 10);

  @Test
  void whatGathersBeforeTheSenderRunsLeavesAsOneMessage() {
    outbox.add("a");
    outbox.add("b");
    outbox.add("c");

    assertThat(loop).as("one wake-up").hasSize(1);
    run();

    assertThat(transport.messages).containsExactly(List.of("a", "b", "c"));
    assertThat(outbox.queuedBytes()).isZero();
  }

  @Test
  void aMessageIsClosedWhenItIsFull() {
    IntStream.range(0, 5).forEach(i -> outbox.add("four"));
    run();

    assertThat(transport.messages)
        .containsExactly(List.of("four", "four", "four"), List.of("four", "four"));
  }

  @Test
  void nothingIsSentWhileTheTransportIsFull() {
    transport.ready = false;
    outbox.add("a");
    run();
    outbox.add("b");
    run();
    assertThat(transport.messages).isEmpty();
    assertThat(outbox.queuedBytes()).isEqualTo(2);

    transport.ready = true;
    outbox.wake();
    run();

    assertThat(transport.messages).containsExactly(List.of("a", "b"));
  }

  @Test
  void aHeldStretchSendsAtItsEndWithoutAWakeUp() {
    boolean held = outbox.hold();
    outbox.add("a");
    outbox.add("b");
    assertThat(transport.messages).isEmpty();

    outbox.letGo(held);

    assertThat(loop).isEmpty();
    assertThat(transport.messages).containsExactly(List.of("a", "b"));
    outbox.add("c");
    run();
    assertThat(transport.messages).hasSize(2);
  }

  @Test
  void aStretchDuringAScheduledSendLeavesSendingToIt() {
    outbox.add("a");
    boolean held = outbox.hold();
    outbox.add("b");
    outbox.letGo(held);
    assertThat(transport.messages).isEmpty();

    run();

    assertThat(transport.messages).containsExactly(List.of("a", "b"));
  }

  @Test
  void manyThreadsLoseNothingAndNeverSendAtTheSameTime() throws Exception {
    int threads = 4;
    int each = 20_000;
    ExecutorService senders = Executors.newFixedThreadPool(2);
    AtomicInteger sending = new AtomicInteger();
    AtomicInteger overlaps = new AtomicInteger();
    AtomicInteger sent = new AtomicInteger();
    CountDownLatch all = new CountDownLatch(threads * each);
    Outbox<Integer> shared =
        new Outbox<>(
            senders,
            new Outbox.Transport<>() {
              @Override
              public boolean ready() {
                return true;
              }

              @Override
              public void send(List<Integer> items) {
                if (sending.getAndIncrement() != 0) {
                  overlaps.incrementAndGet();
                }
                sent.addAndGet(items.size());
                sending.decrementAndGet();
                items.forEach(item -> all.countDown());
              }
            },
            item -> 1,
            100);
    ExecutorService producers = Executors.newFixedThreadPool(threads);
    for (int t = 0; t < threads; t++) {
      var unused =
          producers.submit(
              () -> {
                for (int i = 0; i < each; i++) {
                  if (i % 100 == 0) {
                    boolean held = shared.hold();
                    shared.add(i);
                    shared.letGo(held);
                  } else {
                    shared.add(i);
                  }
                }
              });
    }

    assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
    producers.shutdownNow();
    senders.shutdownNow();
    assertThat(overlaps).hasValue(0);
    assertThat(sent).hasValue(threads * each);
    assertThat(shared.queuedBytes()).isZero();
  }

  private void run() {
    for (Runnable task = loop.poll(); task != null; task = loop.poll()) {
      task.run();
    }
  }

  private static final class Recorder implements Outbox.Transport<String> {
    private final List<List<String>> messages = new ArrayList<>();
    private boolean ready = true;

    @Override
    public boolean ready() {
      return ready;
    }

    @Override
    public void send(List<String> items) {
      messages.add(items);
    }
  }
}
