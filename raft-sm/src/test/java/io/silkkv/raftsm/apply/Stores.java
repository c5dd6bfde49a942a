package io.silkkv.raftsm.apply;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.testkit.MemFileSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Replica stores for tests that do not care about files. */
final class Stores {
  /** Nobody listens. */
  static final StoreListener DEAF =
      new StoreListener() {
        @Override
        public void flushed(LogPosition position) {}

        @Override
        public void damaged(CorruptionException cause) {
          throw cause;
        }

        @Override
        public void failed(EngineException cause) {
          throw cause;
        }
      };

  private Stores() {}

  static ReplicaStore open(EngineOpener opener) {
    ReplicaStore store =
        new ReplicaStore(
            new MemFileSystem(),
            Path.of("/shard"),
            opener,
            SessionOptions.DEFAULT,
            Long.MAX_VALUE,
            DEAF);
    try {
      store.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return store;
  }
}
