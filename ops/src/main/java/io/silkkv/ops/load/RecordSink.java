package io.silkkv.ops.load;

import java.util.concurrent.CompletableFuture;

/** Where records go: the cluster, behind its client. */
@FunctionalInterface
public interface RecordSink {
  /**
   * Stores a record; the future completes when it is acknowledged. It fails with {@link
   * RefusedRecordException} when the record can never be stored, and with anything else when the
   * cluster gave up.
   */
  CompletableFuture<Void> put(byte[] key, byte[] value);
}
