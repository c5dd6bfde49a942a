package io.silkkv.raftsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.EngineOptions;
import io.silkkv.engine.EngineResources;
import io.silkkv.engine.LsmEngine;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.io.IoCounters;
import io.silkkv.engine.io.LocalFileSystem;
import io.silkkv.raftsm.transfer.TransferOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto.NotificationProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotResult;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real replica n1; the test plays its two leaders, n2 and later n3. */
@Timeout(120)
class CheckpointLeaderChangeTest {
  private static final UUID GROUP = new UUID(0x51, 2);

  /** A download that the replica asked for, and its end, which the test decides. */
  private record Fetch(String from, CompletableFuture<LogPosition> end) {}

  @TempDir Path directory;
  private final List<Fetch> fetches = new CopyOnWriteArrayList<>();
  private final List<String> fatals = new CopyOnWriteArrayList<>();
  private final AtomicLong callId = new AtomicLong();
  private EngineResources resources;
  private RaftHost host;

  @BeforeEach
  void start() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    LocalFileSystem files = new LocalFileSystem(new IoCounters());
    resources = EngineResources.create(files, 64L << 20, 8L << 20, System::nanoTime, 1);
    RaftSettings settings =
        RaftSettings.defaults()
            .withElectionTimeouts(Duration.ofSeconds(60), Duration.ofSeconds(120));
    host =
        RaftHost.start(
            new ReplicaServerOptions(
                "n1",
                directory,
                "127.0.0.1",
                port,
                settings,
                ReplicaOptions.DEFAULT,
                TransferOptions.DEFAULT),
            RaftHost.transport(settings, System::nanoTime),
            group ->
                new KvStateMachine(
                    2,
                    directory.resolve("shards/2"),
                    files,
                    (d, l) -> LsmEngine.open(d, EngineOptions.DEFAULTS, resources, l),
                    ReplicaOptions.DEFAULT,
                    (what, cause) -> fatals.add(what + ": " + cause),
                    this::fetch),
            (what, cause) -> fatals.add(what + ": " + cause));
    host.open(
        new ShardSpec(
            2,
            GROUP,
            List.of(
                new PeerSpec("n1", "127.0.0.1:" + port),
                new PeerSpec("n2", "127.0.0.1:1"),
                new PeerSpec("n3", "127.0.0.1:2"))));
  }

  @AfterEach
  void stop() {
    host.close();
    resources.close();
    assertThat(fatals).isEmpty();
  }

  @Test
  void aNewLeaderWithEnoughLogIsFollowedAlthoughTheOldLeadersCheckpointIsStillComing()
      throws IOException {
    assertThat(offer("n2", 5, 1_000)).isEqualTo(InstallSnapshotResult.IN_PROGRESS);
    assertThat(append("n2", 5)).isEqualTo(AppendResult.INCONSISTENCY);

    append("n3", 6);
    fetches.get(0).end().complete(new LogPosition(4, 1_000, 1));

    assertThat(append("n3", 6)).isEqualTo(AppendResult.SUCCESS);
  }

  @Test
  void aNewLeaderWhoseLogBeginsEarlierGivesItsOwnCheckpoint() throws IOException {
    offer("n2", 5, 1_000);

    assertThat(offer("n3", 6, 500)).isEqualTo(InstallSnapshotResult.IN_PROGRESS);
    // Two downloads must not write into the same directory.
    assertThat(fetches).extracting(Fetch::from).containsExactly("n2");
    fetches.get(0).end().complete(new LogPosition(4, 1_000, 1));
    assertThat(fetches).extracting(Fetch::from).containsExactly("n2", "n3");
    fetches.get(1).end().complete(new LogPosition(4, 600, 1));

    assertThat(offer("n3", 6, 500)).isEqualTo(InstallSnapshotResult.SNAPSHOT_INSTALLED);
  }

  private CompletableFuture<LogPosition> fetch(
      long shard, String from, long minIndex, Path incoming) {
    try {
      Files.createDirectories(incoming);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Fetch fetch = new Fetch(from, new CompletableFuture<>());
    fetches.add(fetch);
    return fetch.end();
  }

  private InstallSnapshotResult offer(String leader, long term, long firstIndex)
      throws IOException {
    return host.server()
        .installSnapshot(
            InstallSnapshotRequestProto.newBuilder()
                .setServerRequest(request(leader))
                .setLeaderTerm(term)
                .setNotification(
                    NotificationProto.newBuilder()
                        .setFirstAvailableTermIndex(
                            TermIndexProto.newBuilder().setTerm(4).setIndex(firstIndex)))
                .build())
        .getResult();
  }

  private AppendResult append(String leader, long term) throws IOException {
    return host.server()
        .appendEntries(
            AppendEntriesRequestProto.newBuilder()
                .setServerRequest(request(leader))
                .setLeaderTerm(term)
                .setLeaderCommit(-1)
                .build())
        .getResult();
  }

  private RaftRpcRequestProto request(String leader) {
    return RaftRpcRequestProto.newBuilder()
        .setRequestorId(ByteString.copyFromUtf8(leader))
        .setReplyId(ByteString.copyFromUtf8("n1"))
        .setRaftGroupId(
            RaftGroupIdProto.newBuilder().setId(RaftGroupId.valueOf(GROUP).toByteString()))
        .setCallId(callId.incrementAndGet())
        .build();
  }
}
