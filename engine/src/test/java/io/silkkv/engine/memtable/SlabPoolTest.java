package io.silkkv.engine.memtable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.api.EngineClosedException;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SlabPoolTest {
  private static final int SLAB_BYTES = SlabPool.MIN_SLAB_BYTES;

  private final SlabPool pool = new SlabPool(2 * SLAB_BYTES, SLAB_BYTES);

  private List<ByteBuffer> acquire(int count) {
    List<ByteBuffer> slabs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      slabs.add(pool.acquire(0));
    }
    return slabs;
  }

  /** A thread in which the pool is asked for a slab that it does not have; waits until it waits. */
  private CompletableFuture<ByteBuffer> acquireInVain(Thread[] waiter) {
    return acquireInVain(waiter, 0);
  }

  private CompletableFuture<ByteBuffer> acquireInVain(Thread[] waiter, int held) {
    CompletableFuture<ByteBuffer> slab = new CompletableFuture<>();
    long before = pool.waits();
    waiter[0] =
        new Thread(
            () -> {
              try {
                slab.complete(pool.acquire(held));
              } catch (EngineClosedException e) {
                slab.completeExceptionally(e);
              }
            });
    waiter[0].start();
    while (pool.waits() == before) {
      Thread.onSpinWait();
    }
    assertThat(slab).isNotDone();
    return slab;
  }

  @Test
  void reusesSlabsInsteadOfMakingNewOnes() {
    List<ByteBuffer> first = acquire(2);
    first.forEach(pool::release);
    Set<ByteBuffer> again = Collections.newSetFromMap(new IdentityHashMap<>());
    again.addAll(acquire(2));
    assertThat(again.containsAll(first)).isTrue();
    assertThat(pool.allocatedBytes()).isEqualTo(2 * SLAB_BYTES);
  }

  @Test
  void makesNoSlabBeforeItIsNeeded() {
    assertThat(pool.allocatedBytes()).isZero();
    assertThat(pool.usedBytes()).isZero();
  }

  @Test
  void handsOutTwiceTheBudgetAndCountsWhatIsBeyondIt() {
    acquire(2);
    assertThat(pool.overBudget()).isFalse();
    assertThat(pool.overcommits()).isZero();
    acquire(2);
    assertThat(pool.overBudget()).isTrue();
    assertThat(pool.overcommits()).isEqualTo(2);
    assertThat(pool.usedBytes()).isEqualTo(2 * pool.budgetBytes());
    assertThat(pool.waits()).isZero();
  }

  @Test
  void waitsBeyondTwiceTheBudgetForARelease() throws Exception {
    List<ByteBuffer> slabs = acquire(4);
    CompletableFuture<ByteBuffer> fifth = acquireInVain(new Thread[1]);
    pool.release(slabs.get(0));
    assertThat(fifth.get()).isSameAs(slabs.get(0));
    assertThat(pool.usedBytes()).isEqualTo(4 * SLAB_BYTES);
    assertThat(pool.allocatedBytes()).isEqualTo(4 * SLAB_BYTES);
  }

  @Test
  void aWriterFailsInsteadOfWaitingForWritersThatAllWait() throws Exception {
    List<ByteBuffer> slabs = acquire(4);
    CompletableFuture<ByteBuffer> other = acquireInVain(new Thread[1], 3);
    assertThatThrownBy(() -> pool.acquire(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("raise the memtable budget of " + pool.budgetBytes());
    pool.release(slabs.get(0));
    assertThat(other.get()).isNotNull();
  }

  @Test
  void othersAreAskedForTheirMemoryBeforeAWriterWaits() {
    List<ByteBuffer> slabs = acquire(4);
    pool.onShortage(() -> pool.release(slabs.get(0)));
    assertThat(pool.acquire(4)).isSameAs(slabs.get(0));
  }

  @Test
  void everyWaiterGetsOneOfTheReleasedSlabs() throws Exception {
    List<ByteBuffer> slabs = acquire(4);
    List<CompletableFuture<ByteBuffer>> waiters = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waiters.add(acquireInVain(new Thread[1]));
    }
    slabs.subList(0, 3).forEach(pool::release);
    for (CompletableFuture<ByteBuffer> waiter : waiters) {
      assertThat(waiter.get()).isNotNull();
    }
    assertThat(pool.usedBytes()).isEqualTo(4 * SLAB_BYTES);
  }

  @Test
  void anInterruptEndsTheWaitAndKeepsTheFlag() throws Exception {
    acquire(4);
    Thread[] waiter = new Thread[1];
    AtomicBoolean flag = new AtomicBoolean();
    CompletableFuture<Void> slab =
        acquireInVain(waiter)
            .thenAccept(each -> {})
            .whenComplete((done, failure) -> flag.set(Thread.currentThread().isInterrupted()));
    waiter[0].interrupt();
    assertThatThrownBy(slab::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(EngineClosedException.class);
    assertThat(flag).isTrue();
    assertThat(pool.usedBytes()).isEqualTo(4 * SLAB_BYTES);
  }

  @Test
  void closingEndsAllWaitsAndRefusesFurtherSlabs() {
    List<ByteBuffer> slabs = acquire(4);
    CompletableFuture<ByteBuffer> fifth = acquireInVain(new Thread[1]);
    pool.close();
    assertThatThrownBy(fifth::get).hasCauseInstanceOf(EngineClosedException.class);
    slabs.forEach(pool::release);
    assertThatThrownBy(() -> pool.acquire(0)).isInstanceOf(EngineClosedException.class);
  }

  @Test
  void aWriteThatWaitsGoesOnWhenAnotherMemtableIsReleased() throws Exception {
    MemTable flushed = new MemTable(pool, 1, new SplittableRandom(1));
    MemTable active = new MemTable(pool, 1, new SplittableRandom(2));
    flushed.add(ValueKind.PUT, Slice.utf8("a"), 1, Slice.wrap(new byte[5 * SLAB_BYTES / 2]));
    assertThat(pool.usedBytes()).isEqualTo(4 * SLAB_BYTES);
    CompletableFuture<Void> write =
        CompletableFuture.runAsync(
            () -> active.add(ValueKind.PUT, Slice.utf8("b"), 2, Slice.utf8("x")));
    while (pool.waits() == 0) {
      Thread.onSpinWait();
    }
    flushed.release();
    write.get();
    assertThat(active.get(Slice.utf8("b"), 2)).isNotNull();
    assertThat(pool.usedBytes()).isEqualTo(SLAB_BYTES);
  }

  @Test
  void refusesSizesThatMakeNoSense() {
    assertThatThrownBy(() -> new SlabPool(1 << 20, 5000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("5000");
    assertThatThrownBy(() -> new SlabPool(1 << 20, 1024))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1024");
    assertThatThrownBy(() -> new SlabPool(100, SLAB_BYTES))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("100");
  }
}
