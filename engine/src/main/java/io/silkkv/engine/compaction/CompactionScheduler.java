package io.silkkv.engine.compaction;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.engine.scheduler.BackgroundJobs;
import io.silkkv.engine.scheduler.Lane;
import io.silkkv.engine.version.LiveSequences;
import io.silkkv.engine.version.TableStore;
import io.silkkv.engine.version.Version;
import io.silkkv.engine.version.VersionSet;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the compactions of one engine: at most one of level 0 and one of the deeper levels at a
 * time, each on its lane, never with a table in common. Thread-safe; its lock is a leaf, and no
 * file is touched under it.
 */
public final class CompactionScheduler {
  private final TableStore store;
  private final VersionSet versions;
  private final CompactionOptions options;
  private final LeveledCompactionPicker picker;
  private final Callbacks callbacks;
  private final BackgroundJobs.Slot l0;
  private final BackgroundJobs.Slot deep;
  private final AtomicLong compactions = new AtomicLong();
  private final AtomicLong compactedBytes = new AtomicLong();
  private final Object lock = new Object();

  /** A compaction and the version, retained, that holds its tables. */
  private record Work(Version version, Compaction compaction) {}

  /** Numbers of the tables that a job under way uses. */
  @GuardedBy("lock")
  private final Set<Long> busy = new HashSet<>();

  /**
   * What a job needs from the engine around it.
   *
   * @param live sequences of open views
   * @param install publishes a version
   * @param stopped whether jobs should give up
   * @param failed takes whatever a job failed with
   */
  public record Callbacks(
      Supplier<LiveSequences> live,
      Consumer<Version> install,
      BooleanSupplier stopped,
      Consumer<Throwable> failed) {}

  public CompactionScheduler(
      TableStore store,
      VersionSet versions,
      CompactionOptions options,
      BackgroundJobs jobs,
      Callbacks callbacks) {
    this.store = store;
    this.versions = versions;
    this.options = options;
    this.picker = new LeveledCompactionPicker(options);
    this.callbacks = callbacks;
    this.l0 = jobs.slot(Lane.L0, () -> runNext(true));
    this.deep = jobs.slot(Lane.DEEP, () -> runNext(false));
  }

  /** Looks for work soon. The caller holds no lock. */
  public void request() {
    l0.request();
    deep.request();
  }

  /** Compactions finished since the start. */
  public long compactions() {
    return compactions.get();
  }

  /** Bytes that they wrote. */
  public long compactedBytes() {
    return compactedBytes.get();
  }

  /** No job starts after this, and those under way have ended. */
  public void close() {
    l0.close();
    deep.close();
  }

  private void runNext(boolean fromL0) {
    if (callbacks.stopped().getAsBoolean()) {
      return;
    }
    Work work = null;
    boolean done = false;
    try {
      work = pick(fromL0);
      done = work != null && run(work.version, work.compaction);
    } catch (RuntimeException | Error e) {
      callbacks.failed().accept(e);
    } finally {
      if (work != null) {
        finish(work);
      }
    }
    if (done) {
      request();
    }
  }

  private boolean run(Version version, Compaction picked) {
    CompactionJob job =
        new CompactionJob(
            store, versions, version, picked, options.targetFileBytes(), callbacks.stopped());
    long written = job.run(callbacks.live().get(), callbacks.install());
    if (written < 0) {
      return false;
    }
    compactions.incrementAndGet();
    compactedBytes.addAndGet(written);
    return true;
  }

  private @Nullable Work pick(boolean fromL0) {
    synchronized (lock) {
      // Under the lock: a version from before another job's end would name tables that are gone.
      Version version = versions.pin().version();
      Compaction picked =
          (fromL0 ? picker.pickL0(version.levels(), busy) : picker.pickDeep(version.levels(), busy))
              .orElse(null);
      if (picked == null) {
        version.release();
        return null;
      }
      picked.tables().forEach(table -> busy.add(table.number()));
      return new Work(version, picked);
    }
  }

  private void finish(Work work) {
    synchronized (lock) {
      work.compaction.tables().forEach(table -> busy.remove(table.number()));
    }
    work.version.release();
  }
}
