package io.silkkv.raftsm.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.EngineOptions;
import io.silkkv.engine.EngineResources;
import io.silkkv.engine.LsmEngine;
import io.silkkv.engine.api.Cursor;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.ReadView;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.VersionedValue;
import io.silkkv.engine.testkit.MemFileSystem;
import io.silkkv.engine.testkit.Seeded;
import io.silkkv.raftsm.command.CommandResult;
import io.silkkv.raftsm.command.EntryCodec;
import io.silkkv.raftsm.command.LogEntry;
import io.silkkv.raftsm.command.RandomCommands;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The store over the real engine, on a disk that forgets what was not synced. */
class ReplicaStoreCrashTest {
  private static final Path SHARD = Path.of("/data/shards/7");

  @RegisterExtension final Seeded seeded = new Seeded();

  private MemFileSystem files = new MemFileSystem();
  private EngineResources resources;
  private ReplicaStore store;

  @Test
  void afterEveryCrashTheLogBringsBackTheSameStateAndTheSameAnswers() throws Exception {
    Random random = new Random(seeded.seed());
    CommandModel model = new CommandModel();
    List<LogEntry> log = new ArrayList<>();
    List<List<CommandResult>> answers = new ArrayList<>();
    open();
    for (int step = 0; step < 400; step++) {
      List<byte[]> encoded =
          RandomCommands.some(random, random.nextInt(6)).stream().map(EntryCodec::encode).toList();
      LogEntry entry = EntryCodec.decode(EntryCodec.entry(1_000 + step, encoded));
      log.add(entry);
      answers.add(model.apply(entry));
      assertThat(store.apply(entry, 1, step, 100)).isEqualTo(answers.get(step));
      if (random.nextInt(10) == 0) {
        CompletableFuture<LogPosition> flush = store.flush();
        if (random.nextBoolean()) {
          assertThat(flush.get(30, TimeUnit.SECONDS).index()).isEqualTo(step);
        }
      }
      if (random.nextInt(25) == 0) {
        MemFileSystem survivor =
            random.nextBoolean() ? files.crashCloneLosingAll() : files.crashClone(seeded.random());
        close();
        files = survivor;
        LogPosition flushed = open();
        for (int index = (int) flushed.index() + 1; index < log.size(); index++) {
          assertThat(store.apply(log.get(index), 1, index, 100)).isEqualTo(answers.get(index));
        }
        assertThat(content()).isEqualTo(model.data());
      }
    }
    assertThat(content()).isEqualTo(model.data());
    close();
  }

  private LogPosition open() throws IOException {
    resources = EngineResources.create(files, 8L << 20, 1L << 20, System::nanoTime, seeded.seed());
    store =
        new ReplicaStore(
            files,
            SHARD,
            (directory, listener) ->
                LsmEngine.open(directory, EngineOptions.DEFAULTS, resources, listener),
            SessionOptions.DEFAULT,
            2_000,
            Stores.DEAF);
    return store.open();
  }

  private void close() {
    store.close();
    resources.close();
  }

  private Map<Slice, VersionedValue> content() {
    Map<Slice, VersionedValue> content = new TreeMap<>();
    try (ReadView view = store.engine().view();
        Cursor cursor = view.cursor(null, null)) {
      for (cursor.first(); cursor.valid(); cursor.next()) {
        content.put(
            cursor.key().copy(), new VersionedValue(cursor.value().copy(), cursor.version()));
      }
    }
    return content;
  }
}
