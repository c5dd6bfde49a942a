package io.silkkv.ops.bench.load;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Answers puts when the test does. */
final class HeldTarget extends AsyncMapTarget {
  final Queue<CompletableFuture<Void>> held = new ConcurrentLinkedQueue<>();

  @Override
  public CompletableFuture<Void> put(byte[] key, byte[] value) {
    CompletableFuture<Void> answer = new CompletableFuture<>();
    held.add(answer);
    return answer;
  }
}
