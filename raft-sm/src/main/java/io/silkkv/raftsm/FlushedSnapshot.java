package io.silkkv.raftsm;

import java.util.List;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.statemachine.SnapshotInfo;

/** A snapshot that Ratis never copies: the engine's own files are it. */
record FlushedSnapshot(TermIndex position) implements SnapshotInfo {
  @Override
  public TermIndex getTermIndex() {
    return position;
  }

  @Override
  public List<FileInfo> getFiles() {
    return List.of();
  }
}
