package io.silkkv.raftsm.apply;

import io.silkkv.engine.api.EngineClosedException;
import io.silkkv.engine.api.EngineStats;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.Probe;
import io.silkkv.engine.api.ReadView;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.engine.api.VersionedValue;
import io.silkkv.engine.api.WriteBatch;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The engine as others see it: the same object for the life of a replica, while the engine behind
 * it is replaced when a checkpoint is installed. It cannot write, rotate or close: only the log may
 * do that. Thread-safe.
 */
final class EngineReference implements StorageEngine {
  private volatile @Nullable StorageEngine current;

  void set(@Nullable StorageEngine engine) {
    current = engine;
  }

  /** Asks the current engine; asks the next one when the first was closed in the middle. */
  private <T extends @Nullable Object> T ask(Function<StorageEngine, T> question) {
    StorageEngine engine = current;
    while (engine != null) {
      try {
        return question.apply(engine);
      } catch (EngineClosedException closed) {
        StorageEngine next = current;
        if (next == engine) {
          throw closed;
        }
        engine = next;
      }
    }
    throw new EngineClosedException("the engine of a replica that is being replaced or stopped");
  }

  @Override
  public void write(WriteBatch batch, LogPosition position) {
    throw new IllegalStateException("only the log writes: propose a command instead");
  }

  @Override
  public CompletableFuture<LogPosition> rotate(byte[] attachment) {
    throw new IllegalStateException("only the log rotates: flush the replica instead");
  }

  @Override
  public void close() {
    throw new IllegalStateException("the replica closes its engine");
  }

  @Override
  public boolean wantsRotation() {
    return ask(StorageEngine::wantsRotation);
  }

  @Override
  public boolean acceptsWrites() {
    return ask(StorageEngine::acceptsWrites);
  }

  @Override
  public @Nullable VersionedValue get(Slice key) {
    return this.<@Nullable VersionedValue>ask(engine -> engine.get(key));
  }

  @Override
  public Probe probe(Slice key) {
    return ask(engine -> engine.probe(key));
  }

  @Override
  public ReadView view() {
    return ask(StorageEngine::view);
  }

  @Override
  public LogPosition applied() {
    return ask(StorageEngine::applied);
  }

  @Override
  public LogPosition flushed() {
    return ask(StorageEngine::flushed);
  }

  @Override
  public byte[] attachment() {
    return ask(StorageEngine::attachment);
  }

  @Override
  public LogPosition checkpoint(Path target) {
    return ask(engine -> engine.checkpoint(target));
  }

  @Override
  public EngineStats stats() {
    return ask(StorageEngine::stats);
  }
}
