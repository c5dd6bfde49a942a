package io.silkkv.ops.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.ops.base.OpsException;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadStateTest {
  @TempDir private Path dir;
  private Path file;

  @BeforeEach
  void writeLoadFile() throws IOException {
    file = dir.resolve("data.tsv");
    Files.writeString(file, "a\t1\nb\t2\nc\t3\n");
  }

  private LoadState state() throws IOException {
    return new LoadState("cluster-1", LoadState.fingerprint(file), 4, 1, 1, 0);
  }

  @Test
  void whatWasWrittenIsReadBack() throws IOException {
    state().write(file);
    assertThat(LoadState.read(file, "cluster-1")).contains(state());
  }

  @Test
  void withoutAStateFileALoadStartsAtTheBeginning() throws IOException {
    assertThat(LoadState.read(file, "cluster-1")).isEmpty();
  }

  @Test
  void theStateOfAnotherClusterIsRefused() throws IOException {
    state().write(file);
    assertThatThrownBy(() -> LoadState.read(file, "cluster-2"))
        .isInstanceOf(OpsException.class)
        .hasMessageContaining("is about cluster cluster-1, but this is cluster cluster-2")
        .hasMessageContaining("--restart");
  }

  @Test
  void theStateOfAnotherContentIsRefused() throws IOException {
    state().write(file);
    Files.writeString(file, "something else\t1\n");
    assertThatThrownBy(() -> LoadState.read(file, "cluster-1"))
        .isInstanceOf(OpsException.class)
        .hasMessageContaining("is about an earlier content of " + file);
  }

  @Test
  void anUnreadableStateFileIsRefused() throws IOException {
    Files.writeString(LoadState.fileFor(file), "format=1\ncluster=c\n");
    assertThatThrownBy(() -> LoadState.read(file, "cluster-1"))
        .isInstanceOf(OpsException.class)
        .hasMessageContaining("fingerprint is missing");
  }

  @Test
  void aLoadThatGoesOnReadsOnlyTheRest() throws Exception {
    state().write(file);
    LoadState state = LoadState.read(file, "cluster-1").orElseThrow();
    List<String> keys = new ArrayList<>();
    try (FileChannel channel = FileChannel.open(file).position(state.offset())) {
      BulkLoader.Totals totals =
          new BulkLoader(
                  new LoadReader(
                      Channels.newInputStream(channel),
                      LoadFormat.TSV,
                      state.offset(),
                      state.lines()),
                  (key, value) -> {
                    keys.add(new String(key, StandardCharsets.UTF_8));
                    return CompletableFuture.completedFuture(null);
                  },
                  new BulkLoader.Options(4, 1 << 20, false),
                  new BulkLoader.Totals(
                      state.offset(), state.lines(), state.loaded(), state.skipped()),
                  bad -> {})
              .run();
      assertThat(totals).isEqualTo(new BulkLoader.Totals(12, 3, 3, 0));
    }
    assertThat(keys).containsExactly("b", "c");
  }
}
