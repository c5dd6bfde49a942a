package io.silkkv.ops.bench;

import java.util.concurrent.CompletableFuture;

/** A store under load, behind its own client. */
interface Target extends AutoCloseable {
  CompletableFuture<?> put(byte[] key, byte[] value);

  /** A linearizable read. */
  CompletableFuture<?> get(byte[] key);

  @Override
  void close();
}
