package io.silkkv.ops.bench;

import java.util.concurrent.CompletableFuture;

/** A store under load, behind its own client. */
interface Target extends AutoCloseable {
  CompletableFuture<?> put(byte[] key, byte[] value);

  /** A linearizable read: the length of the value, -1 when there is none. */
  CompletableFuture<Integer> get(byte[] key);

  @Override
  void close();
}
