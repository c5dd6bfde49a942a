package io.silkkv.raftsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.EngineOptions;
import io.silkkv.engine.EngineResources;
import io.silkkv.engine.LsmEngine;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.testkit.MemFileSystem;
import io.silkkv.raftsm.command.Command;
import io.silkkv.raftsm.command.EntryCodec;
import io.silkkv.raftsm.command.EntryFormatException;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.server.storage.RaftStorageDirectory;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.LifeCycle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KvStateMachineTest {
  private static final RaftGroupId GROUP = RaftGroupId.valueOf(new UUID(1, 7));

  private final MemFileSystem files = new MemFileSystem();
  private final EngineResources resources =
      EngineResources.create(files, 8L << 20, 1L << 20, System::nanoTime, 1);
  private final List<String> fatals = new ArrayList<>();
  private final CompletableFuture<LogPosition> fetched = new CompletableFuture<>();
  private final List<Long> wanted = new ArrayList<>();
  private final AtomicInteger snapshotRequests = new AtomicInteger();
  private final AtomicBoolean serving = new AtomicBoolean();
  private KvStateMachine machine;

  /** A Raft server that knows no group; enough for a state machine alone. */
  private final RaftServer server =
      (RaftServer)
          Proxy.newProxyInstance(
              RaftServer.class.getClassLoader(),
              new Class<?>[] {RaftServer.class},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "getId" -> RaftPeerId.valueOf("n1");
                    case "snapshotManagementAsync" -> {
                      snapshotRequests.incrementAndGet();
                      yield new CompletableFuture<>();
                    }
                    default -> throw new IOException("no group here");
                  });

  @BeforeEach
  void start() throws IOException {
    machine =
        new KvStateMachine(
            7,
            Path.of("/data/shards/7"),
            files,
            (directory, listener) ->
                LsmEngine.open(directory, EngineOptions.DEFAULTS, resources, listener),
            ReplicaOptions.DEFAULT,
            (what, cause) -> fatals.add(what),
            new CheckpointInstaller() {
              @Override
              public CompletableFuture<LogPosition> fetch(
                  long shardId, String fromPeerId, long minIndex, Path incoming) {
                wanted.add(minIndex);
                return fetched;
              }

              @Override
              public boolean serves(long shardId) {
                return shardId == 7 && serving.get();
              }
            });
    machine.initialize(server, GROUP, storage());
  }

  /** Where Ratis would keep the log. */
  private RaftStorage storage() throws IOException {
    RaftStorageDirectory directory =
        new RaftStorageDirectory() {
          @Override
          public File getRoot() {
            return new File("/data/raft/group");
          }

          @Override
          public boolean isHealthy() {
            return true;
          }
        };
    files.createDirectories(directory.getCurrentDir().toPath());
    return (RaftStorage)
        Proxy.newProxyInstance(
            RaftStorage.class.getClassLoader(),
            new Class<?>[] {RaftStorage.class},
            (proxy, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("getStorageDir");
              return directory;
            });
  }

  @AfterEach
  void stop() {
    machine.close();
    resources.close();
  }

  @Test
  void theSnapshotIsTheFlushedPositionAndOnlyMovesForward() throws Exception {
    assertThat(machine.getLatestSnapshot()).isNull();
    assertThat(machine.takeSnapshot()).isEqualTo(-1);
    apply(3, 0);
    apply(3, 1);
    assertThat(machine.takeSnapshot()).isEqualTo(-1);

    machine.flush().get(30, TimeUnit.SECONDS);
    assertThat(machine.getLatestSnapshot()).isNull();
    assertThat(machine.takeSnapshot()).isEqualTo(1);
    assertThat(machine.getLatestSnapshot().getTermIndex()).isEqualTo(TermIndex.valueOf(3, 1));
    assertThat(machine.getLatestSnapshot().getFiles()).isEmpty();

    machine.notifyTermIndexUpdated(4, 2);
    assertThat(machine.getLastAppliedTermIndex()).isEqualTo(TermIndex.valueOf(4, 2));
    assertThat(machine.takeSnapshot()).isEqualTo(1);
    machine.flush().get(30, TimeUnit.SECONDS);
    assertThat(machine.takeSnapshot()).isEqualTo(2);
    assertThat(fatals).isEmpty();
  }

  @Test
  void theLogIsKeptWhileAnotherNodeFetchesACheckpoint() throws Exception {
    apply(3, 0);
    serving.set(true);
    machine.flush().get(30, TimeUnit.SECONDS);
    machine.tick(Runnable::run);
    assertThat(snapshotRequests).hasValue(0);

    serving.set(false);
    machine.tick(Runnable::run);
    machine.tick(Runnable::run);

    assertThat(snapshotRequests).hasValue(1);
  }

  @Test
  void aRestartContinuesAtTheFlushedPosition() throws Exception {
    apply(3, 0);
    machine.flush().get(30, TimeUnit.SECONDS);
    apply(3, 1);
    machine.close();

    start();

    assertThat(machine.getLastAppliedTermIndex()).isEqualTo(TermIndex.valueOf(3, 0));
    assertThat(machine.getLatestSnapshot().getTermIndex()).isEqualTo(TermIndex.valueOf(3, 0));
    apply(3, 1);
  }

  @Test
  void aPauseForACheckpointLeavesTheStateThatRatisExpects() throws IOException {
    machine.pause();
    assertThat(machine.getLifeCycleState()).isEqualTo(LifeCycle.State.PAUSED);
    machine.reinitialize();
    assertThat(machine.getLifeCycleState()).isEqualTo(LifeCycle.State.RUNNING);
    apply(3, 0);
  }

  @Test
  void aLeaderWithItsWholeLogNeedNotSendACheckpoint() {
    assertThat(install(0)).isCompletedWithValue(null);
    assertThat(wanted).isEmpty();
  }

  @Test
  void aCheckpointThatDoesNotReachFarEnoughIsRefused() {
    CompletableFuture<TermIndex> installed = install(50);
    assertThat(wanted).containsExactly(49L);
    assertThat(installed).isNotDone();
    fetched.complete(new LogPosition(3, 48, 10));
    assertThatThrownBy(() -> installed.get(30, TimeUnit.SECONDS))
        .hasRootCauseMessage("the checkpoint of n2 ends at index 48, before 49");
  }

  @Test
  void aRequestThatDidNotComeThroughThisNodeIsRefusedWithoutAnException() {
    RaftClientRequest request =
        RaftClientRequest.newBuilder()
            .setClientId(ClientId.randomId())
            .setServerId(RaftPeerId.valueOf("n1"))
            .setGroupId(GROUP)
            .setCallId(1)
            .setMessage(Message.valueOf("forged"))
            .setType(RaftClientRequest.writeRequestType())
            .build();
    assertThat(machine.startTransaction(request).getException())
        .hasMessageContaining("only through its own node");
  }

  @Test
  void anEntryThatCannotBeAppliedIsFatal() {
    TransactionContext damaged = context(3, 0, ByteString.copyFromUtf8("no entry"));
    assertThatThrownBy(() -> machine.applyTransaction(damaged))
        .isInstanceOf(EntryFormatException.class);
    assertThat(fatals).containsExactly("shard 7 cannot apply log entry 0 of term 3");
  }

  @Test
  void aLogThatCannotBeWrittenIsFatal() {
    machine.notifyLogFailed(new IOException("disk full"), null);
    assertThat(fatals).containsExactly("shard 7 cannot write its Raft log");
  }

  private CompletableFuture<TermIndex> install(long firstAvailable) {
    RoleInfoProto.Builder role = RoleInfoProto.newBuilder();
    role.getFollowerInfoBuilder()
        .getLeaderInfoBuilder()
        .getIdBuilder()
        .setId(ByteString.copyFromUtf8("n2"));
    return machine.notifyInstallSnapshotFromLeader(
        role.build(), TermIndex.valueOf(3, firstAvailable));
  }

  private void apply(long term, long index) {
    Command command = Command.of(new WriteBatch().put(Slice.utf8("key" + index), Slice.utf8("v")));
    byte[] entry = EntryCodec.entry(1_000, List.of(EntryCodec.encode(command)));
    assertThat(machine.applyTransaction(context(term, index, ByteString.copyFrom(entry))))
        .isCompleted();
    assertThat(machine.getLastAppliedTermIndex()).isEqualTo(TermIndex.valueOf(term, index));
  }

  private TransactionContext context(long term, long index, ByteString data) {
    return TransactionContext.newBuilder()
        .setServerRole(RaftPeerRole.FOLLOWER)
        .setStateMachine(machine)
        .setLogEntry(
            LogEntryProto.newBuilder()
                .setTerm(term)
                .setIndex(index)
                .setStateMachineLogEntry(StateMachineLogEntryProto.newBuilder().setLogData(data))
                .build())
        .build();
  }
}
