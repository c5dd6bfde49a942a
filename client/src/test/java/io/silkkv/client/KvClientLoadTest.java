package io.silkkv.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KvClientLoadTest {
  private final FakeCluster cluster = new FakeCluster(1);

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void concurrentCallsShareMessages() {
    try (KvClient client = cluster.client().build()) {
      client.get("warm");
      long messagesBefore = cluster.messages();
      List<CompletableFuture<?>> calls = new ArrayList<>();
      for (int i = 0; i < 2000; i++) {
        calls.add(client.async().put("k" + i, "v"));
      }
      CompletableFuture.allOf(calls.toArray(CompletableFuture<?>[]::new)).join();

      assertThat(cluster.calls()).isEqualTo(2001);
      assertThat(cluster.messages() - messagesBefore).isLessThan(1000);
    }
  }

  @Test
  void callsThatWaitForABusyNodeArePackedUpToTheMessageLimit() {
    try (KvClient client = cluster.client().deadline(Duration.ofSeconds(30)).build()) {
      client.get("warm");
      long messagesBefore = cluster.messages();
      CountDownLatch gate = new CountDownLatch(1);
      cluster.node("n1").gate(gate);
      byte[] value = new byte[64 << 10];
      List<CompletableFuture<?>> calls = new ArrayList<>();
      for (int i = 0; i < 256; i++) {
        calls.add(client.async().put(("k" + i).getBytes(UTF_8), value));
      }
      gate.countDown();
      CompletableFuture.allOf(calls.toArray(CompletableFuture<?>[]::new)).join();
      // 16 MiB in messages of up to 1 MiB.
      assertThat(cluster.messages() - messagesBefore).isBetween(16L, 200L);
      assertThat(cluster.applied()).isEqualTo(256);
    }
  }

  @Test
  void anAsynchronousCallBeyondTheLimitFailsAtOnceAndASynchronousOneWaits() throws Exception {
    try (KvClient client = cluster.client().maxInFlightCalls(4).build()) {
      client.get("warm");
      CountDownLatch gate = new CountDownLatch(1);
      cluster.node("n1").gate(gate);
      List<CompletableFuture<?>> held = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        held.add(client.async().get("k" + i));
      }
      assertThatThrownBy(() -> client.async().get("one more").join())
          .hasCauseInstanceOf(KvException.Overloaded.class)
          .hasMessageContaining("4 of 4 calls");

      AtomicInteger done = new AtomicInteger();
      Thread waiting =
          new Thread(
              () -> {
                client.put("a", "1");
                done.set(1);
              });
      waiting.start();
      Awaitility.await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
      gate.countDown();
      waiting.join();
      assertThat(done).hasValue(1);
      CompletableFuture.allOf(held.toArray(CompletableFuture<?>[]::new)).join();
    }
  }

  @Test
  void aSynchronousCallWaitsForRoomOnlyUntilItsDeadline() {
    cluster.script((node, call) -> FakeCluster.NO_REPLY);
    try (KvClient client = cluster.client().maxInFlightCalls(1).build()) {
      var held = client.async().get("held");
      assertThatThrownBy(() -> client.withDeadline(Duration.ofMillis(100)).put("a", "1"))
          .isInstanceOfSatisfying(
              KvException.DeadlineExceeded.class, e -> assertThat(e.maybeApplied()).isFalse())
          .hasMessageContaining("found no room");
      assertThat(held).isNotDone();
    }
  }

  @Test
  void bytesInFlightAreBoundedToo() {
    cluster.script((node, call) -> FakeCluster.NO_REPLY);
    try (KvClient client = cluster.client().maxInFlightBytes(8 << 20).build()) {
      byte[] value = new byte[2 << 20];
      List<CompletableFuture<Long>> puts = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        puts.add(client.async().put(new byte[] {(byte) i}, value));
      }
      assertThat(puts.get(2)).isNotCompletedExceptionally();
      assertThat(puts.get(3)).isCompletedExceptionally();
    }
  }

  @Test
  void everyEndGivesItsRoomBack() {
    try (KvClient client = cluster.client().deadline(Duration.ofMillis(100)).build()) {
      client.put("a", "1");
      client.batchGet(List.of("a".getBytes(UTF_8), "b".getBytes(UTF_8)));
      cluster.script((node, call) -> FakeCluster.NO_REPLY);
      assertThatThrownBy(() -> client.get("a")).isInstanceOf(KvException.DeadlineExceeded.class);
      client.async().get("a").cancel(false);
      assertThat(client.async().get(new byte[0])).isCompletedExceptionally();
      Awaitility.await().until(() -> client.callsInFlight() == 0);
    }
  }

  @Test
  void aCounterStaysExactUnderManyThreadsAndBrokenStreams() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    cluster.script(
        (node, call) -> {
          if (calls.incrementAndGet() % 97 == 0) {
            cluster.execute(node, call);
            node.breakStreams();
            return FakeCluster.NO_REPLY;
          }
          return null;
        });
    try (KvClient client = cluster.client().deadline(Duration.ofSeconds(30)).build()) {
      List<Thread> threads = new ArrayList<>();
      List<Throwable> failures = new java.util.concurrent.CopyOnWriteArrayList<>();
      for (int t = 0; t < 8; t++) {
        String key = "k" + t;
        Thread thread =
            new Thread(
                () -> {
                  for (int i = 0; i < 100; i++) {
                    client.put(key, Integer.toString(i));
                  }
                });
        thread.setUncaughtExceptionHandler((failed, failure) -> failures.add(failure));
        thread.start();
        threads.add(thread);
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failures).isEmpty();
      assertThat(cluster.applied()).isEqualTo(800);
      assertThat(calls).hasValueGreaterThan(800);
    }
  }
}
