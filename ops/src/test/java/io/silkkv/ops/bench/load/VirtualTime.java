package io.silkkv.ops.bench.load;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Time that passes only when somebody spends it. */
final class VirtualTime implements LongSupplier, Pacer {
  private final AtomicLong nanos = new AtomicLong(1_000_000);

  @Override
  public long getAsLong() {
    return nanos.get();
  }

  @Override
  public void awaitTime(long until) {
    nanos.accumulateAndGet(until, Math::max);
  }

  void spend(long amount) {
    nanos.addAndGet(amount);
  }
}
