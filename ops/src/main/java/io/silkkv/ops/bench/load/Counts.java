package io.silkkv.ops.bench.load;

import io.silkkv.ops.bench.load.data.OpKind;
import java.util.concurrent.atomic.LongAdder;

/** A counter for each kind of operation. Thread-safe. */
final class Counts {
  private final LongAdder[] adders = new LongAdder[OpKind.COUNT];

  Counts() {
    for (int i = 0; i < adders.length; i++) {
      adders[i] = new LongAdder();
    }
  }

  void add(OpKind kind) {
    adders[kind.index()].increment();
  }

  void add(OpKind kind, long amount) {
    adders[kind.index()].add(amount);
  }

  long get(OpKind kind) {
    return adders[kind.index()].sum();
  }

  long sum() {
    long sum = 0;
    for (LongAdder adder : adders) {
      sum += adder.sum();
    }
    return sum;
  }
}
