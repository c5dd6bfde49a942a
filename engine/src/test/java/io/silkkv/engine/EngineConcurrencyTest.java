package io.silkkv.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.api.Cursor;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.ReadView;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.engine.api.VersionedValue;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.scheduler.BackgroundJobs;
import io.silkkv.engine.testkit.MemFileSystem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One writer, many readers, and background jobs on their own threads. */
@Timeout(120)
class EngineConcurrencyTest {
  private static final int ENTRIES = 4000;
  private static final int KEYS = 40;

  private final MemFileSystem files = new MemFileSystem();
  private final AtomicBoolean writing = new AtomicBoolean(true);

  /** Every entry writes its number to all keys, so all keys of a view have to agree. */
  private static WriteBatch entry(long number) {
    WriteBatch batch = new WriteBatch();
    for (int key = 0; key < KEYS; key++) {
      batch.put(Slice.utf8("key" + key), Slice.utf8("" + number));
    }
    return batch;
  }

  private void write(EngineFixture fixture) {
    for (long number = 1; number <= ENTRIES; number++) {
      fixture.write(entry(number));
      if (fixture.engine.wantsRotation()) {
        fixture.rotate("" + number);
      }
    }
    writing.set(false);
  }

  private void readViews(StorageEngine engine) {
    long last = 0;
    while (writing.get()) {
      try (ReadView view = engine.view();
          Cursor cursor = view.cursor(null, null)) {
        long entry = view.sequence() / KEYS;
        assertThat(view.sequence()).isEqualTo(entry * KEYS).isGreaterThanOrEqualTo(last);
        last = view.sequence();
        int found = 0;
        for (cursor.last(); cursor.valid(); cursor.prev()) {
          assertThat(cursor.value().toUtf8()).isEqualTo("" + entry);
          found++;
        }
        assertThat(found).isEqualTo(entry == 0 ? 0 : KEYS);
        if (entry > 0) {
          assertThat(view.get(Slice.utf8("key7")).value().toUtf8()).isEqualTo("" + entry);
        }
      }
    }
  }

  private void readKeys(StorageEngine engine) {
    long last = 0;
    while (writing.get()) {
      LogPosition before = engine.applied();
      VersionedValue found = engine.get(Slice.utf8("key" + (KEYS - 1)));
      long entry = found == null ? 0 : Long.parseLong(found.value().toUtf8());
      assertThat(entry).isGreaterThanOrEqualTo(last).isGreaterThanOrEqualTo(before.index() + 1);
      last = entry;
    }
  }

  private void takeCheckpoints(EngineFixture fixture) {
    for (int i = 0; writing.get() && i < 30; i++) {
      Path target = Path.of("/data/copy-" + i);
      LogPosition position = fixture.engine.checkpoint(target);
      StorageEngine copy =
          LsmEngine.open(target, fixture.options, fixture.resources, new EngineFixture.Told());
      assertThat(copy.flushed()).isEqualTo(position);
      VersionedValue found = copy.get(Slice.utf8("key3"));
      assertThat(found == null ? "0" : found.value().toUtf8())
          .isEqualTo("" + position.sequence() / KEYS);
      copy.close();
    }
  }

  @Test
  void readersSeeWholeEntriesInOrderWhileJobsRun() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    EngineFixture fixture =
        new EngineFixture(files, EngineFixture.TINY, BackgroundJobs.threads(1), 1);
    try (fixture) {
      List<Future<?>> readers = new ArrayList<>();
      readers.add(threads.submit(() -> readViews(fixture.engine)));
      readers.add(threads.submit(() -> readKeys(fixture.engine)));
      readers.add(threads.submit(() -> takeCheckpoints(fixture)));
      Future<?> writer = threads.submit(() -> write(fixture));
      for (Future<?> reader : readers) {
        reader.get(100, TimeUnit.SECONDS);
      }
      writer.get(100, TimeUnit.SECONDS);
      LogPosition flushed = fixture.rotate("end").get(60, TimeUnit.SECONDS);
      assertThat(flushed.index()).isEqualTo(ENTRIES - 1L);
      assertThat(fixture.engine.stats().compactions()).isPositive();
      assertThat(fixture.told.failures).isEmpty();
    } finally {
      writing.set(false);
      threads.shutdownNow();
    }
    assertThat(fixture.slabs.usedBytes()).isZero();
  }

  @Test
  void closeUnderLoadEndsJobsAndGivesMemoryBack() throws Exception {
    for (int round = 0; round < 20; round++) {
      EngineFixture fixture =
          new EngineFixture(
              new MemFileSystem(), EngineFixture.TINY, BackgroundJobs.threads(1), round);
      for (long number = 1; number <= 60 + round; number++) {
        fixture.write(entry(number));
        if (number % 4 == 0) {
          fixture.rotate("");
        }
      }
      ReadView view = fixture.engine.view();
      fixture.close();
      view.close();
      assertThat(fixture.told.failures).isEmpty();
      assertThat(fixture.slabs.usedBytes()).isZero();
    }
  }
}
