package io.silkkv.raftsm.transfer;

import io.silkkv.engine.api.LogPosition;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** A checkpoint that is kept while somebody may read it. Thread-safe. */
final class Pin {
  private final UUID id;
  private final long shardId;
  private final Path directory;
  private final LogPosition position;

  /** File names and their sizes in bytes. */
  private final Map<String, Long> files;

  private final Set<FileStream> streams = ConcurrentHashMap.newKeySet();
  private volatile long usedAt;
  private volatile boolean released;

  Pin(
      UUID id,
      long shardId,
      Path directory,
      LogPosition position,
      Map<String, Long> files,
      long now) {
    this.id = id;
    this.shardId = shardId;
    this.directory = directory;
    this.position = position;
    this.files = Map.copyOf(files);
    this.usedAt = now;
  }

  UUID id() {
    return id;
  }

  long shardId() {
    return shardId;
  }

  Path directory() {
    return directory;
  }

  LogPosition position() {
    return position;
  }

  Map<String, Long> files() {
    return files;
  }

  void used(long now) {
    usedAt = now;
  }

  boolean idleSince(long now, long limitNanos) {
    return now - usedAt >= limitNanos;
  }

  boolean released() {
    return released;
  }

  /** A stream to be woken when the pin ends. */
  void addReader(FileStream stream) {
    streams.add(stream);
  }

  void removeReader(FileStream stream) {
    streams.remove(stream);
  }

  void release() {
    released = true;
    streams.forEach(FileStream::wake);
  }
}
