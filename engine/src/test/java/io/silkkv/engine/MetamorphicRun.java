package io.silkkv.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.MetamorphicHistory.Step;
import io.silkkv.engine.api.Cursor;
import io.silkkv.engine.api.ReadView;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.engine.api.VersionedValue;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.scheduler.BackgroundJobs;
import io.silkkv.engine.testkit.FaultInjectingFileSystem;
import io.silkkv.engine.testkit.MemFileSystem;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** One history on one engine, each answer compared with the model's. */
final class MetamorphicRun implements AutoCloseable {
  private record PinnedState(ReadView view, NavigableMap<Slice, VersionedValue> state) {}

  private final EngineOptions options;
  private final long seed;
  private final EngineModel model = new EngineModel();
  private final Map<Integer, PinnedState> views = new HashMap<>();
  private MemFileSystem disk = new MemFileSystem();
  private FaultInjectingFileSystem files = new FaultInjectingFileSystem(disk);
  private EngineFixture fixture;
  private boolean faultWasSet;
  private int checkpoints;

  /** The model's state, remembered until the next write. */
  private NavigableMap<Slice, VersionedValue> state = new TreeMap<>();

  MetamorphicRun(EngineOptions options, long seed) {
    this.options = options;
    this.seed = seed;
    this.fixture = open();
  }

  private EngineFixture open() {
    return new EngineFixture(files, options, BackgroundJobs.manual(), seed);
  }

