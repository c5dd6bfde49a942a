package io.silkkv.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.api.Cursor;
import io.silkkv.engine.api.EngineClosedException;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.api.EngineIoException;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.ReadView;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.scheduler.BackgroundJobs;
import io.silkkv.engine.scheduler.Lane;
import io.silkkv.engine.testkit.FaultInjectingFileSystem;
import io.silkkv.engine.testkit.FaultInjectingFileSystem.Operation;
import io.silkkv.engine.testkit.MemFileSystem;
import io.silkkv.engine.testkit.Seeded;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A disk that says no: full, or broken. */
class EngineFailureTest {
  private static final int KEYS = 60;

  @RegisterExtension final Seeded seeded = new Seeded();

  private final MemFileSystem disk = new MemFileSystem();
  private final FaultInjectingFileSystem files = new FaultInjectingFileSystem(disk);

  @ParameterizedTest
  @EnumSource(
      value = Operation.class,
      names = {"CREATE", "WRITE", "SYNC", "SYNC_DIRECTORY", "RENAME", "OPEN"})
  void failedOperationMakesTheEngineReadOnlyAndNothingIsTriedAgain(Operation operation) {
    for (int nth = 1; nth <= 12; nth++) {
      MemFileSystem fresh = new MemFileSystem();
      FaultInjectingFileSystem faulty = new FaultInjectingFileSystem(fresh);
      EngineFixture fixture =
          new EngineFixture(faulty, EngineFixture.TINY, BackgroundJobs.manual(), seeded.seed());
      Run run = new Run(fixture);
      faulty.failAt(operation, nth);
      run.untilFailure(seeded.random());
      assertThat(fixture.told.failures).hasSize(1);
      EngineException cause = fixture.told.failures.get(0);
      assertThat(cause).isInstanceOf(EngineIoException.class);

      EngineModel.Entry late = run.model.append(EngineModel.randomBatch(seeded.random(), KEYS));
      assertThatThrownBy(() -> fixture.engine.write(late.batch(), late.position())).isSameAs(cause);
      assertThatThrownBy(() -> fixture.rotate("late")).isSameAs(cause);
      assertThat(fixture.engine.acceptsWrites()).isFalse();
      assertThat(fixture.engine.wantsRotation()).isFalse();
      assertThat(run.lastRotation()).isDone();

      long before = faulty.mutations();
      fixture.jobs.runAll();
      assertThat(faulty.mutations()).as("nothing is tried again").isEqualTo(before);
      assertThat(fixture.told.failures).hasSize(1);

      long applied = fixture.engine.applied().index();
      try (ReadView view = fixture.engine.view()) {
        EngineModel.assertShows(view, run.model.stateAt(applied));
      }
      LogPosition flushed = fixture.engine.flushed();
      fixture.close();
      try (EngineFixture again = new EngineFixture(fresh, EngineFixture.TINY)) {
        long index = again.engine.flushed().index();
        assertThat(index).isGreaterThanOrEqualTo(flushed.index());
        try (ReadView view = again.engine.view()) {
          EngineModel.assertShows(view, run.model.stateAt(index));
        }
      }
    }
  }

  private static final class Run {
    final EngineFixture fixture;
    final EngineModel model = new EngineModel();
    private CompletableFuture<LogPosition> lastRotation =
        CompletableFuture.completedFuture(LogPosition.NONE);

    Run(EngineFixture fixture) {
      this.fixture = fixture;
    }

    CompletableFuture<LogPosition> lastRotation() {
      return lastRotation;
    }

    void untilFailure(RandomGenerator random) {
      for (int i = 0; i < 2000 && fixture.told.failures.isEmpty(); i++) {
        EngineModel.Entry entry = model.append(EngineModel.randomBatch(random, KEYS));
        fixture.engine.write(entry.batch(), entry.position());
        if (i % 5 == 0) {
          lastRotation = fixture.rotate("state");
          fixture.jobs.runAll();
        }
      }
    }
  }

  @Test
  void failedFlushFailsItsRotationAndAllThatWaitBehindIt() {
    try (EngineFixture fixture =
        new EngineFixture(files, EngineFixture.TINY, BackgroundJobs.manual(), 1)) {
      fixture.put("a", "1");
      var first = fixture.rotate("");
      fixture.put("a", "2");
      var second = fixture.rotate("");
      files.failAt(Operation.SYNC, 1);
      fixture.jobs.runAll();
      assertThat(first).isCompletedExceptionally();
      assertThat(second).isCompletedExceptionally();
      assertThat(fixture.engine.flushed()).isEqualTo(LogPosition.NONE);
      assertThat(fixture.get("a")).isEqualTo("2");
    }
  }

