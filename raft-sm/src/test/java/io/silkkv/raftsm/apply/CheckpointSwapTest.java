package io.silkkv.raftsm.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import io.silkkv.engine.io.WritableFile;
import io.silkkv.engine.testkit.MemFileSystem;
import io.silkkv.engine.testkit.Seeded;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CheckpointSwapTest {
  private static final Path SHARD = Path.of("/data/shards/7");

  @RegisterExtension final Seeded seeded = new Seeded();

  private final MemFileSystem disk = new MemFileSystem();
  private final List<MemFileSystem> crashes = new ArrayList<>();

  /** Does what it is told, and after every call remembers what a crash would leave. */
  private final FileSystem crashing =
      (FileSystem)
          Proxy.newProxyInstance(
              FileSystem.class.getClassLoader(),
              new Class<?>[] {FileSystem.class},
              (proxy, method, arguments) -> {
                try {
                  return method.invoke(disk, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                } finally {
                  crashes.add(disk.crashCloneLosingAll());
                  for (int i = 0; i < 5; i++) {
                    crashes.add(disk.crashClone(seeded.random()));
                  }
                }
              });

  @Test
  void aCrashAtAnyMomentLeavesTheOldOrTheNewEngineAndNothingElse() throws IOException {
    new CheckpointSwap(disk, SHARD).finish();
    fill(SHARD.resolve("engine"), "old");
    fill(SHARD.resolve("incoming"), "new");
    CheckpointSwap swap = new CheckpointSwap(crashing, SHARD);

    swap.commit();
    for (MemFileSystem crash : crashes) {
      assertThat(afterRestart(crash)).isIn("old", "new");
    }
    crashes.clear();
    crashes.add(disk.crashCloneLosingAll());
    assertThat(swap.finish()).isTrue();

    assertThat(content(disk)).isEqualTo("new");
    assertThat(disk.list(SHARD)).containsExactly("engine");
    for (MemFileSystem crash : crashes) {
      assertThat(afterRestart(crash)).isEqualTo("new");
      assertThat(crash.list(SHARD)).containsExactly("engine");
    }
    assertThat(new CheckpointSwap(disk, SHARD).finish()).isFalse();
  }

  @Test
  void aReplicaWithoutEngineTakesTheCheckpointToo() throws IOException {
    CheckpointSwap swap = new CheckpointSwap(disk, SHARD);
    assertThat(swap.finish()).isFalse();
    fill(SHARD.resolve("incoming"), "new");
    swap.commit();

    assertThat(swap.finish()).isTrue();

    assertThat(content(disk)).isEqualTo("new");
  }

  @Test
  void aCheckpointThatWaitsToBeSwappedInIsNotReplacedByALaterOne() throws IOException {
    CheckpointSwap swap = new CheckpointSwap(disk, SHARD);
    swap.finish();
    fill(SHARD.resolve("engine"), "old");
    fill(SHARD.resolve("incoming"), "first");
    swap.commit();
    fill(SHARD.resolve("incoming"), "second");

    // The log up to the first one may be gone: it must not be lost, not even for a moment.
    assertThatThrownBy(swap::commit).isInstanceOf(IOException.class).hasMessageContaining("ready");
    swap.finish();
    assertThat(content(disk)).isEqualTo("first");

    swap.commit();
    swap.finish();
    assertThat(content(disk)).isEqualTo("second");
  }

  @Test
  void anIncompleteCheckpointIsNotUsed() throws IOException {
    new CheckpointSwap(disk, SHARD).finish();
    fill(SHARD.resolve("engine"), "old");
    fill(SHARD.resolve("incoming"), "half");

    assertThat(new CheckpointSwap(disk, SHARD).finish()).isFalse();

    assertThat(content(disk)).isEqualTo("old");
  }

  @Test
  void theDirectoryOfANewReplicaSurvivesACrash() throws IOException {
    CheckpointSwap swap = new CheckpointSwap(disk, SHARD);
    swap.finish();
    fill(SHARD.resolve("engine"), "first");
    swap.syncNames();

    assertThat(content(disk.crashCloneLosingAll())).isEqualTo("first");
  }

  private static String afterRestart(MemFileSystem crash) throws IOException {
    new CheckpointSwap(crash, SHARD).finish();
    return content(crash);
  }

  private void fill(Path directory, String text) throws IOException {
    disk.createDirectories(directory);
    for (String name : List.of("CURRENT", "000001.sst")) {
      try (WritableFile file = disk.create(directory.resolve(name), IoClass.TRANSFER)) {
        file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        file.sync();
      }
    }
    disk.syncDirectory(directory);
    disk.syncDirectory(SHARD);
  }

  /** What all files of the engine say. */
  private static String content(FileSystem files) throws IOException {
    Path engine = SHARD.resolve("engine");
    List<String> texts = new ArrayList<>();
    for (String name : files.list(engine)) {
      try (ReadableFile file = files.open(engine.resolve(name))) {
        ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
        file.read(0, bytes, IoClass.TRANSFER);
        texts.add(new String(bytes.array(), StandardCharsets.UTF_8));
      }
    }
    assertThat(texts).hasSize(2);
    return texts.get(0).equals(texts.get(1)) ? texts.get(0) : texts.toString();
  }
}
