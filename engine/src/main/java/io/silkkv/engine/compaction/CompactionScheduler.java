package io.silkkv.engine.compaction;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.scheduler.BackgroundJobs;
import io.silkkv.engine.scheduler.EngineIo;
import io.silkkv.engine.scheduler.IoJob;
import io.silkkv.engine.scheduler.Lane;
import io.silkkv.engine.version.DamagedTables;
import io.silkkv.engine.version.Levels;
import io.silkkv.engine.version.LiveSequences;
import io.silkkv.engine.version.TableMetadata;
import io.silkkv.engine.version.TableStore;
import io.silkkv.engine.version.Version;
import io.silkkv.engine.version.VersionSet;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the compactions of one engine: a bounded number of level 0 and of the deeper levels at a
 * time, on their lanes, never with a table or a range of results in common.
 *
 * <p>Level 0 does not wait for deeper jobs. One that is in its way gives up and is started again
 * later; until level 0 is through, no other takes tables of the base level. Writes without pause
 * could so keep the base level from its turn, and each job of level 0 would rewrite more of it.
 * Therefore the lane of level 0 itself moves a table out of a base level that is {@value
 * DeepPicker#RELIEF_AT} times too large, in turns with its own jobs, and out of one that is {@value
 * DeepPicker#RELIEF_FIRST_AT} times too large before them.
 *
 * <p>Thread-safe; its lock is a leaf, and no file is touched under it.
 */
public final class CompactionScheduler {
  private final TableStore store;
  private final VersionSet versions;
  private final CompactionOptions options;
  private final InstantSource clock;
  private final DamagedTables damaged;
  private final LevelZeroPicker levelZero;
  private final DeepPicker deeper;
  private final Callbacks callbacks;
  private final List<BackgroundJobs.Slot> slots = new ArrayList<>();
  private final AtomicLong compactions = new AtomicLong();
  private final AtomicLong compactedBytes = new AtomicLong();
  private final AtomicLong yielded = new AtomicLong();
  private final Object lock = new Object();

  /** Jobs under way. */
  @GuardedBy("lock")
  private final List<Work> running = new ArrayList<>();

  /** Level 0 is due and waits for tables that a deeper job has or had. */
  @GuardedBy("lock")
  private boolean levelZeroWaits;

  /** The last job of the level 0 lane made the base level larger. */
  @GuardedBy("lock")
  private boolean reliefIsNext;

  /** Level 0 has stopped to wait without a job of its own: nobody else would wake the others. */
  @GuardedBy("lock")
  private boolean deeperMayGoOn;

  @GuardedBy("lock")
  private final Integer[] passedOver = new Integer[DeepPicker.REASONS];

  /** A job, and the version, retained, that holds its tables. */
  private static final class Work {
    final Version version;
    final Compaction compaction;

    /** Runs on the lane of level 0, and gives up for nobody. */
    final boolean urgent;

    volatile boolean givesUp;

    Work(Version version, Compaction compaction, boolean urgent) {
      this.version = version;
      this.compaction = compaction;
      this.urgent = urgent;
    }
  }

  /**
   * What a job needs from the engine around it.
   *
   * @param live sequences of open views
   * @param install publishes a version
   * @param stopped whether jobs should give up
   * @param failed takes whatever a job failed with
   * @param io where jobs are announced
   */
  public record Callbacks(
      Supplier<LiveSequences> live,
      Consumer<Version> install,
      BooleanSupplier stopped,
      Consumer<Throwable> failed,
      EngineIo io) {}

  /**
   * @param damaged tables to leave alone, and where those go that turn out to be
   * @param clock tells the age of tables
   */
  public CompactionScheduler(
      TableStore store,
      VersionSet versions,
      DamagedTables damaged,
      CompactionOptions options,
      BackgroundJobs jobs,
      InstantSource clock,
      Callbacks callbacks) {
    this.store = store;
    this.versions = versions;
    this.damaged = damaged;
    this.options = options;
    this.clock = clock;
    this.levelZero = new LevelZeroPicker(options);
    this.deeper = new DeepPicker(options);
    this.callbacks = callbacks;
    Arrays.fill(passedOver, 0);
    for (int i = 0; i < options.maxL0Jobs(); i++) {
      slots.add(jobs.slot(Lane.L0, () -> runNext(this::pickLevelZero), this::l0Fill));
    }
    for (int i = 0; i < options.maxDeepJobs(); i++) {
      slots.add(jobs.slot(Lane.DEEP, () -> runNext(this::pickDeeper)));
    }
  }

  /** Looks for work soon. The caller holds no lock. */
  public void request() {
    slots.forEach(BackgroundJobs.Slot::request);
  }

  /** Compactions finished since the start. */
  public long compactions() {
    return compactions.get();
  }

  /** Bytes that they wrote. */
  public long compactedBytes() {
    return compactedBytes.get();
  }

  /** Jobs that gave up in favour of level 0 since the start. */
  public long yielded() {
    return yielded.get();
  }

  /** Sizes that the levels of a tree may have. */
  public LevelTargets targets(Levels levels) {
    return LevelTargets.of(levels, options);
  }

  /** Bytes that compaction has to write until a tree has its target shape; an estimate. */
  public long debtBytes(Levels levels) {
    return Debt.bytes(levels, targets(levels), options);
  }

  /** No job starts after this, and those under way have ended. */
  public void close() {
    slots.forEach(BackgroundJobs.Slot::close);
  }

  private void runNext(Supplier<@Nullable Work> pick) {
    if (callbacks.stopped().getAsBoolean()) {
      return;
    }
    Work work = null;
    boolean again = false;
    try {
      work = pick.get();
      again = work == null ? deeperMayGoOn() : run(work);
    } catch (CorruptionException e) {
      // Another job may still find work that does not need the table.
      again = work != null && setAside(work, e);
      if (!again) {
        callbacks.failed().accept(e);
      }
    } catch (RuntimeException | Error e) {
      callbacks.failed().accept(e);
    } finally {
      if (work != null) {
        finish(work);
      }
    }
    if (again) {
      request();
    }
  }

  /** Whether it is an input that is damaged; it is left alone from now on. */
  private boolean setAside(Work work, CorruptionException cause) {
    Compaction compaction = work.compaction;
    return setAside(work.version, compaction.level(), compaction.inputs(), cause)
        || setAside(work.version, compaction.outputLevel(), compaction.overlapped(), cause);
  }

  private boolean setAside(
      Version version, int level, List<TableMetadata> tables, CorruptionException cause) {
    for (TableMetadata table : tables) {
      if (version.table(level, table.number()).path().toString().equals(cause.file())) {
        damaged.add(table, cause);
        return true;
      }
    }
    return false;
  }

  /** Whether to look for more work: the shape has changed, or level 0 can have its tables now. */
  private boolean run(Work work) {
    BooleanSupplier stopped = () -> work.givesUp || callbacks.stopped().getAsBoolean();
    CompactionJob job =
        new CompactionJob(
            store,
            versions,
            work.version,
            work.compaction,
            options,
            stopped,
            work.urgent ? IoClass.L0 : IoClass.DEEP);
    long written =
        callbacks
            .io()
            .run(
                description(work, stopped),
                () -> job.run(callbacks.live().get(), callbacks.install()));
    if (written < 0) {
      yielded.addAndGet(work.givesUp ? 1 : 0);
      return work.givesUp;
    }
    compactions.incrementAndGet();
    compactedBytes.addAndGet(written);
    return true;
  }

  /** Each byte is read and written, unless a table only changes its level. */
  private IoJob.Description description(Work work, BooleanSupplier stopped) {
    Compaction compaction = work.compaction;
    boolean moves = compaction.isMove(options.maxGrandparentBytes());
    boolean shrinksLevelZero = compaction.level() == 0 && compaction.outputLevel() > 0 && !moves;
    return new IoJob.Description(
        work.urgent ? IoClass.L0 : IoClass.DEEP,
        shrinksLevelZero ? Levels.bytes(compaction.inputs()) : 0,
        moves ? 0 : 2 * compaction.bytes(),
        work.urgent ? this::l0Fill : () -> 0,
        stopped);
  }

  /** Tables of level 0 as a multiple of the number that starts a merge. */
  private double l0Fill() {
    return (double) versions.durable().version().tables(0).size() / options.l0Trigger();
  }

  private @Nullable Work pickLevelZero() {
    Work picked;
    boolean waits;
    LiveSequences live = callbacks.live().get();
    synchronized (lock) {
      // Under the lock: a version from before another job's end would name tables that are gone.
      Version version = versions.pin().version();
      Situation now = situation(version.levels(), live);
      LevelZeroPicker.Choice choice = levelZero.pick(now);
      boolean waited = levelZeroWaits;
      levelZeroWaits = makeWay(choice.inTheWay());
      deeperMayGoOn |= waited && !levelZeroWaits;
      Compaction next = choice.job().orElse(null);
      if (next != null && next.outputLevel() > 0) {
        Compaction relief = deeper.relief(now, reliefIsNext).orElse(null);
        reliefIsNext = relief == null;
        next = relief == null ? next : relief;
      }
      picked = start(version, next, true);
      waits = levelZeroWaits;
    }
    if (waits) {
      // Who gives up may be waiting for the volume.
      callbacks.io().wakeStopped();
    }
    return picked;
  }

  /** Whether nothing but deeper jobs keeps level 0 waiting; they are told to give up. */
  @GuardedBy("lock")
  private boolean makeWay(List<Compaction> inTheWay) {
    List<Work> blockers =
        running.stream().filter(work -> inTheWay.contains(work.compaction)).toList();
    if (blockers.isEmpty() || blockers.stream().anyMatch(work -> work.urgent)) {
      return false;
    }
    blockers.forEach(work -> work.givesUp = true);
    return true;
  }

  private @Nullable Work pickDeeper() {
    LiveSequences live = callbacks.live().get();
    synchronized (lock) {
      Version version = versions.pin().version();
      DeepPicker.Choice choice =
          deeper.pick(situation(version.levels(), live), levelZeroWaits).orElse(null);
      if (choice == null) {
        return start(version, null, false);
      }
      passedOver[choice.reason()] = 0;
      choice.passedOver().forEach(reason -> passedOver[reason]++);
      return start(version, choice.compaction(), false);
    }
  }

  private boolean deeperMayGoOn() {
    synchronized (lock) {
      boolean may = deeperMayGoOn;
      deeperMayGoOn = false;
      return may;
    }
  }

  @GuardedBy("lock")
  private Situation situation(Levels levels, LiveSequences live) {
    return new Situation(
        levels,
        running.stream().map(work -> work.compaction).toList(),
        damaged.numbers(),
        live,
        clock.instant().getEpochSecond(),
        List.of(passedOver));
  }

  @GuardedBy("lock")
  private @Nullable Work start(Version version, @Nullable Compaction picked, boolean urgent) {
    if (picked == null) {
      version.release();
      return null;
    }
    Work work = new Work(version, picked, urgent);
    running.add(work);
    return work;
  }

  private void finish(Work work) {
    synchronized (lock) {
      running.remove(work);
    }
    work.version.release();
  }
}
