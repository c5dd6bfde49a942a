package io.silkkv.ops;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.client.KvClient;
import io.silkkv.ops.bench.load.AsyncLoadTarget;
import io.silkkv.ops.bench.load.EntrySink;
import io.silkkv.ops.bench.load.data.KeyFormat;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** SilkKV as the demo writes to it: remembers which puts were acknowledged. Thread-safe. */
final class DemoTarget implements AsyncLoadTarget {
  private final KvClient client;
  private final KeyFormat keys;

  /** Indexes of the keys. */
  @GuardedBy("this")
  private final BitSet acknowledged = new BitSet();

  DemoTarget(KvClient client, KeyFormat keys) {
    this.client = client;
    this.keys = keys;
  }

  @Override
  public CompletableFuture<Void> put(byte[] key, byte[] value) {
    return client.async().put(key, value).thenAccept(version -> acknowledge(keys.index(key)));
  }

  private synchronized void acknowledge(long index) {
    acknowledged.set((int) index);
  }

  /** Indexes of the keys whose puts were acknowledged so far. */
  synchronized BitSet acknowledged() {
    return (BitSet) acknowledged.clone();
  }

  @Override
  public CompletableFuture<byte @Nullable []> get(byte[] key) {
    throw new UnsupportedOperationException("the demo's load only puts");
  }

  @Override
  public CompletableFuture<Integer> scan(byte[] start, int limit, EntrySink sink) {
    throw new UnsupportedOperationException("the demo's load only puts");
  }

  @Override
  public CompletableFuture<Void> delete(byte[] key) {
    throw new UnsupportedOperationException("the demo's load only puts");
  }

  /** The client belongs to the demo. */
  @Override
  public void close() {}
}
