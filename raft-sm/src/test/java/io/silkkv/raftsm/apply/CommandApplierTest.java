package io.silkkv.raftsm.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.VersionedValue;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.raftsm.command.Command;
import io.silkkv.raftsm.command.CommandResult;
import io.silkkv.raftsm.command.CommandResult.Applied;
import io.silkkv.raftsm.command.CommandResult.ConditionFailed;
import io.silkkv.raftsm.command.Condition;
import io.silkkv.raftsm.command.EntryCodec;
import io.silkkv.raftsm.command.LogEntry;
import io.silkkv.raftsm.command.RandomCommands;
import io.silkkv.raftsm.command.SessionStamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CommandApplierTest {
  private static final Slice KEY = Slice.utf8("key");
  private static final Slice OTHER = Slice.utf8("other");
  private static final Slice ONE = Slice.utf8("one");
  private static final Slice TWO = Slice.utf8("two");

  private final Replica replica = new Replica(new FakeEngine.Disk());

  @Test
  void eachMutationHasTheNextSequenceAndTheLastOneIsTheVersion() {
    assertThat(replica.apply(put(KEY, ONE))).containsExactly(new Applied(1));
    assertThat(
            replica.apply(
                Command.of(new WriteBatch().put(OTHER, ONE).delete(KEY).put(KEY, TWO)),
                Command.of(new WriteBatch()),
                put(OTHER, TWO)))
        .containsExactly(new Applied(4), new Applied(4), new Applied(5));
    assertThat(replica.engine.get(KEY)).isEqualTo(new VersionedValue(TWO, 4));
    assertThat(replica.engine.get(OTHER)).isEqualTo(new VersionedValue(TWO, 5));
    assertThat(replica.engine.applied().sequence()).isEqualTo(5);
  }

  @Test
  void conditionsSeeRangesThatEarlierCommandsOfTheSameEntryDeleted() {
    Slice end = Slice.utf8("zzz");
    replica.apply(Command.of(new WriteBatch().put(KEY, ONE).put(OTHER, ONE)));
    assertThat(
            replica.apply(
                Command.of(new WriteBatch().deleteRange(Slice.EMPTY, end).put(OTHER, TWO)),
                when(new Condition.Absent(KEY), KEY, TWO),
                when(new Condition.ValueEquals(OTHER, TWO), OTHER, ONE),
                Command.of(new WriteBatch().deleteRange(Slice.EMPTY, end)),
                when(new Condition.Present(KEY), KEY, ONE)))
        .containsExactly(
            new Applied(4),
            new Applied(5),
            new Applied(6),
            new Applied(7),
            new ConditionFailed(0, 0));
  }

  @Test
  void conditionsSeeEarlierCommandsOfTheSameEntry() {
    assertThat(
            replica.apply(
                when(new Condition.Absent(KEY), KEY, ONE),
                when(new Condition.Absent(KEY), KEY, TWO),
                when(new Condition.VersionEquals(KEY, 1), KEY, TWO),
                when(new Condition.ValueEquals(KEY, TWO), OTHER, TWO),
                Command.of(new WriteBatch().delete(KEY)),
                when(new Condition.Present(KEY), KEY, ONE),
                when(new Condition.Absent(KEY), KEY, ONE)))
        .containsExactly(
            new Applied(1),
            new ConditionFailed(0, 1),
            new Applied(2),
            new Applied(3),
            new Applied(4),
            new ConditionFailed(0, 0),
            new Applied(5));
  }

  @Test
  void theFirstConditionThatFailsIsNamedAndNothingIsApplied() {
    replica.apply(put(KEY, ONE));
    Command command =
        new Command(
            null,
            List.of(
                new Condition.Present(KEY),
                new Condition.ValueEquals(KEY, TWO),
                new Condition.Absent(KEY)),
            new WriteBatch().put(OTHER, ONE));

    assertThat(replica.apply(command)).containsExactly(new ConditionFailed(1, 1));

    assertThat(replica.engine.get(OTHER)).isNull();
    assertThat(replica.engine.applied().sequence()).isEqualTo(1);
  }

  @Test
  void aDuplicateInTheSameEntryIsAppliedOnce() {
    Command command =
        new Command(
            new SessionStamp(new UUID(3, 4), 1, 1),
            List.of(new Condition.Absent(KEY)),
            new WriteBatch().put(KEY, ONE));
    assertThat(replica.apply(command, command)).containsExactly(new Applied(1), new Applied(1));
    assertThat(replica.apply(command)).containsExactly(new Applied(1));
    assertThat(replica.engine.applied().sequence()).isEqualTo(1);
  }

  @Test
  void raftsOwnEntriesOnlyMoveThePosition() {
    replica.apply(put(KEY, ONE));
    replica.store.skip(1, replica.nextIndex++);
    assertThat(replica.engine.applied().sequence()).isEqualTo(1);
    assertThat(replica.engine.applied().index()).isEqualTo(1);
    assertThat(replica.apply(put(KEY, TWO))).containsExactly(new Applied(2));
  }

  @Test
  void replicasThatFlushAndRestartAtDifferentPointsAreEqualAndEqualTheModel() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    CommandModel model = new CommandModel();
    List<LogEntry> log = new ArrayList<>();
    Replica steady = new Replica(new FakeEngine.Disk());
    Replica restless = new Replica(new FakeEngine.Disk());
    for (int step = 0; step < 2_000; step++) {
      List<byte[]> encoded =
          RandomCommands.some(random, random.nextInt(6)).stream().map(EntryCodec::encode).toList();
      LogEntry entry = EntryCodec.decode(EntryCodec.entry(1_000 + step, encoded));
      log.add(entry);

      List<CommandResult> expected = model.apply(entry);
      assertThat(steady.apply(entry)).as("seed %d step %d", seed, step).isEqualTo(expected);
      assertThat(restless.apply(entry)).as("seed %d step %d", seed, step).isEqualTo(expected);

      if (random.nextInt(7) == 0) {
        restless.engine.flushAtOnce = random.nextBoolean();
        CompletableFuture<LogPosition> unused = restless.store.flush();
      }
      if (random.nextInt(20) == 0) {
        // What was not flushed is gone and comes back from the log.
        restless = new Replica(restless.disk.copy());
        for (int index = (int) restless.nextIndex; index < log.size(); index++) {
          restless.apply(log.get(index));
        }
      }
      if (step % 50 == 0) {
        assertThat(restless.engine.data()).as("seed %d", seed).isEqualTo(steady.engine.data());
        assertThat(restless.engine.data()).as("seed %d", seed).isEqualTo(model.data());
        assertThat(flushedTable(restless)).as("seed %d", seed).isEqualTo(flushedTable(steady));
      }
    }
  }

  private static byte[] flushedTable(Replica replica) {
    CompletableFuture<LogPosition> unused = replica.store.flush();
    replica.engine.finishFlushes();
    return replica.engine.attachment();
  }

  private static Command put(Slice key, Slice value) {
    return Command.of(new WriteBatch().put(key, value));
  }

  private static Command when(Condition condition, Slice key, Slice value) {
    return new Command(null, List.of(condition), new WriteBatch().put(key, value));
  }

  /** A store over a fake engine that takes entries with rising indices. */
  private static final class Replica {
    private final FakeEngine.Disk disk;
    private final ReplicaStore store;
    private FakeEngine engine;
    private long nextIndex;

    Replica(FakeEngine.Disk disk) {
      this.disk = disk;
      this.store =
          Stores.open(
              (directory, listener) -> {
                engine = new FakeEngine(disk, listener);
                return engine;
              });
      this.nextIndex = disk.flushed().index() + 1;
    }

    List<CommandResult> apply(Command... commands) {
      return apply(new LogEntry(1_000, List.of(commands)));
    }

    List<CommandResult> apply(LogEntry entry) {
      return store.apply(entry, 1, nextIndex++, 100);
    }
  }
}
