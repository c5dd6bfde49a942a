package io.silkkv.engine.sstable;

import com.github.luben.zstd.ZstdDictTrainer;
import com.github.luben.zstd.ZstdException;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.base.Varint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds the first entries of a table until there are enough of them to train a dictionary, which is
 * what makes compression of small blocks see more than one block. Takes twice the bytes of the
 * samples while it works. Not thread-safe.
 */
final class DictionarySampler {
  /** Samples should have so many times the bytes of the dictionary, as zstd's manual advises. */
  private static final int SAMPLES_PER_DICTIONARY = 100;

  /** With fewer samples the dictionary would be about them only. */
  private static final int LEAST_SAMPLES = 16;

  private static final int NEW_KEY = 1 << SSTableFormat.KIND_BITS;

  private final SSTableOptions options;
  private final ByteSink held = new ByteSink(64 << 10);

  DictionarySampler(SSTableOptions options) {
    this.options = options;
  }

  /** Keeps an entry. */
  void hold(Slice key, long sequence, ValueKind kind, Slice value, boolean newKey) {
    held.putVarint(key.length());
    held.putVarint(value.length());
    held.putVarint(sequence);
    held.putByte(kind.code() | (newKey ? NEW_KEY : 0));
    held.put(key);
    held.put(value);
  }

  /** Bytes that are held. */
  int sizeBytes() {
    return held.size();
  }

  /** Whether there are enough samples. */
  boolean isFull() {
    return held.size() >= SAMPLES_PER_DICTIONARY * (long) options.dictionaryBytes();
  }

  /** A dictionary for the entries so far; null when they are too few or too much alike. */
  byte @Nullable [] train() {
    List<byte[]> samples = samples();
    if (samples.size() < LEAST_SAMPLES) {
      return null;
    }
    long bytes = samples.stream().mapToLong(sample -> sample.length).sum();
    ZstdDictTrainer trainer =
        new ZstdDictTrainer(Math.toIntExact(bytes), options.dictionaryBytes());
    samples.forEach(trainer::addSample);
    try {
      return trainer.trainSamples();
    } catch (ZstdException nothingInCommon) {
      return null;
    }
  }

  /** The blocks that the entries will be in. */
  private List<byte[]> samples() {
    List<byte[]> samples = new ArrayList<>();
    BlockBuilder block = new BlockBuilder(options.restartInterval(), options.blockBytes());
    forEach(
        (key, sequence, kind, value, newKey) -> {
          block.add(key, sequence, kind, value);
          if (block.sizeBytes() >= options.blockBytes()) {
            ByteSink contents = block.finish();
            samples.add(Slice.wrap(contents.array(), 0, contents.size()).toByteArray());
            block.reset();
          }
        });
    return samples;
  }

  /** Takes an entry. */
  @FunctionalInterface
  interface Taker {
    void take(Slice key, long sequence, ValueKind kind, Slice value, boolean newKey);
  }

  /** Gives all entries, in order. */
  void forEach(Taker taker) {
    byte[] array = held.array();
    ByteBuffer bytes = ByteBuffer.wrap(array, 0, held.size());
    while (bytes.hasRemaining()) {
      int keyLength = Varint.readInt(bytes);
      int valueLength = Varint.readInt(bytes);
      long sequence = Varint.read(bytes);
      int flags = bytes.get();
      Slice key = Slice.wrap(array, bytes.position(), keyLength);
      Slice value = Slice.wrap(array, bytes.position() + keyLength, valueLength);
      bytes.position(bytes.position() + keyLength + valueLength);
      taker.take(key, sequence, ValueKind.of(flags & (NEW_KEY - 1)), value, (flags & NEW_KEY) != 0);
    }
  }
}
