package io.silkkv.engine.sstable;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdDictDecompress;
import java.util.concurrent.ArrayBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Native contexts that decompress Zstandard blocks. One costs some 160 KiB outside of the heap and
 * is not cheap to make, so up to {@value #MOST_IDLE} wait for their next use; there are never more
 * than these and one for each thread that decompresses now. Thread-safe.
 */
final class Zstandard {
  private static final int MOST_IDLE = 16;

  private static final ArrayBlockingQueue<ZstdDecompressCtx> IDLE =
      new ArrayBlockingQueue<>(MOST_IDLE);

  private Zstandard() {}

  /**
   * Decompresses exactly {@code targetLength} bytes or fewer into an array.
   *
   * @param dictionary that they were compressed with, or null
   * @return how many they were
   * @throws com.github.luben.zstd.ZstdException when they are more, or the source is damaged
   */
  static int decompress(
      byte[] source,
      int start,
      int length,
      byte[] target,
      int targetLength,
      @Nullable ZstdDictDecompress dictionary) {
    ZstdDecompressCtx context = IDLE.poll();
    if (context == null) {
      context = new ZstdDecompressCtx();
    }
    try {
      // A context remembers its last dictionary.
      context.reset();
      context.setMagicless(true);
      if (dictionary != null) {
        context.loadDict(dictionary);
      }
      return context.decompressByteArray(target, 0, targetLength, source, start, length);
    } finally {
      if (!IDLE.offer(context)) {
        context.close();
      }
    }
  }
}
