package io.silkkv.engine.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A channel that was opened but refuses everything. */
final class BrokenChannel extends FileChannel {
  static final String MESSAGE = "Invalid argument";

  private static IOException refused() {
    return new IOException(MESSAGE);
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    throw refused();
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    throw refused();
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    throw refused();
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    throw refused();
  }

  @Override
  public long position() throws IOException {
    throw refused();
  }

  @Override
  public FileChannel position(long newPosition) throws IOException {
    throw refused();
  }

  @Override
  public long size() throws IOException {
    throw refused();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    throw refused();
  }

  @Override
  public void force(boolean metaData) throws IOException {
    throw refused();
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    throw refused();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count)
      throws IOException {
    throw refused();
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    throw refused();
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    throw refused();
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
    throw refused();
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    throw refused();
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    throw refused();
  }

  @Override
  protected void implCloseChannel() {}
}