  void step(Step step) {
    if (step instanceof MetamorphicHistory.Write write) {
      recoverFromFault();
      EngineModel.Entry entry = model.append(write.batch());
      fixture.engine.write(entry.batch(), entry.position());
      state = model.state();
    } else if (step instanceof MetamorphicHistory.LostWrite lost) {
      Slice value = Slice.utf8("lost " + model.last().index());
      EngineModel.Entry entry = model.append(new WriteBatch().put(lost.key(), value));
      fixture.engine.write(new WriteBatch().delete(lost.key()), entry.position());
      state = model.state();
    } else if (step instanceof MetamorphicHistory.Rotate) {
      recoverFromFault();
      fixture.rotate(attachment(model.last().index()));
    } else if (step instanceof MetamorphicHistory.RunJob job) {
      fixture.jobs.runOne(job.lane());
    } else if (step instanceof MetamorphicHistory.RunAllJobs) {
      fixture.jobs.runAll();
    } else if (step instanceof MetamorphicHistory.Fault fault) {
      files.failAt(fault.operation(), fault.nth());
      faultWasSet = true;
    } else if (step instanceof MetamorphicHistory.Seconds seconds) {
      fixture.wallSeconds.addAndGet(seconds.seconds());
      fixture.nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(seconds.seconds()));
      fixture.resources.heartbeat().beat();
    } else {
      recoverFromFault();
      read(step);
    }
    if (!faultWasSet) {
      assertThat(fixture.told.failures).isEmpty();
    }
  }

  private void read(Step step) {
    if (step instanceof MetamorphicHistory.Get get) {
      assertThat(fixture.engine.get(get.key())).as("%s", get).isEqualTo(state.get(get.key()));
    } else if (step instanceof MetamorphicHistory.OpenView open) {
      close(views.put(open.view(), new PinnedState(fixture.engine.view(), state)));
    } else if (step instanceof MetamorphicHistory.CloseView close) {
      close(views.remove(close.view()));
    } else if (step instanceof MetamorphicHistory.ReadView read) {
      PinnedState pinned = views.get(read.view());
      if (pinned != null) {
        EngineModel.assertShows(pinned.view, pinned.state);
      }
    } else if (step instanceof MetamorphicHistory.Scan scan) {
      scan(scan);
    } else if (step instanceof MetamorphicHistory.Checkpoint) {
      verifyCheckpoint();
    } else if (step instanceof MetamorphicHistory.Reopen) {
      closeViews();
      fixture.close();
      fixture = open();
      replay();
    } else if (step instanceof MetamorphicHistory.Crash crash) {
      MemFileSystem left = disk.crashClone(new SplittableRandom(crash.seed()));
      closeViews();
      fixture.close();
      disk = left;
      files = new FaultInjectingFileSystem(disk);
      fixture = open();
      replay();
    }
  }

  private void scan(MetamorphicHistory.Scan scan) {
    PinnedState pinned = views.get(scan.view());
    NavigableMap<Slice, VersionedValue> all = pinned == null ? state : pinned.state;
    NavigableMap<Slice, VersionedValue> part = all.subMap(scan.lower(), true, scan.upper(), false);
    var expected = (scan.forward() ? part : part.descendingMap()).entrySet().iterator();
    ReadView view = pinned == null ? fixture.engine.view() : pinned.view;
    try (Cursor cursor = view.cursor(scan.lower(), scan.upper())) {
      if (scan.forward()) {
        cursor.first();
      } else {
        cursor.last();
      }
      for (int i = 0; i < scan.limit() && expected.hasNext(); i++) {
        var next = expected.next();
        assertThat(cursor.valid()).as("%s reaches %s", scan, next.getKey()).isTrue();
        assertThat(cursor.key()).as("%s", scan).isEqualTo(next.getKey());
        assertThat(new VersionedValue(cursor.value(), cursor.version())).isEqualTo(next.getValue());
        if (scan.forward()) {
          cursor.next();
        } else {
          cursor.prev();
        }
      }
      assertThat(cursor.valid()).isEqualTo(expected.hasNext());
    } finally {
      if (pinned == null) {
        view.close();
      }
    }
  }

  private void verifyCheckpoint() {
    Path target = Path.of("/data/checkpoint-" + checkpoints++);
    fixture.engine.checkpoint(target);
    StorageEngine copy =
        LsmEngine.open(target, options, fixture.resources, new EngineFixture.Told());
    verifyFlushed(copy);
    copy.close();
  }

  private void verifyFlushed(StorageEngine engine) {
    long index = engine.flushed().index();
    assertThat(engine.flushed()).isEqualTo(model.position(index));
    assertThat(Slice.wrap(engine.attachment()).toUtf8()).isEqualTo(attachment(index));
    try (ReadView view = engine.view()) {
      EngineModel.assertShows(view, model.stateAt(index));
    }
  }

  /** The owner's state at a position. */
  private static String attachment(long index) {
    return index < 0 ? "" : "state at " + index;
  }

  /** What the owner does after a start. */
  private void replay() {
    verifyFlushed(fixture.engine);
    for (EngineModel.Entry entry : model.after(fixture.engine.flushed().index())) {
      fixture.engine.write(entry.batch(), entry.position());
    }
  }

  /** A failed engine reads on, takes no writes, and starts again with all that was flushed. */
  private void recoverFromFault() {
    files.heal();
    if (!faultWasSet) {
      return;
    }
    faultWasSet = false;
    if (!fixture.told.failures.isEmpty() || !fixture.engine.acceptsWrites()) {
      try (ReadView view = fixture.engine.view()) {
        EngineModel.assertShows(view, state);
      }
      closeViews();
      fixture.close();
      fixture = open();
      replay();
    }
  }

  private void closeViews() {
    views.values().forEach(MetamorphicRun::close);
    views.clear();
  }

  private static void close(PinnedState pinned) {
    if (pinned != null) {
      EngineModel.assertShows(pinned.view, pinned.state);
      pinned.view.close();
    }
  }

  /** Everything is done, and everything is still there, also after a start. */
  void finish() {
    recoverFromFault();
    fixture.rotate(attachment(model.last().index()));
    fixture.jobs.runAll();
    assertThat(fixture.told.failures).isEmpty();
    assertThat(fixture.engine.stats().damagedTables()).isZero();
    closeViews();
    fixture.close();
    fixture = open();
    verifyFlushed(fixture.engine);
    assertThat(fixture.engine.flushed().index()).isEqualTo(model.last().index());
  }

  @Override
  public void close() {
    views.values().forEach(pinned -> pinned.view.close());
    fixture.close();
  }
}
