package io.silkkv.engine.io;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Semaphore;

/**
 * Buffers that direct I/O can use: outside of the heap and at whole blocks of memory. They are made
 * when first needed and reused. Thread-safe.
 *
 * <p>Only reads wait for a buffer. Whoever holds one for a read waits for nothing but the device,
 * so that wait ends; a writer keeps its buffer between requests and therefore never waits for one.
 */
final class AlignedBuffers {
  /** Addresses, offsets and lengths of direct I/O are multiples of it. */
  static final int ALIGNMENT = 4 << 10;

  /** Size of every buffer, and with it of the largest request. */
  static final int BUFFER_BYTES = 128 << 10;

  private final Semaphore reads;
  private final ArrayBlockingQueue<ByteBuffer> idle;

  /**
   * @param readBytes most bytes in the buffers of reads, and in idle buffers; at least one buffer
   */
  AlignedBuffers(long readBytes) {
    int count = (int) Math.min(1 << 20, readBytes / BUFFER_BYTES);
    reads = new Semaphore(count);
    idle = new ArrayBlockingQueue<>(count);
  }

  /** An empty buffer for one read; waits for one if need be. */
  ByteBuffer takeForRead() {
    reads.acquireUninterruptibly();
    boolean done = false;
    try {
      ByteBuffer taken = take();
      done = true;
      return taken;
    } finally {
      if (!done) {
        reads.release();
      }
    }
  }

  /** Gives back what {@link #takeForRead} gave. */
  void giveAfterRead(ByteBuffer buffer) {
    give(buffer);
    reads.release();
  }

  /** An empty buffer for a file that is written. */
  ByteBuffer take() {
    ByteBuffer taken = idle.poll();
    return taken != null ? taken.clear() : allocate();
  }

  /** Gives back what {@link #take} gave; what nobody will need soon is left to the collector. */
  void give(ByteBuffer buffer) {
    var unused = idle.offer(buffer);
  }

  /** {@code bytes}, rounded up to whole blocks. */
  static int roundUp(int bytes) {
    return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
  }

  private static ByteBuffer allocate() {
    return ByteBuffer.allocateDirect(BUFFER_BYTES + ALIGNMENT - 1)
        .alignedSlice(ALIGNMENT)
        .slice(0, BUFFER_BYTES);
  }
}
