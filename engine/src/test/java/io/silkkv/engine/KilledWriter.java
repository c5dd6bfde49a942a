package io.silkkv.engine;

import io.silkkv.engine.EngineModel.Entry;
import io.silkkv.engine.api.Cursor;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.api.EngineListener;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.ReadView;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.engine.api.VersionedValue;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.io.IoCounters;
import io.silkkv.engine.io.LocalFileSystem;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A process that writes until it is killed. Its log is outside of the engine: entry i is a function
 * of the seed and i, so every start can tell what the engine must hold at its flushed position. It
 * says so on its output: {@code verified INDEX} after the start, {@code flushed INDEX} after each
 * flush, and {@code wrong ...} when the engine holds something else.
 */
final class KilledWriter {
  private static final int KEYS = 2000;

  private KilledWriter() {}

  public static void main(String[] args) {
    Path directory = Path.of(args[0]);
    long seed = Long.parseLong(args[1]);
    EngineResources resources =
        EngineResources.create(
            new LocalFileSystem(new IoCounters()), 16L << 20, 1L << 20, System::nanoTime, seed);
    EngineOptions options =
        EngineFixture.TINY.toBuilder().memtableBytes(32 << 10).levelBaseBytes(64 << 10).build();
    StorageEngine engine = LsmEngine.open(directory, options, resources, new Teller());
    long index = engine.flushed().index();
    verify(engine, seed, index);
    say("verified " + index);
    LogPosition last = engine.flushed();
    while (true) {
      Entry entry = entry(seed, last);
      engine.write(entry.batch(), entry.position());
      last = entry.position();
      if (engine.wantsRotation() || !engine.acceptsWrites()) {
        String attachment = "state at " + last.index();
        LogPosition flushed = engine.rotate(attachment.getBytes(StandardCharsets.UTF_8)).join();
        say("flushed " + flushed.index());
      }
    }
  }

  private static Entry entry(long seed, LogPosition last) {
    long index = last.index() + 1;
    WriteBatch batch = EngineModel.randomBatch(new SplittableRandom(seed ^ (index * 31)), KEYS);
    return new Entry(batch, new LogPosition(1, index, last.sequence() + batch.count()));
  }

  private static void verify(StorageEngine engine, long seed, long index) {
    NavigableMap<Slice, VersionedValue> expected = new TreeMap<>();
    LogPosition last = LogPosition.NONE;
    while (last.index() < index) {
      Entry entry = entry(seed, last);
      EngineModel.apply(entry, expected);
      last = entry.position();
    }
    String attachment = new String(engine.attachment(), StandardCharsets.UTF_8);
    if (index >= 0 && !attachment.equals("state at " + index)) {
      wrong("attachment " + attachment + " at " + index);
    }
    if (engine.flushed().sequence() != last.sequence()) {
      wrong(engine.flushed() + " instead of " + last);
    }
    try (ReadView view = engine.view();
        Cursor cursor = view.cursor(null, null)) {
      for (cursor.first(); cursor.valid(); cursor.next()) {
        VersionedValue found = new VersionedValue(cursor.value().copy(), cursor.version());
        if (!found.equals(expected.remove(cursor.key().copy()))) {
          wrong("value of " + cursor.key() + " at " + index);
        }
      }
    }
    if (!expected.isEmpty()) {
      wrong(expected.size() + " keys are missing at " + index);
    }
  }

  private static void wrong(String what) {
    say("wrong " + what);
    System.exit(1);
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private static final class Teller implements EngineListener {
    @Override
    public void flushWanted() {}

    @Override
    public void flushed(LogPosition position) {}

    @Override
    public void failed(EngineException cause) {
      wrong(String.valueOf(cause.getMessage()));
    }
  }
}
