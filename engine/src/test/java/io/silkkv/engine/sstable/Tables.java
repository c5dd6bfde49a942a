package io.silkkv.engine.sstable;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import io.silkkv.engine.cache.BlockCache;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import io.silkkv.engine.iterator.InternalIterator;
import io.silkkv.engine.testkit.MemFileSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/** Tables and their contents for tests. */
final class Tables {
  static final Path FILE = Path.of("/000007.sst");
  static final long NEWEST = Long.MAX_VALUE;

  /** An internal entry, in internal order. */
  record Entry(Slice key, long sequence, ValueKind kind, Slice value) implements Comparable<Entry> {
    private static final Comparator<Entry> ORDER =
        Comparator.comparing(Entry::key)
            .thenComparing(Comparator.comparingLong(Entry::sequence).reversed());

    static Entry at(InternalIterator position) {
      return new Entry(
          position.key().copy(), position.sequence(), position.kind(), position.value().copy());
    }

    /** Order relative to a seek target. */
    int compareTo(Slice otherKey, long otherSequence) {
      return compareTo(new Entry(otherKey, otherSequence, ValueKind.PUT, Slice.EMPTY));
    }

    @Override
    public int compareTo(Entry other) {
      return ORDER.compare(this, other);
    }
  }

  private Tables() {}

  static Entry put(String key, long sequence, String value) {
    return new Entry(Slice.utf8(key), sequence, ValueKind.PUT, Slice.utf8(value));
  }

  static Entry delete(String key, long sequence) {
    return new Entry(Slice.utf8(key), sequence, ValueKind.DELETE, Slice.EMPTY);
  }

  /** {@code count} keys of the shape key000042 with values of {@code valueBytes}. */
  static List<Entry> numbered(int count, int valueBytes) {
    List<Entry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      entries.add(put(numberedKey(i), 1000 + i, "v".repeat(valueBytes)));
    }
    return entries;
  }

  static String numberedKey(int number) {
    return "key" + (1_000_000 + number);
  }

  static SSTableProperties write(
      FileSystem files, Path file, SSTableOptions options, List<Entry> entries) {
    try {
      SSTableWriter writer =
          new SSTableWriter(files.create(file, IoClass.FLUSH), file.toString(), options);
      for (Entry entry : entries) {
        writer.add(entry.key(), entry.sequence(), entry.kind(), entry.value());
      }
      return writer.finish();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] bytes(SSTableOptions options, List<Entry> entries) {
    MemFileSystem files = new MemFileSystem();
    write(files, FILE, options, entries);
    try (ReadableFile file = files.open(FILE)) {
      byte[] bytes = new byte[Math.toIntExact(file.size())];
      file.read(0, ByteBuffer.wrap(bytes), IoClass.RECOVERY);
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static SSTableReader open(FileSystem files, Path file, BlockCache cache) {
    try {
      return SSTableReader.open(files.open(file), file.toString(), cache.newId(), cache);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static SSTableReader open(byte[] bytes) {
    MemFileSystem files = new MemFileSystem();
    try {
      var file = files.create(FILE, IoClass.FLUSH);
      file.write(ByteBuffer.wrap(bytes));
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return open(files, FILE, new BlockCache(1 << 20));
  }

  /** All entries, first to last. */
  static List<Entry> scan(SSTableReader table, boolean fillCache) {
    List<Entry> entries = new ArrayList<>();
    try (InternalIterator position = table.iterator(IoClass.CLIENT_READ, fillCache)) {
      for (position.seekToFirst(); position.valid(); position.next()) {
        entries.add(Entry.at(position));
      }
    }
    return entries;
  }

  /** Up to {@code most} entries over few letters: long shared prefixes, many versions. */
  static List<Entry> random(RandomGenerator random, int most) {
    TreeSet<Entry> entries = new TreeSet<>();
    int count = 1 + random.nextInt(most);
    long sequences = 1L << random.nextInt(1, 57);
    while (entries.size() < count) {
      Slice key = randomKey(random);
      int versions = 1 + (random.nextInt(4) == 0 ? random.nextInt(20) : 0);
      for (int i = 0; i < versions; i++) {
        long sequence = random.nextLong(sequences);
        boolean deletes = random.nextInt(4) == 0;
        entries.add(
            new Entry(
                key,
                sequence,
                deletes ? ValueKind.DELETE : ValueKind.PUT,
                deletes ? Slice.EMPTY : randomValue(random)));
      }
      count--;
    }
    return new ArrayList<>(entries);
  }

  static Slice randomKey(RandomGenerator random) {
    byte[] letters = {'a', 'b', 0, (byte) 0xff};
    byte[] key = new byte[random.nextInt(random.nextInt(10) == 0 ? 300 : 9)];
    for (int i = 0; i < key.length; i++) {
      key[i] = letters[random.nextInt(letters.length)];
    }
    return Slice.wrap(key);
  }

  private static Slice randomValue(RandomGenerator random) {
    int size = random.nextInt(30) == 0 ? random.nextInt(5000) : random.nextInt(40);
    byte[] value = new byte[size];
    random.nextBytes(value);
    return Slice.wrap(value);
  }
}
