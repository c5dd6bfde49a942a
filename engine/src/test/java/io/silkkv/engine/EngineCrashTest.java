package io.silkkv.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.api.EngineIoException;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.ReadView;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.engine.scheduler.BackgroundJobs;
import io.silkkv.engine.scheduler.Lane;
import io.silkkv.engine.testkit.FaultInjectingFileSystem;
import io.silkkv.engine.testkit.MemFileSystem;
import io.silkkv.engine.testkit.Seeded;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The same run of writes, rotations, flushes, compactions, checkpoints and restarts, ended by a
 * crash before each of its file operations in turn. What the next start finds has to be the state
 * at the flushed position, no more and no less, and the flushed position has to be one that was
 * rotated to, not before the last one that was confirmed.
 */
class EngineCrashTest {
  private static final int STEPS = 320;
  private static final int KEYS = 60;

  /** What a crash takes with it. */
  enum Loss {
    EVERYTHING_NOT_SYNCED,
    SOME_OF_WHAT_WAS_NOT_SYNCED
  }

  @RegisterExtension final Seeded seeded = new Seeded();

  @ParameterizedTest
  @EnumSource
  void everyCrashLeavesTheStateAtTheFlushedPosition(Loss loss) throws IOException {
    MemFileSystem whole = new MemFileSystem();
    FaultInjectingFileSystem counting = new FaultInjectingFileSystem(whole);
    Run complete = new Run(counting, seeded.seed());
    complete.go();
    assertThat(complete.failure).isNull();
    assertThat(complete.compactions).isPositive();
    long operations = counting.mutations();
    assertThat(operations).isGreaterThan(150);
    for (long crashAt = 1; crashAt <= operations; crashAt++) {
      try {
        crashAt(crashAt, loss);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("after a crash at operation " + crashAt + " of " + operations, e);
      }
    }
  }

  private void crashAt(long operation, Loss loss) throws IOException {
    MemFileSystem disk = new MemFileSystem();
    FaultInjectingFileSystem faulty = new FaultInjectingFileSystem(disk);
    faulty.crashAtMutation(operation);
    Run run = new Run(faulty, seeded.seed());
    run.go();
    assertThat(faulty.crashed()).isTrue();
    if (run.failure != null) {
      // Null when the crash met the removal of an obsolete file, which harms nothing.
      assertThat(run.failure).isInstanceOf(EngineIoException.class);
    }

    RandomGenerator random = new SplittableRandom(seeded.seed() + operation);
    MemFileSystem left =
        loss == Loss.EVERYTHING_NOT_SYNCED ? disk.crashCloneLosingAll() : disk.crashClone(random);
    verifyRecovery(left, run);
    verifyCheckpoints(left, run);
  }

  private void verifyRecovery(MemFileSystem left, Run run) throws IOException {
    try (EngineFixture fixture =
        new EngineFixture(left, EngineFixture.TINY, BackgroundJobs.manual(), 7)) {
      long index = fixture.engine.flushed().index();
      assertThat(index).isGreaterThanOrEqualTo(run.confirmed().index());
      assertThat(run.rotatedTo).contains(index);
      verifyState(fixture.engine, run.model, index);
      assertThat(left.list(EngineFixture.DIRECTORY))
          .as("orphans are removed")
          .hasSize(
              2 + fixture.engine.stats().levels().stream().mapToInt(level -> level.files()).sum());

      for (EngineModel.Entry entry : run.model.after(index)) {
        fixture.engine.write(entry.batch(), entry.position());
      }
      RandomGenerator random = new SplittableRandom(seeded.seed() + 1);
      for (int i = 0; i < 10; i++) {
        EngineModel.Entry entry = run.model.append(EngineModel.randomBatch(random, KEYS));
        fixture.engine.write(entry.batch(), entry.position());
        if (i % 3 == 0) {
          fixture.rotate(attachment(run.model.last().index()));
          fixture.jobs.runAll();
        }
      }
      fixture.rotate(attachment(run.model.last().index()));
      fixture.jobs.runAll();
      assertThat(fixture.told.failures).isEmpty();
      fixture.reopen();
      verifyState(fixture.engine, run.model, run.model.last().index());
    }
  }

