package io.silkkv.ops.bench.load;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A system under test that answers later: a cluster behind its client. Called by several threads at
 * once; calls must not block for the answer. A future that fails has an unknown outcome: the write
 * may or may not happen, now or later. Every future must complete within a deadline of the target's
 * own.
 */
public interface AsyncLoadTarget extends AutoCloseable {
  CompletableFuture<Void> put(byte[] key, byte[] value);

  /** A linearizable read; null for a key that is not there. */
  CompletableFuture<byte @Nullable []> get(byte[] key);

  /** As {@link LoadTarget#scan}; the sink is called by one thread at a time. */
  CompletableFuture<Integer> scan(byte[] start, int limit, EntrySink sink);

  CompletableFuture<Void> delete(byte[] key);

  @Override
  void close();
}
