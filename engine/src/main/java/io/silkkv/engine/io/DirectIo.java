package io.silkkv.engine.io;

/**
 * Whether files that the engine caches itself go past the page cache of the system. Without the
 * page cache a byte is not kept twice, a flush or compaction does not push out what others cache,
 * and the device gets requests at the pace at which the engine makes them, not later and in bursts.
 * A file system that does not take direct I/O (some network and memory file systems, or one whose
 * blocks are larger than 4 KiB) is used through the page cache all the same; the log says so once.
 *
 * @param enabled whether to try
 * @param bufferBytes most memory, outside of the heap, for the buffers of reads under way, at least
 *     128 KiB; a read that finds none left waits for another one to end. A file that is being
 *     written has 128 KiB of its own, and there are only as many of those as background jobs
 */
public record DirectIo(boolean enabled, long bufferBytes) {
  /** One buffer. */
  public static final long MIN_BUFFER_BYTES = AlignedBuffers.BUFFER_BYTES;

  /** On, with 4 MiB of buffers: 32 reads at a time. */
  public static final DirectIo ON = new DirectIo(true, 4 << 20);

  /** Everything goes through the page cache of the system. */
  public static final DirectIo OFF = new DirectIo(false, MIN_BUFFER_BYTES);

  /**
   * @throws IllegalArgumentException when there is less than one buffer
   */
  public DirectIo {
    if (bufferBytes < MIN_BUFFER_BYTES) {
      throw new IllegalArgumentException(
          "direct I/O needs buffers of at least "
              + MIN_BUFFER_BYTES
              + " bytes, not "
              + bufferBytes);
    }
  }
}