  /** A checkpoint that was confirmed is whole; one that was not is not taken for an engine. */
  private void verifyCheckpoints(MemFileSystem left, Run run) throws IOException {
    if (run.checkpoint == null) {
      return;
    }
    assertThat(left.exists(Run.CHECKPOINT.resolve("CURRENT"))).isTrue();
    try (EngineFixture resources =
        new EngineFixture(left, EngineFixture.TINY, BackgroundJobs.manual(), 7)) {
      StorageEngine copy =
          LsmEngine.open(
              Run.CHECKPOINT, EngineFixture.TINY, resources.resources, new EngineFixture.Told());
      verifyState(copy, run.model, run.checkpoint.index());
      copy.close();
    }
  }

  private static void verifyState(StorageEngine engine, EngineModel model, long index) {
    assertThat(engine.flushed()).isEqualTo(model.position(index));
    assertThat(engine.applied()).isEqualTo(engine.flushed());
    assertThat(Slice.wrap(engine.attachment()).toUtf8()).isEqualTo(attachment(index));
    try (ReadView view = engine.view()) {
      EngineModel.assertShows(view, model.stateAt(index));
    }
  }

  private static String attachment(long index) {
    return index < 0 ? "" : "state at " + index;
  }

  /** One run; the same seed leads to the same operations until the crash. */
  private static final class Run {
    private static final List<Lane> LANES = List.of(Lane.values());
    static final Path CHECKPOINT = Path.of("/data/checkpoint");

    final EngineModel model = new EngineModel();
    final Set<Long> rotatedTo = new HashSet<>(Set.of(-1L));
    private final FaultInjectingFileSystem files;
    private final RandomGenerator random;
    private final long seed;
    private final List<CompletableFuture<LogPosition>> rotations = new ArrayList<>();
    LogPosition checkpoint;
    EngineException failure;
    long compactions;

    Run(FaultInjectingFileSystem files, long seed) {
      this.files = files;
      this.seed = seed;
      this.random = new SplittableRandom(seed);
    }

    /** The last position that the owner was told to be durable. */
    LogPosition confirmed() {
      LogPosition last = LogPosition.NONE;
      for (CompletableFuture<LogPosition> rotation : rotations) {
        if (rotation.isDone() && !rotation.isCompletedExceptionally()) {
          last = rotation.join();
        }
      }
      return last;
    }

    void go() {
      EngineFixture fixture;
      try {
        fixture = new EngineFixture(files, EngineFixture.TINY, BackgroundJobs.manual(), seed);
      } catch (EngineException e) {
        failure = e;
        return;
      }
      try (fixture) {
        for (int step = 0; step < STEPS && !files.crashed(); step++) {
          step(fixture, random.nextInt(100));
        }
        if (!fixture.told.failures.isEmpty()) {
          failure = fixture.told.failures.get(0);
        }
      } catch (EngineException e) {
        failure = e;
      }
    }

    private void step(EngineFixture fixture, int choice) {
      if (choice < 45) {
        EngineModel.Entry entry = model.append(EngineModel.randomBatch(random, KEYS));
        fixture.engine.write(entry.batch(), entry.position());
      } else if (choice < 60) {
        rotatedTo.add(model.last().index());
        rotations.add(fixture.rotate(attachment(model.last().index())));
      } else if (choice < 96) {
        fixture.jobs.runOne(LANES.get(random.nextInt(LANES.size())));
        compactions = Math.max(compactions, fixture.engine.stats().compactions());
        // The notice of a failure is a job too.
        fixture.jobs.runOne(Lane.NOTICE);
      } else if (choice < 98) {
        if (checkpoint == null && fixture.engine.flushed().index() >= 0) {
          checkpoint = fixture.engine.checkpoint(CHECKPOINT);
        }
      } else {
        fixture.reopen();
        for (EngineModel.Entry entry : model.after(fixture.engine.flushed().index())) {
          fixture.engine.write(entry.batch(), entry.position());
        }
      }
    }
  }
}
