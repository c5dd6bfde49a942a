package io.silkkv.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.testkit.MemFileSystem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EngineInspectorTest {
  private final MemFileSystem files = new MemFileSystem();
  private final EngineInspector inspector = new EngineInspector(files);
  private final List<String> lines = new ArrayList<>();

  @BeforeEach
  void writeAnEngine() {
    EngineOptions options =
        EngineFixture.TINY.toBuilder().l0CompactionTrigger(10).l0StopWrites(20).build();
    try (EngineFixture fixture = new EngineFixture(files, options)) {
      fixture.put("a", "1");
      fixture.put("b\u0000", "22");
      fixture.delete("c");
      fixture.rotate("mark").join();
      fixture.put("z", "1");
      fixture.rotate("mark").join();
    }
  }

  private Path only(String start, String end) throws IOException {
    return files.list(EngineFixture.DIRECTORY).stream()
        .filter(name -> name.startsWith(start) && name.endsWith(end))
        .map(EngineFixture.DIRECTORY::resolve)
        .findFirst()
        .orElseThrow();
  }

  private List<EngineInspector.Problem> verify() throws IOException {
    return inspector.verify(EngineFixture.DIRECTORY, progress -> lines.add(progress.toString()));
  }

  @Test
  void healthyDirectoryHasNoProblemAndProgressIsTold() throws IOException {
    assertThat(verify()).isEmpty();
    assertThat(lines).hasSize(2);
    assertThat(lines.get(1)).contains("tables=2, allTables=2");
  }

  @Test
  void everyKindOfDamageIsNamed() throws IOException {
    Path table = only("", ".sst");
    String name = String.valueOf(table.getFileName());
    files.corrupt(table, 3, 0x40);
    assertThat(verify()).singleElement().matches(problem -> problem.file().equals(name));
    files.corrupt(table, 3, 0x40);
    files.truncate(table, files.size(table) - 1);
    assertThat(verify()).singleElement().matches(problem -> problem.file().equals(name));
    files.delete(table);
    assertThat(verify())
        .singleElement()
        .matches(problem -> problem.message().contains("the file is missing"));
    files.corrupt(only("MANIFEST", ""), 40, 0x01);
    assertThat(verify())
        .singleElement()
        .matches(problem -> problem.message().contains("MANIFEST-"));
  }

  @Test
  void tableOfAnotherContentIsFoundThoughItIsWhole() throws IOException {
    Path first = only("", ".sst");
    MemFileSystem others = new MemFileSystem();
    try (EngineFixture fixture = new EngineFixture(others, EngineFixture.TINY)) {
      fixture.put("x", "1");
      fixture.rotate("").join();
    }
    files.delete(first);
    byte[] stranger = bytes(others, others.list(EngineFixture.DIRECTORY));
    try (var file = files.create(first, io.silkkv.engine.io.IoClass.FLUSH)) {
      file.write(java.nio.ByteBuffer.wrap(stranger));
    }
    assertThat(verify())
        .singleElement()
        .matches(problem -> problem.message().contains("the manifest says"));
  }

  private static byte[] bytes(MemFileSystem others, List<String> names) throws IOException {
    String table = names.stream().filter(name -> name.endsWith(".sst")).findFirst().orElseThrow();
    Path path = EngineFixture.DIRECTORY.resolve(table);
    try (var file = others.open(path)) {
      var bytes = java.nio.ByteBuffer.allocate((int) file.size());
      file.read(0, bytes, io.silkkv.engine.io.IoClass.SCRUB);
      return bytes.array();
    }
  }

  @Test
  void summarySaysWhatTheManifestSays() throws IOException {
    EngineInspector.Summary summary =
        inspector.summary(EngineFixture.DIRECTORY, EngineOptions.DEFAULTS);
    assertThat(summary.flushed().index()).isEqualTo(3);
    assertThat(summary.attachmentBytes()).isEqualTo(4);
    assertThat(summary.baseLevel()).isEqualTo(6);
    assertThat(summary.levels().get(0).files()).isEqualTo(2);
    assertThat(summary.levels().get(0).entries()).isEqualTo(4);
    assertThat(summary.levels().get(0).deletions()).isEqualTo(1);
    assertThat(summary.levels().get(0).rawBytes()).isEqualTo(1 + 2 + 1 + 1 + 1 + 2 + 1);
  }

  @Test
  void tableIsDumpedWithPrintableKeys() throws IOException {
    inspector.dumpTable(only("", ".sst"), 2, lines::add);
    assertThat(lines)
        .contains("entries           3", "\"a\" @1 PUT 1 bytes", "\"b\\x00\" @2 PUT 2 bytes")
        .noneMatch(line -> line.startsWith("\"c\""));
  }

  @Test
  void manifestIsDumpedEditByEdit() throws IOException {
    inspector.dumpManifest(only("MANIFEST", ""), lines::add);
    assertThat(lines.stream().filter(line -> line.startsWith("edit at"))).hasSize(3);
    assertThat(lines).anyMatch(line -> line.startsWith("  + L0 ") && line.contains("1 deletions"));
    files.corrupt(only("MANIFEST", ""), 40, 0x01);
    assertThatThrownBy(() -> inspector.dumpManifest(only("MANIFEST", ""), lines::add))
        .isInstanceOf(CorruptionException.class);
  }

  @Test
  void directoryWithoutCurrentIsNoEngine() throws IOException {
    Path elsewhere = Path.of("/elsewhere");
    files.createDirectories(elsewhere);
    assertThat(inspector.verify(elsewhere, progress -> {}))
        .singleElement()
        .matches(problem -> problem.message().contains("no engine directory"));
    assertThatThrownBy(() -> inspector.summary(elsewhere, EngineOptions.DEFAULTS))
        .isInstanceOf(CorruptionException.class);
  }
}
