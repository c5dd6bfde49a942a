package io.silkkv.raftsm.transfer;

import io.silkkv.engine.api.EngineStats;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.Probe;
import io.silkkv.engine.api.ReadView;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.engine.api.VersionedValue;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.io.FileSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** An engine that is nothing but a directory of files; all that a checkpoint needs. */
final class FileEngine implements StorageEngine {
  private final FileSystem files;
  private final Path directory;
  private volatile LogPosition applied;
  private volatile LogPosition flushed;

  FileEngine(FileSystem files, Path directory, LogPosition applied, LogPosition flushed) {
    this.files = files;
    this.directory = directory;
    this.applied = applied;
    this.flushed = flushed;
  }

  CompletableFuture<LogPosition> flush() {
    flushed = applied;
    return CompletableFuture.completedFuture(flushed);
  }

  @Override
  public LogPosition checkpoint(Path target) {
    try {
      files.createDirectories(target);
      for (String name : files.list(directory)) {
        files.link(directory.resolve(name), target.resolve(name));
      }
      files.syncDirectory(target);
      return flushed;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public LogPosition applied() {
    return applied;
  }

  @Override
  public LogPosition flushed() {
    return flushed;
  }

  @Override
  public void close() {}

  @Override
  public void write(WriteBatch batch, LogPosition position) {
    throw new AssertionError("not part of a transfer");
  }

  @Override
  public boolean wantsRotation() {
    throw new AssertionError("not part of a transfer");
  }

  @Override
  public CompletableFuture<LogPosition> rotate(byte[] attachment) {
    throw new AssertionError("not part of a transfer");
  }

  @Override
  public boolean acceptsWrites() {
    throw new AssertionError("not part of a transfer");
  }

  @Override
  public VersionedValue get(Slice key) {
    throw new AssertionError("not part of a transfer");
  }

  @Override
  public Probe probe(Slice key) {
    throw new AssertionError("not part of a transfer");
  }

  @Override
  public ReadView view() {
    throw new AssertionError("not part of a transfer");
  }

  @Override
  public byte[] attachment() {
    throw new AssertionError("not part of a transfer");
  }

  @Override
  public EngineStats stats() {
    throw new AssertionError("not part of a transfer");
  }
}