  @Test
  void removalThatFailsIsLeftToTheNextStart() throws IOException {
    try (EngineFixture fixture = new EngineFixture(files, EngineFixture.TINY)) {
      files.failWhen(call -> call.operation() == Operation.DELETE);
      for (int i = 0; i < 6; i++) {
        fixture.put("a", "" + i);
        fixture.rotate("").join();
      }
      assertThat(fixture.told.failures).isEmpty();
      files.heal();
      fixture.reopen();
      assertThat(fixture.get("a")).isEqualTo("5");
      long tables =
          disk.list(EngineFixture.DIRECTORY).stream().filter(n -> n.endsWith(".sst")).count();
      assertThat(tables)
          .isEqualTo(fixture.engine.stats().levels().stream().mapToInt(l -> l.files()).sum());
    }
  }

  @Test
  void failedCheckpointLeavesNothingAndDoesNotHarmTheEngine() throws IOException {
    try (EngineFixture fixture = new EngineFixture(files, EngineFixture.TINY)) {
      fixture.put("a", "1");
      fixture.rotate("").join();
      Path target = Path.of("/data/copy");
      for (Operation operation :
          List.of(Operation.LINK, Operation.CREATE, Operation.SYNC, Operation.RENAME)) {
        files.failAt(operation, 1);
        assertThatThrownBy(() -> fixture.engine.checkpoint(target))
            .isInstanceOf(EngineIoException.class)
            .hasMessageContaining(target.toString());
        assertThat(disk.exists(target)).isFalse();
      }
      assertThat(fixture.engine.checkpoint(target)).isEqualTo(new LogPosition(1, 0, 1));
      assertThatThrownBy(() -> fixture.engine.checkpoint(target))
          .isInstanceOf(EngineIoException.class)
          .hasMessageContaining("FileAlreadyExists");
      assertThat(disk.exists(target.resolve("CURRENT"))).isTrue();
      fixture.put("a", "2");
      fixture.rotate("").join();
    }
  }

  @Test
  void checkpointFailsWhenTheEngineIsClosedWhileItsFilesAreLinked() throws IOException {
    try (EngineFixture fixture = new EngineFixture(files, EngineFixture.TINY)) {
      fixture.put("a", "1");
      fixture.rotate("").join();
      Path target = Path.of("/data/copy");
      files.failWhen(
          call -> {
            if (call.operation() == Operation.LINK) {
              fixture.engine.close();
            }
            return false;
          });
      assertThatThrownBy(() -> fixture.engine.checkpoint(target))
          .isInstanceOf(EngineClosedException.class);
      assertThat(disk.exists(target)).isFalse();
    }
  }

  @Test
  void jobThatIsAlmostDonePublishesNothingAfterAnotherOneFailed() {
    try (EngineFixture fixture =
        new EngineFixture(files, EngineFixture.TINY, BackgroundJobs.manual(), 1)) {
      for (int i = 0; i < 3; i++) {
        fixture.put("a", "1");
        fixture.rotate("");
      }
      fixture.jobs.runOne(Lane.FLUSH);
      fixture.jobs.runOne(Lane.FLUSH);
      LogPosition flushed = fixture.engine.flushed();
      AtomicBoolean compacting = new AtomicBoolean();
      files.failWhen(
          call -> {
            if (call.operation() == Operation.SYNC_DIRECTORY && !compacting.getAndSet(true)) {
              fixture.jobs.runOne(Lane.L0);
            }
            return compacting.get() && call.operation() == Operation.CREATE;
          });
      fixture.jobs.runOne(Lane.FLUSH);
      assertThat(compacting).isTrue();
      assertThat(fixture.engine.acceptsWrites()).isFalse();
      assertThat(fixture.engine.flushed()).isEqualTo(flushed);
    }
  }

  @Test
  void cursorHasNoPositionAfterAReadErrorAndASeekRevivesIt() {
    try (EngineFixture fixture = new EngineFixture(files, EngineFixture.TINY)) {
      WriteBatch batch = new WriteBatch();
      for (int i = 100; i < 200; i++) {
        batch.put(Slice.utf8("k" + i), Slice.wrap(new byte[50]));
      }
      fixture.write(batch);
      fixture.rotate("").join();
      try (ReadView view = fixture.engine.view();
          Cursor cursor = view.cursor(null, null)) {
        cursor.first();
        files.failWhen(call -> call.operation() == Operation.READ);
        assertThatThrownBy(
                () -> {
                  while (cursor.valid()) {
                    cursor.next();
                  }
                })
            .isInstanceOf(EngineIoException.class);
        assertThat(cursor.valid()).isFalse();
        files.heal();
        cursor.seek(Slice.utf8("k150"));
        assertThat(cursor.key()).isEqualTo(Slice.utf8("k150"));
      }
    }
  }

  @Test
  void readErrorGoesToTheReaderAlone() {
    try (EngineFixture fixture =
        new EngineFixture(files, EngineFixture.TINY, BackgroundJobs.manual(), 1)) {
      fixture.put("a", "1");
      fixture.rotate("");
      fixture.jobs.runAll();
      files.failAt(Operation.READ, 1);
      assertThatThrownBy(() -> fixture.get("a"))
          .isInstanceOf(EngineIoException.class)
          .hasMessageContaining(".sst");
      assertThat(fixture.get("a")).isEqualTo("1");
      assertThat(fixture.told.failures).isEmpty();
    }
  }
}
