package io.silkkv.raftsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.testkit.MemFileSystem;
import io.silkkv.raftsm.apply.ReplicaStore;
import io.silkkv.raftsm.apply.SessionOptions;
import io.silkkv.raftsm.apply.StoreListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CheckpointDownloadTest {
  private static final LogPosition POSITION = new LogPosition(4, 20, 9);

  private final MemFileSystem files = new MemFileSystem();
  private final List<String> fatals = new ArrayList<>();
  private final ArrayDeque<Runnable> afterTheLimit = new ArrayDeque<>();
  private final CompletableFuture<LogPosition> fetched = new CompletableFuture<>();

  /** Never opened: a download needs its directory only. */
  private final ReplicaStore store =
      new ReplicaStore(
          files,
          Path.of("/shard"),
          (directory, listener) -> {
            throw new IllegalStateException("no engine here");
          },
          SessionOptions.DEFAULT,
          1,
          new StoreListener() {
            @Override
            public void flushed(LogPosition position) {}

            @Override
            public void damaged(CorruptionException cause) {
              throw cause;
            }

            @Override
            public void failed(EngineException cause) {
              throw cause;
            }
          });

  private final CheckpointDownload download =
      new CheckpointDownload(
          7,
          store,
          (shard, from, minIndex, incoming) -> fetched,
          (what, cause) -> fatals.add(what),
          afterTheLimit::add);

  @BeforeEach
  void receive() throws IOException {
    files.createDirectories(store.incoming());
  }

  @Test
  void aReadyCheckpointThatTheNextLeaderDoesNotLetRaftInstallIsFatal() {
    assertThat(readyFrom("n2")).isCompletedWithValue(POSITION);
    download.leaderIs("n2");
    assertThat(afterTheLimit).isEmpty();

    download.leaderIs("n3");
    assertThat(fatals).isEmpty();
    afterTheLimit.remove().run();

    assertThat(fatals).containsExactly("shard 7 received a checkpoint that Raft does not install");
  }

  @Test
  void aCheckpointThatIsInstalledInTimeIsFine() {
    assertThat(readyFrom("n2")).isCompletedWithValue(POSITION);
    download.leaderIs("n3");

    assertThat(download.install()).isEqualTo(POSITION);
    afterTheLimit.remove().run();

    assertThat(fatals).isEmpty();
  }

  @Test
  void aReplicaThatStopsIsNotFatal() {
    assertThat(readyFrom("n2")).isCompletedWithValue(POSITION);
    download.leaderIs("n3");

    download.close();
    afterTheLimit.remove().run();

    assertThat(fatals).isEmpty();
  }

  private CompletableFuture<LogPosition> readyFrom(String leader) {
    CompletableFuture<LogPosition> answer = download.start(leader, 10);
    assertThat(answer).isNotDone();
    fetched.complete(POSITION);
    return answer;
  }
}
