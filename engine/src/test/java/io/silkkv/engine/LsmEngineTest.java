package io.silkkv.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.api.Cursor;
import io.silkkv.engine.api.EngineClosedException;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.Probe;
import io.silkkv.engine.api.ReadView;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.scheduler.BackgroundJobs;
import io.silkkv.engine.scheduler.Lane;
import io.silkkv.engine.testkit.MemFileSystem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LsmEngineTest {
  private final MemFileSystem files = new MemFileSystem();

  private EngineFixture open(BackgroundJobs jobs) {
    return new EngineFixture(files, EngineFixture.TINY, jobs, 1);
  }

  @Test
  void largeAttachmentDoesNotMakeEveryEditWriteANewManifest() throws IOException {
    MemFileSystem disk = new MemFileSystem();
    Set<String> manifests = new TreeSet<>();
    try (EngineFixture fixture = new EngineFixture(disk, EngineFixture.TINY)) {
      for (int i = 0; i < 20; i++) {
        fixture.put("a", "1");
        fixture.rotate("x".repeat(6 << 10)).join();
        disk.list(EngineFixture.DIRECTORY).stream()
            .filter(name -> name.startsWith("MANIFEST"))
            .forEach(manifests::add);
      }
    }
    assertThat(manifests).hasSizeLessThan(15);
  }

  @Test
  void newEngineHasNothing() {
    try (EngineFixture fixture = open(BackgroundJobs.inline())) {
      assertThat(fixture.get("a")).isNull();
      assertThat(fixture.engine.applied()).isEqualTo(LogPosition.NONE);
      assertThat(fixture.engine.flushed()).isEqualTo(LogPosition.NONE);
      assertThat(fixture.engine.attachment()).isEmpty();
      assertThat(fixture.engine.acceptsWrites()).isTrue();
      assertThat(fixture.engine.wantsRotation()).isFalse();
    }
  }

  @Test
  void whatWasRotatedSurvivesAndWhatWasNotIsGone() {
    try (EngineFixture fixture = open(BackgroundJobs.inline())) {
      fixture.put("a", "1");
      fixture.put("b", "2");
      LogPosition flushed = fixture.rotate("session table").join();
      fixture.put("a", "3");
      assertThat(fixture.get("a")).isEqualTo("3");

      fixture.reopen();

      assertThat(fixture.engine.applied()).isEqualTo(flushed).isEqualTo(new LogPosition(1, 1, 2));
      assertThat(fixture.engine.flushed()).isEqualTo(flushed);
      assertThat(fixture.attachment()).isEqualTo("session table");
      assertThat(fixture.get("a")).isEqualTo("1");
      assertThat(fixture.get("b")).isEqualTo("2");
    }
  }

  @Test
  void versionIsTheSequenceOfTheMutation() {
    try (EngineFixture fixture = open(BackgroundJobs.inline())) {
      fixture.write(
          new WriteBatch()
              .put(Slice.utf8("a"), Slice.utf8("1"))
              .put(Slice.utf8("b"), Slice.utf8("1"))
              .put(Slice.utf8("a"), Slice.utf8("2")));
      assertThat(fixture.engine.get(Slice.utf8("a")).version()).isEqualTo(3);
      fixture.rotate("").join();
      assertThat(fixture.engine.get(Slice.utf8("a")).version()).isEqualTo(3);
      assertThat(fixture.engine.get(Slice.utf8("b")).version()).isEqualTo(2);
    }
  }

  @Test
  void positionThatDoesNotFollowIsRefused() {
    try (EngineFixture fixture = open(BackgroundJobs.inline())) {
      fixture.put("a", "1");
      WriteBatch batch = new WriteBatch().put(Slice.utf8("b"), Slice.EMPTY);
      assertThatThrownBy(() -> fixture.engine.write(batch, new LogPosition(1, 0, 2)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("does not follow");
      assertThatThrownBy(() -> fixture.engine.write(batch, new LogPosition(1, 1, 1)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> fixture.engine.write(batch, new LogPosition(0, 1, 2)))
          .isInstanceOf(IllegalArgumentException.class);
      fixture.engine.write(batch, new LogPosition(2, 7, 2));
      assertThat(fixture.get("b")).isEmpty();
    }
  }

  @Test
  void emptyBatchMovesThePositionAndItsRotationWritesNoTable() {
    try (EngineFixture fixture = open(BackgroundJobs.inline())) {
      fixture.put("a", "1");
      fixture.rotate("x").join();
      fixture.write(new WriteBatch());
      assertThat(fixture.rotate("y").join()).isEqualTo(new LogPosition(1, 1, 1));
      assertThat(fixture.engine.stats().levels().get(0).files()).isEqualTo(1);
      fixture.reopen();
      assertThat(fixture.engine.flushed()).isEqualTo(new LogPosition(1, 1, 1));
      assertThat(fixture.attachment()).isEqualTo("y");
    }
  }

  @Test
  void rotationWithoutNewsIsDoneAtOnce() {
    try (EngineFixture fixture = open(BackgroundJobs.manual())) {
      fixture.put("a", "1");
      CompletableFuture<LogPosition> first = fixture.rotate("x");
      assertThat(fixture.rotate("x")).isSameAs(first).isNotDone();
      fixture.jobs.runAll();
      assertThat(first).isCompletedWithValue(new LogPosition(1, 0, 1));
      assertThat(fixture.rotate("x")).isCompletedWithValue(new LogPosition(1, 0, 1));
      assertThat(fixture.jobs.waiting(Lane.FLUSH)).isZero();
    }
  }

  @Test
  void rotationsBecomeDurableInOrder() {
    try (EngineFixture fixture = open(BackgroundJobs.manual())) {
      fixture.put("a", "1");
      var first = fixture.rotate("1");
      fixture.put("a", "2");
      var second = fixture.rotate("2");
      assertThat(fixture.engine.stats().waitingMemtables()).isEqualTo(2);
      assertThat(fixture.get("a")).isEqualTo("2");

      fixture.jobs.runOne(Lane.FLUSH);
      assertThat(first).isCompleted();
      assertThat(second).isNotDone();
      assertThat(fixture.engine.flushed()).isEqualTo(new LogPosition(1, 0, 1));
      fixture.jobs.runAll();
      assertThat(second).isCompleted();
      assertThat(fixture.told.flushed).last().isEqualTo(new LogPosition(1, 1, 2));
      assertThat(fixture.slabs.usedBytes()).isZero();
    }
  }

  @Test
  void probeSaysWhatMemoryKnows() {
    try (EngineFixture fixture = open(BackgroundJobs.inline())) {
      fixture.put("a", "1");
      fixture.delete("b");
      assertThat(fixture.engine.probe(Slice.utf8("a"))).isInstanceOf(Probe.Found.class);
      assertThat(fixture.engine.probe(Slice.utf8("b"))).isInstanceOf(Probe.Absent.class);
      assertThat(fixture.engine.probe(Slice.utf8("c"))).isInstanceOf(Probe.Absent.class);
      fixture.rotate("").join();
      assertThat(fixture.engine.probe(Slice.utf8("a"))).isInstanceOf(Probe.Unknown.class);
      assertThat(fixture.engine.probe(Slice.utf8("c")))
          .as("no table has it in its range")
          .isInstanceOf(Probe.Absent.class);
      assertThat(fixture.get("a")).isEqualTo("1");
      assertThat(fixture.engine.probe(Slice.utf8("a")))
          .as("its block is in the cache")
          .isInstanceOf(Probe.Found.class);
      assertThat(fixture.engine.probe(Slice.utf8("b"))).isInstanceOf(Probe.Absent.class);
    }
  }

  @Test
  void viewKeepsItsStateAcrossWritesFlushesAndCompactions() {
    try (EngineFixture fixture = open(BackgroundJobs.inline())) {
      fixture.put("a", "1");
      fixture.put("b", "1");
      fixture.put("c", "1");
      try (ReadView view = fixture.engine.view()) {
        fixture.delete("b");
        fixture.put("a", "2");
        for (int i = 0; i < 8; i++) {
          fixture.put("a", "3." + i);
          fixture.rotate("" + i).join();
        }
        assertThat(fixture.engine.stats().compactions()).isPositive();
        assertThat(view.get(Slice.utf8("a")).value().toUtf8()).isEqualTo("1");
        assertThat(keys(view.cursor(null, null))).containsExactly("a=1", "b=1", "c=1");
        assertThat(fixture.slabs.usedBytes()).as("a view holds no memtable").isZero();
      }
      assertThat(fixture.get("b")).isNull();
      try (ReadView view = fixture.engine.view()) {
        assertThat(keys(view.cursor(null, null))).containsExactly("a=3.7", "c=1");
      }
      assertThat(fixture.engine.stats().openViews()).isZero();
    }
  }

  @Test
  void deletedKeysLeaveNothingBehind() throws Exception {
    try (EngineFixture fixture = open(BackgroundJobs.inline())) {
      for (int i = 0; i < 20; i++) {
        fixture.put("key" + i, "value");
      }
      fixture.rotate("").join();
      for (int i = 0; i < 20; i++) {
        fixture.delete("key" + i);
      }
      fixture.rotate("").join();
      assertThat(fixture.engine.stats().compactions()).isPositive();
      assertThat(fixture.engine.stats().levels()).allMatch(level -> level.files() == 0);
      assertThat(tables()).isEmpty();
      assertThat(fixture.get("key5")).isNull();
    }
  }

  @Test
  void obsoleteFilesAreDeletedWhenTheLastCursorIsClosed() throws Exception {
    try (EngineFixture fixture = open(BackgroundJobs.inline())) {
      fixture.put("a", "1");
      fixture.rotate("").join();
      ReadView view = fixture.engine.view();
      Cursor cursor = view.cursor(null, null);
      view.close();
      for (int i = 0; i < 5; i++) {
        fixture.put("a", "2");
        fixture.rotate("").join();
      }
      assertThat(fixture.engine.stats().obsoleteBytes()).isPositive();
      assertThat(keys(cursor)).containsExactly("a=1");
      assertThat(fixture.engine.stats().obsoleteBytes()).isZero();
      assertThat(tables())
          .hasSize(fixture.engine.stats().levels().stream().mapToInt(level -> level.files()).sum());
    }
  }

  @Test
  void closedEngineSaysSo() {
    EngineFixture fixture = open(BackgroundJobs.manual());
    fixture.put("a", "1");
    var waiting = fixture.rotate("");
    ReadView view = fixture.engine.view();
    fixture.close();
    assertThat(waiting).isCompletedExceptionally();
    assertThatThrownBy(() -> fixture.get("a")).isInstanceOf(EngineClosedException.class);
    assertThatThrownBy(() -> view.get(Slice.utf8("a"))).isInstanceOf(EngineClosedException.class);
    assertThatThrownBy(() -> fixture.rotate("")).isInstanceOf(EngineClosedException.class);
    assertThatThrownBy(() -> fixture.engine.checkpoint(Path.of("/data/copy")))
        .isInstanceOf(EngineClosedException.class);
    view.close();
    fixture.engine.close();
    assertThat(fixture.slabs.usedBytes()).isZero();
  }

  private List<String> tables() throws Exception {
    return files.list(EngineFixture.DIRECTORY).stream().filter(n -> n.endsWith(".sst")).toList();
  }

  private static List<String> keys(Cursor cursor) {
    List<String> found = new ArrayList<>();
    try (cursor) {
      for (cursor.first(); cursor.valid(); cursor.next()) {
        found.add(cursor.key().toUtf8() + "=" + cursor.value().toUtf8());
      }
    }
    return found;
  }

  @Test
  void oldWritesAreAskedToBeFlushedThoughTheMemtableIsNotFull() {
    EngineOptions options = EngineFixture.TINY.toBuilder().flushAgeSeconds(60).build();
    try (EngineFixture fixture = new EngineFixture(new MemFileSystem(), options)) {
      fixture.nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(1000));
      fixture.put("a", "1");
      fixture.nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(59));
      fixture.resources.heartbeat().beat();
      assertThat(fixture.engine.wantsRotation()).isFalse();
      fixture.nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(1));
      fixture.resources.heartbeat().beat();
      fixture.resources.heartbeat().beat();
      assertThat(fixture.engine.wantsRotation()).isTrue();
      assertThat(fixture.told.flushesWanted).isEqualTo(1);
      fixture.rotate("").join();
      assertThat(fixture.engine.wantsRotation()).isFalse();
      fixture.nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(1000));
      fixture.resources.heartbeat().beat();
      assertThat(fixture.told.flushesWanted).as("nothing was written").isEqualTo(1);
    }
  }
}
