package io.silkkv.engine.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import io.silkkv.engine.io.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MemFileSystemTest extends FileSystemContract {
  private static final Path HOME = Path.of("/db");
  private static final int CRASHES = 400;

  @RegisterExtension final Seeded seeded = new Seeded();

  private final MemFileSystem files = new MemFileSystem();

  @BeforeEach
  void createHome() throws IOException {
    files.createDirectories(HOME);
  }

  @Override
  protected FileSystem fileSystem() {
    return files;
  }

  @Override
  protected Path home() throws IOException {
    files.createDirectories(HOME);
    return HOME;
  }

  private static Path at(String name) {
    return HOME.resolve(name);
  }

  private void writeSynced(String name, String text) throws IOException {
    try (WritableFile file = files.create(at(name), IoClass.FLUSH)) {
      file.write(bytes(text));
      file.sync();
    }
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  private static String read(FileSystem files, String name) throws IOException {
    try (ReadableFile file = files.open(at(name))) {
      ByteBuffer all = ByteBuffer.allocate((int) file.size());
      file.read(0, all, IoClass.CLIENT_READ);
      return new String(all.array(), UTF_8);
    }
  }

  /** Every outcome of many crashes: names and contents of the files in the home directory. */
  private Set<String> outcomes() throws IOException {
    Set<String> outcomes = new HashSet<>();
    for (int i = 0; i < CRASHES; i++) {
      outcomes.add(describe(files.crashClone(seeded.random())));
    }
    return outcomes;
  }

  private static String describe(FileSystem crashed) throws IOException {
    StringBuilder text = new StringBuilder();
    for (String name : crashed.list(HOME)) {
      text.append(name).append('=').append(read(crashed, name)).append(' ');
    }
    return text.toString().trim();
  }

  @Test
  void syncedBytesOfASyncedNameAlwaysSurvive() throws IOException {
    writeSynced("a", "safe");
    files.syncDirectory(HOME);
    assertThat(outcomes()).containsExactly("a=safe");
    assertThat(describe(files.crashCloneLosingAll())).isEqualTo("a=safe");
  }

  @Test
  void bytesAfterTheLastSyncSurviveInPartOrTornOrNotAtAll() throws IOException {
    try (WritableFile file = files.create(at("a"), IoClass.FLUSH)) {
      file.write(bytes("safe"));
      file.sync();
      files.syncDirectory(HOME);
      file.write(bytes("LOST"));
    }
    assertThat(outcomes())
        .allMatch(each -> each.startsWith("a=safe"))
        .contains("a=safe", "a=safeLO", "a=safeLOST")
        .anyMatch(each -> !"a=safeLOST".startsWith(each));
    assertThat(describe(files.crashCloneLosingAll())).isEqualTo("a=safe");
  }

  @Test
  void aNameThatWasNotSyncedMayBeLostWithItsBytes() throws IOException {
    writeSynced("a", "x");
    assertThat(outcomes()).containsExactlyInAnyOrder("", "a=x");
  }

  @Test
  void changesOfADirectorySurviveInOrder() throws IOException {
    writeSynced("a", "1");
    writeSynced("b", "2");
    files.delete(at("a"));
    assertThat(outcomes()).containsExactlyInAnyOrder("", "a=1", "a=1 b=2", "b=2");
  }

  @Test
  void aRenameWithoutDirectorySyncShowsTheOldOrTheNewTargetButNeverNone() throws IOException {
    writeSynced("CURRENT", "old");
    files.syncDirectory(HOME);
    writeSynced("temp", "new");
    files.rename(at("temp"), at("CURRENT"));
    assertThat(outcomes())
        .containsExactlyInAnyOrder("CURRENT=old", "CURRENT=old temp=new", "CURRENT=new");
    files.syncDirectory(HOME);
    assertThat(outcomes()).containsExactly("CURRENT=new");
  }

  @Test
  void aDeletionWithoutDirectorySyncMayComeBack() throws IOException {
    writeSynced("a", "x");
    files.syncDirectory(HOME);
    files.delete(at("a"));
    assertThat(outcomes()).containsExactlyInAnyOrder("", "a=x");
  }

  @Test
  void bothNamesOfALinkedFileStayOneFileAfterACrash() throws IOException {
    WritableFile writer = files.create(at("a"), IoClass.FLUSH);
    files.link(at("a"), at("b"));
    files.syncDirectory(HOME);
    writer.write(bytes("abcdefgh"));
    for (int i = 0; i < CRASHES; i++) {
      MemFileSystem crashed = files.crashClone(seeded.random());
      assertThat(read(crashed, "a")).isEqualTo(read(crashed, "b"));
    }
  }

  @Test
  void aMoveBetweenDirectoriesNeverLosesBothNames() throws IOException {
    files.createDirectories(HOME.resolve("from"));
    files.createDirectories(HOME.resolve("to"));
    writeSynced("from/a", "x");
    files.syncDirectory(HOME.resolve("from"));
    files.rename(at("from/a"), at("to/a"));
    Set<Integer> copies = new HashSet<>();
    for (int i = 0; i < CRASHES; i++) {
      MemFileSystem crashed = files.crashClone(seeded.random());
      copies.add(crashed.list(at("from")).size() + crashed.list(at("to")).size());
    }
    assertThat(copies).containsExactlyInAnyOrder(1, 2);
    files.syncDirectory(HOME.resolve("from"));
    assertThat(files.crashCloneLosingAll().list(at("from"))).isEmpty();
    assertThat(files.crashCloneLosingAll().list(at("to"))).containsExactly("a");
  }

  @Test
  void createdDirectoriesSurviveWithoutFurtherSync() throws IOException {
    files.createDirectories(HOME.resolve("x/y"));
    assertThat(files.crashCloneLosingAll().exists(HOME.resolve("x/y"))).isTrue();
  }

  @Test
  void makingADirectoryBelowDoesNotSyncTheNamesAbove() throws IOException {
    writeSynced("a", "x");
    files.createDirectories(HOME.resolve("x/y"));
    files.syncDirectory(HOME);
    files.delete(at("a"));
    files.createDirectories(HOME.resolve("x/y"));
    assertThat(files.crashCloneLosingAll().exists(at("a"))).isTrue();
  }

  @Test
  void theSameSeedGivesTheSameCrash() throws IOException {
    for (String name : List.of("a", "b", "c")) {
      files.create(at(name), IoClass.FLUSH).write(bytes("content of " + name));
    }
    String first = describe(files.crashClone(new SplittableRandom(seeded.seed())));
    String second = describe(files.crashClone(new SplittableRandom(seeded.seed())));
    assertThat(second).isEqualTo(first);
  }

  @Test
  void aCloneSharesNothingWithItsOrigin() throws IOException {
    writeSynced("a", "x");
    files.syncDirectory(HOME);
    MemFileSystem clone = files.crashClone(seeded.random());
    clone.corrupt(at("a"), 0, 1);
    clone.create(at("b"), IoClass.FLUSH).close();
    assertThat(read(files, "a")).isEqualTo("x");
    assertThat(read(clone, "a")).isEqualTo("y");
    assertThat(files.exists(at("b"))).isFalse();
  }
}
