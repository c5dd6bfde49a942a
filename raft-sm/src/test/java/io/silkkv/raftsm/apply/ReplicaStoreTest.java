package io.silkkv.raftsm.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.EngineClosedException;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.api.EngineIoException;
import io.silkkv.engine.api.EngineListener;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.VersionedValue;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.testkit.MemFileSystem;
import io.silkkv.raftsm.command.Command;
import io.silkkv.raftsm.command.CommandResult;
import io.silkkv.raftsm.command.CommandResult.Applied;
import io.silkkv.raftsm.command.Condition;
import io.silkkv.raftsm.command.LogEntry;
import io.silkkv.raftsm.command.SessionStamp;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReplicaStoreTest {
  private static final Path SHARD = Path.of("/data/shards/7");
  private static final long LOG_LIMIT = 1_000;
  private static final UUID CLIENT = new UUID(1, 1);

  private final MemFileSystem files = new MemFileSystem();
  private final List<LogPosition> flushed = new ArrayList<>();
  private FakeEngine.Disk disk = new FakeEngine.Disk();
  private FakeEngine engine;
  private EngineListener engineListener;
  private Runnable duringWrite = () -> {};
  private Runnable duringGet = () -> {};
  private ReplicaStore store;

  @BeforeEach
  void open() throws IOException {
    store =
        new ReplicaStore(
            files,
            SHARD,
            (directory, listener) -> {
              engineListener = listener;
              engine =
                  new FakeEngine(disk, listener) {
                    @Override
                    public void write(WriteBatch batch, LogPosition position) {
                      duringWrite.run();
                      super.write(batch, position);
                    }

                    @Override
                    public VersionedValue get(Slice key) {
                      duringGet.run();
                      return super.get(key);
                    }
                  };
              return engine;
            },
            SessionOptions.DEFAULT,
            LOG_LIMIT,
            new StoreListener() {
              @Override
              public void flushed(LogPosition position) {
                flushed.add(position);
              }

              @Override
              public void damaged(CorruptionException cause) {
                throw cause;
              }

              @Override
              public void failed(EngineException cause) {
                throw cause;
              }
            });
    store.open();
  }

  @Test
  void theMemtableIsClosedWhenTheEngineWantsIt() {
    apply(0, 1);
    assertThat(engine.rotations).isZero();

    engine.wantsRotation = true;
    apply(1, 2);

    assertThat(engine.rotations).isEqualTo(1);
    assertThat(flushed).containsExactly(new LogPosition(3, 1, 2));
  }

  @Test
  void theMemtableIsClosedWhenTheLogHasGrownTooLong() {
    for (int index = 0; index < 25; index++) {
      assertThat(store.apply(entry(index + 1), 3, index, LOG_LIMIT / 10)).hasSize(1);
    }
    assertThat(flushed).extracting(LogPosition::index).containsExactly(9L, 19L);
  }

  @Test
  void aWishFromAnotherThreadIsFulfilledAtOnceWhenNothingIsApplied() throws Exception {
    apply(0, 1);
    CompletableFuture.runAsync(engineListener::flushWanted).get(10, TimeUnit.SECONDS);
    assertThat(flushed).extracting(LogPosition::index).containsExactly(0L);
  }

  @Test
  void aWishDuringApplyDoesNotWaitAndIsFulfilledAfterTheEntry() {
    apply(0, 1);
    duringWrite =
        () -> {
          // Would hang if it waited for the thread that applies.
          CompletableFuture.runAsync(engineListener::flushWanted)
              .orTimeout(10, TimeUnit.SECONDS)
              .join();
          assertThat(engine.rotations).isZero();
        };

    apply(1, 2);

    assertThat(flushed).extracting(LogPosition::index).containsExactly(1L);
  }

  @Test
  void theSessionTableComesBackWithTheFlushedPosition() throws IOException {
    SessionStamp stamp = new SessionStamp(new UUID(1, 2), 5, 5);
    Command command =
        new Command(stamp, List.of(), new WriteBatch().put(Slice.utf8("k"), Slice.utf8("v")));
    LogEntry entry = new LogEntry(10, List.of(command));
    assertThat(store.apply(entry, 3, 0, 10)).containsExactly(new Applied(1));
    assertThat(store.flush()).isCompletedWithValue(new LogPosition(3, 0, 1));
    apply(1, 2);
    store.close();

    assertThat(store.open()).isEqualTo(new LogPosition(3, 0, 1));

    assertThat(store.sessionCount()).isEqualTo(1);
    assertThat(store.applied()).isEqualTo(new LogPosition(3, 0, 1));
    assertThat(store.apply(entry, 3, 1, 10)).containsExactly(new Applied(1));
    assertThat(engine.applied().sequence()).isEqualTo(1);
  }

  @Test
  void readersKeepTheirEngineWhileACheckpointReplacesIt() throws IOException {
    apply(0, 1);
    var reader = store.engine();
    FakeEngine.Disk received = new FakeEngine.Disk();
    FakeEngine source = new FakeEngine(received, engineListener);
    source.write(
        new WriteBatch().put(Slice.utf8("new"), Slice.utf8("v")), new LogPosition(4, 50, 1));
    CompletableFuture<LogPosition> unused =
        source.rotate(new SessionTable(SessionOptions.DEFAULT).encode());
    files.createDirectories(store.incoming());
    store.commitIncoming();
    disk = received;

    assertThat(store.reopen()).isEqualTo(new LogPosition(4, 50, 1));

    assertThat(reader.get(Slice.utf8("new"))).isNotNull();
    assertThat(reader.get(Slice.utf8("key1"))).isNull();
    assertThat(store.applied().index()).isEqualTo(50);
    apply(51, 2);
  }

  @Test
  void anEngineWhoseSessionTableCannotBeReadIsClosed() {
    assertThat(engine.rotate(new byte[] {99})).isCompleted();
    store.close();

    assertThatThrownBy(store::open).hasMessageContaining("format version 99");

    assertThatThrownBy(() -> engine.get(Slice.utf8("k"))).isInstanceOf(EngineClosedException.class);
  }

  @Test
  void aClosedStoreSaysSo() {
    store.close();
    store.close();
    assertThatThrownBy(() -> store.engine().get(Slice.utf8("k")))
        .isInstanceOf(EngineClosedException.class);
    assertThatThrownBy(() -> apply(0, 1)).isInstanceOf(EngineClosedException.class);
    assertThat(store.flush()).isCompletedExceptionally();
    engineListener.flushWanted();
  }

  @Test
  void onlyTheLogWrites() {
    assertThatThrownBy(() -> store.engine().write(new WriteBatch(), LogPosition.NONE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("propose a command");
    assertThatThrownBy(() -> store.engine().close()).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.engine().rotate(new byte[0]))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("flush the replica");
  }

  @Test
  void aRetryAtALeaderWhoseClockIsHoursAheadIsStillRecognized() {
    LogEntry write = stamped(1_000_000, CLIENT, 1);
    List<CommandResult> first = store.apply(write, 3, 0, 10);

    long ahead = 1_000_000 + Duration.ofHours(5).toMillis();
    List<CommandResult> retry = store.apply(stamped(ahead, CLIENT, 1), 4, 1, 10);

    assertThat(retry).isEqualTo(first);
    assertThat(engine.applied().sequence()).isEqualTo(1);
  }

  @Test
  void clientsThatNeverAcknowledgeDoNotMakeAnotherClientsRetryApplyTwice() {
    List<CommandResult> first = store.apply(stamped(10, CLIENT, 1), 3, 0, 10);
    long index = 1;
    for (int other = 2; other < 200; other++) {
      List<Command> commands = new ArrayList<>();
      for (int sequence = 1; sequence <= 1_024; sequence++) {
        commands.add(command(new UUID(9, other), sequence));
      }
      assertThat(store.apply(new LogEntry(10, commands), 3, index++, 0)).hasSize(1_024);
    }
    long written = engine.applied().sequence();

    assertThat(store.apply(stamped(10, CLIENT, 1), 3, index, 10)).isEqualTo(first);
    assertThat(engine.applied().sequence()).isEqualTo(written);
  }

  @Test
  void afterAFailedApplyTheSessionTableIsNotStored() throws Exception {
    LogEntry entry =
        new LogEntry(
            10,
            List.of(
                command(CLIENT, 1),
                new Command(
                    new SessionStamp(CLIENT, 2, 0),
                    List.of(new Condition.Absent(Slice.utf8("b"))),
                    new WriteBatch().put(Slice.utf8("b"), Slice.utf8("v")))));
    duringGet =
        () -> {
          CompletableFuture.runAsync(engineListener::flushWanted)
              .orTimeout(10, TimeUnit.SECONDS)
              .join();
          throw new EngineIoException("reading a block", new IOException("the disk is gone"));
        };
    assertThatThrownBy(() -> store.apply(entry, 3, 0, 10)).isInstanceOf(EngineIoException.class);
    engineListener.flushWanted();
    assertThat(store.flush()).isCompletedExceptionally();
    assertThat(engine.rotations).isZero();
    duringGet = () -> {};
    store.close();
    store.open();

    assertThat(store.apply(entry, 3, 0, 10)).containsExactly(new Applied(1), new Applied(2));

    assertThat(store.engine().get(Slice.utf8("key1"))).isNotNull();
    assertThat(store.flush()).isCompletedWithValue(new LogPosition(3, 0, 2));
  }

  private static LogEntry stamped(long leaderMillis, UUID client, long sequence) {
    return new LogEntry(leaderMillis, List.of(command(client, sequence)));
  }

  private static Command command(UUID client, long sequence) {
    return new Command(
        new SessionStamp(client, sequence, 0),
        List.of(),
        new WriteBatch().put(Slice.utf8("key" + sequence), Slice.utf8("v")));
  }

  private void apply(long index, long version) {
    List<CommandResult> results = store.apply(entry(version), 3, index, 10);
    assertThat(results).containsExactly(new Applied(version));
  }

  private static LogEntry entry(long version) {
    return new LogEntry(
        10,
        List.of(Command.of(new WriteBatch().put(Slice.utf8("key" + version), Slice.utf8("v")))));
  }
}
