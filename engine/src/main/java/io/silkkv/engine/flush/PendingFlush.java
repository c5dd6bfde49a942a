package io.silkkv.engine.flush;

import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.memtable.MemTable;
import io.silkkv.engine.version.VersionEdit;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A rotation that is not durable yet.
 *
 * @param memtable what was written since the rotation before; null when nothing was
 * @param flushed where the log stood, and the owner's attachment
 * @param done completes when the rotation is durable
 */
public record PendingFlush(
    @Nullable MemTable memtable, VersionEdit.Flushed flushed, CompletableFuture<LogPosition> done) {

  /** Memory that will be free when the flush is done. */
  public long bytes() {
    return memtable == null ? 0 : memtable.heldBytes();
  }
}
