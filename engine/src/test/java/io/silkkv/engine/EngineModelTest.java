package io.silkkv.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.api.PrefixRule;
import io.silkkv.engine.api.Probe;
import io.silkkv.engine.api.ReadView;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.engine.api.VersionedValue;
import io.silkkv.engine.scheduler.BackgroundJobs;
import io.silkkv.engine.scheduler.Lane;
import io.silkkv.engine.testkit.MemFileSystem;
import io.silkkv.engine.testkit.Seeded;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random operations on engines of very different shapes, each beside a sorted map. Background work
 * is one of the operations, so every interleaving of it can come up.
 */
class EngineModelTest {
  private static final List<Lane> LANES = List.of(Lane.values());
  private static final int STEPS = 1500;

  @RegisterExtension final Seeded seeded = new Seeded();

  private record PinnedState(ReadView view, NavigableMap<Slice, VersionedValue> state) {}

  private final MemFileSystem files = new MemFileSystem();
  private final EngineModel model = new EngineModel();
  private final List<PinnedState> views = new ArrayList<>();
  private final List<CursorWalk> cursors = new ArrayList<>();
  private RandomGenerator random;
  private EngineFixture fixture;
  private int keys;
  private int checkpoints;

  static Stream<EngineOptions> shapes() {
    EngineOptions tiny = EngineFixture.TINY;
    return Stream.of(
        tiny,
        tiny.toBuilder().memtableBytes(1 << 10).blockBytes(64).bloomBitsPerKey(0).build(),
        tiny.toBuilder().targetFileBytes(1 << 10).levelBaseBytes(1 << 10).build(),
        tiny.toBuilder()
            .compression(TierCompression.DEFAULTS)
            .blockBytes(64)
            .targetFileBytes(8 << 10)
            .dictionaryBytes(256)
            .build(),
        tiny.toBuilder().bloomBitsPerKeyLast(0).prefixes(PrefixRule.length(4)).build(),
        tiny.toBuilder().l0CompactionTrigger(1).l0StopWrites(2).manifestRollBytes(1 << 10).build(),
        tiny.toBuilder().l0CompactionTrigger(9).l0StopWrites(12).levelMultiplier(2).build(),
        EngineOptions.DEFAULTS);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void engineShowsWhatTheModelShows(EngineOptions options) {
    random = seeded.random();
    keys = 20 + random.nextInt(400);
    fixture = new EngineFixture(files, options, BackgroundJobs.manual(), seeded.seed());
    for (int step = 0; step < STEPS; step++) {
      step(random.nextInt(100));
      assertThat(fixture.told.failures).isEmpty();
    }
    closeReaders();
    fixture.rotate(attachment());
    fixture.jobs.runAll();
    verifyAll();
    fixture.reopen();
    verifyAll();
    fixture.close();
    assertThat(fixture.slabs.usedBytes()).isZero();
  }

  private void step(int choice) {
    if (choice < 40) {
      EngineModel.Entry entry = model.append(EngineModel.randomBatch(random, keys));
      fixture.engine.write(entry.batch(), entry.position());
    } else if (choice < 62) {
      fixture.jobs.runOne(LANES.get(random.nextInt(LANES.size())));
    } else if (choice < 67) {
      fixture.rotate(attachment());
    } else if (choice < 75) {
      verifyKey();
    } else if (choice < 79) {
      views.add(new PinnedState(fixture.engine.view(), model.state()));
    } else if (choice < 82 && !views.isEmpty()) {
      PinnedState pinned = views.remove(random.nextInt(views.size()));
      EngineModel.assertShows(pinned.view, pinned.state);
      pinned.view.close();
    } else if (choice < 86 && !views.isEmpty()) {
      PinnedState pinned = views.get(random.nextInt(views.size()));
      cursors.add(new CursorWalk(pinned.view, pinned.state, random, keys));
    } else if (choice < 89 && !cursors.isEmpty()) {
      cursors.remove(random.nextInt(cursors.size())).close();
    } else if (choice < 97) {
      cursors.forEach(cursor -> cursor.move(random));
    } else if (choice == 98) {
      verifyCheckpoint();
    } else if (choice == 99) {
      restart();
    }
  }

  /** Says where the log stood, so that a mix-up of attachments shows. */
  private String attachment() {
    long index = model.last().index();
    return index < 0 ? "" : "state at " + index;
  }

  private void verifyKey() {
    Slice key = EngineModel.randomKey(random, keys);
    VersionedValue expected = model.state().get(key);
    Probe probe = fixture.engine.probe(key);
    assertThat(fixture.engine.get(key)).isEqualTo(expected);
    if (!(probe instanceof Probe.Unknown)) {
      assertThat(probe)
          .isEqualTo(expected == null ? new Probe.Absent() : new Probe.Found(expected));
    }
    List<Slice> some = new ArrayList<>();
    List<VersionedValue> values = new ArrayList<>();
    for (int i = random.nextInt(20); i > 0; i--) {
      Slice each = EngineModel.randomKey(random, keys);
      some.add(each);
      values.add(model.state().get(each));
    }
    assertThat(fixture.engine.getAll(some)).isEqualTo(values);
  }

  private void verifyAll() {
    assertThat(fixture.engine.applied()).isEqualTo(model.last());
    try (ReadView view = fixture.engine.view()) {
      EngineModel.assertShows(view, model.state());
    }
  }

  private void verifyFlushed(StorageEngine engine) {
    long index = engine.flushed().index();
    assertThat(engine.flushed()).isEqualTo(model.position(index));
    assertThat(engine.applied()).isEqualTo(engine.flushed());
    assertThat(Slice.wrap(engine.attachment()).toUtf8())
        .isEqualTo(index < 0 ? "" : "state at " + index);
    try (ReadView view = engine.view()) {
      EngineModel.assertShows(view, model.stateAt(index));
    }
  }

  private void verifyCheckpoint() {
    Path target = Path.of("/data/checkpoint-" + checkpoints++);
    assertThat(fixture.engine.checkpoint(target)).isEqualTo(fixture.engine.flushed());
    StorageEngine copy =
        LsmEngine.open(target, fixture.options, fixture.resources, new EngineFixture.Told());
    verifyFlushed(copy);
    copy.close();
  }

  private void restart() {
    closeReaders();
    fixture.reopen();
    verifyFlushed(fixture.engine);
    for (EngineModel.Entry entry : model.after(fixture.engine.flushed().index())) {
      fixture.engine.write(entry.batch(), entry.position());
    }
    verifyAll();
  }

  private void closeReaders() {
    cursors.forEach(CursorWalk::close);
    cursors.clear();
    views.forEach(pinned -> EngineModel.assertShows(pinned.view, pinned.state));
    views.forEach(pinned -> pinned.view.close());
    views.clear();
  }
}
