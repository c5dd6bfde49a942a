package io.silkkv.engine.io;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A file system all of whose files are uncached ones. */
record AllUncached(FileSystem target) implements FileSystem {
  @Override
  public WritableFile create(Path file, IoClass why) throws IOException {
    return target.createUncached(file, why);
  }

  @Override
  public ReadableFile open(Path file) throws IOException {
    return target.openUncached(file);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    target.rename(from, to);
  }

  @Override
  public void link(Path existing, Path link) throws IOException {
    target.link(existing, link);
  }

  @Override
  public void delete(Path path) throws IOException {
    target.delete(path);
  }

  @Override
  public void createDirectories(Path directory) throws IOException {
    target.createDirectories(directory);
  }

  @Override
  public List<String> list(Path directory) throws IOException {
    return target.list(directory);
  }

  @Override
  public boolean exists(Path path) throws IOException {
    return target.exists(path);
  }

  @Override
  public long size(Path file) throws IOException {
    return target.size(file);
  }

  @Override
  public void syncDirectory(Path directory) throws IOException {
    target.syncDirectory(directory);
  }
}
