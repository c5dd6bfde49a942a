package io.silkkv.raftsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.EngineOptions;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.raftsm.ProposalException.Reason;
import io.silkkv.raftsm.command.Command;
import io.silkkv.raftsm.command.CommandResult;
import io.silkkv.raftsm.command.CommandResult.Applied;
import io.silkkv.raftsm.command.SessionStamp;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replicas of one shard on three replica servers with real engines and logs, in one process. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class ReplicaServerIT {
  private static final long SHARD = 2;
  private static final UUID CLIENT = new UUID(7, 7);

  @TempDir Path directory;
  private ReplicaCluster cluster;

  @BeforeEach
  void start() throws IOException {
    cluster =
        new ReplicaCluster(directory, HostCluster.fast(), EngineOptions.DEFAULTS, List.of(SHARD))
            .startAll();
  }

  @AfterEach
  void stop() {
    cluster.close();
    assertThat(cluster.fatals()).isEmpty();
  }

  @Test
  void whatIsAcknowledgedIsAppliedOnEveryReplicaInTheSameWay() throws Exception {
    ShardReplica leader = replica(cluster.awaitLeader(SHARD));
    List<CompletableFuture<CommandResult>> results = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      results.add(leader.propose(put("key" + i, 100)));
    }
    for (int i = 0; i < 500; i++) {
      assertThat(results.get(i).get(30, TimeUnit.SECONDS)).isEqualTo(new Applied(i + 1));
    }
    cluster.awaitAllApplied(SHARD);
    assertThat(cluster.content("n1", SHARD)).hasSize(500);
    assertThat(cluster.content("n2", SHARD)).isEqualTo(cluster.content("n1", SHARD));
    assertThat(cluster.content("n3", SHARD)).isEqualTo(cluster.content("n1", SHARD));
    assertThat(leader.state().proposedEntries()).isLessThan(500);
    assertThat(leader.canReadNow()).isTrue();
    leader.readBarrier().get(30, TimeUnit.SECONDS);

    ShardReplica follower = replica(follower());
    assertThat(follower.canReadNow()).isFalse();
    assertRefused(follower.propose(put("x", 1)), Reason.NOT_LEADER);
    assertRefused(follower.readBarrier(), Reason.NOT_LEADER);
  }

  @Test
  void aRestartReplaysOnlyWhatWasNotFlushed() throws Exception {
    writeAlone(0, 40);
    String name = follower();
    cluster.awaitAllApplied(SHARD);
    replica(name).flush().get(30, TimeUnit.SECONDS);
    long flushed = replica(name).state().flushedIndex();
    assertThat(flushed).isEqualTo(replica(name).state().appliedIndex());
    writeAlone(40, 15);
    cluster.awaitAllApplied(SHARD);
    cluster.stop(name);

    cluster.start(name);

    cluster.awaitAllApplied(SHARD);
    ReplicaState state = replica(name).state();
    assertThat(state.replayedEntries()).isEqualTo(15);
    assertThat(state.flushedIndex()).isEqualTo(flushed);
    assertThat(state.sequence()).isEqualTo(55);
    assertThat(cluster.content(name, SHARD))
        .isEqualTo(cluster.content(cluster.awaitLeader(SHARD), SHARD));
  }

  @Test
  void aWriteThatArrivesAgainIsAppliedOnceWhoeverLeadsAndWhateverRestarts() throws Exception {
    int count = 50;
    List<Command> commands = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      commands.add(
          new Command(
              new SessionStamp(CLIENT, i, 1),
              List.of(),
              new WriteBatch().put(Slice.utf8("counter"), Slice.utf8("" + i))));
    }
    List<CommandResult> first = new ArrayList<>();
    for (Command command : commands) {
      first.add(cluster.write(SHARD, command));
    }
    assertThat(repeat(commands)).isEqualTo(first);

    String leader = cluster.awaitLeader(SHARD);
    String next = follower();
    cluster.awaitAllApplied(SHARD);
    replica(leader).transferLeadership(next).get(30, TimeUnit.SECONDS);
    assertThat(cluster.awaitLeader(SHARD)).isEqualTo(next);
    assertThat(repeat(commands)).isEqualTo(first);

    // One replica comes back from its files, the others from their logs.
    replica(next).flush().get(30, TimeUnit.SECONDS);
    cluster.close();
    cluster.startAll();
    assertThat(repeat(commands)).isEqualTo(first);
    cluster.awaitAllApplied(SHARD);
    for (String name : cluster.names()) {
      assertThat(replica(name).state().sequence()).as(name).isEqualTo(count);
      assertThat(replica(name).state().sessions()).as(name).isEqualTo(1);
    }
  }

  @Test
  void nothingIsLostOrDoneTwiceWhileLeadersChangeUnderLoad() throws Exception {
    int writers = 4;
    int each = 300;
    AtomicInteger running = new AtomicInteger(writers);
    List<CompletableFuture<Void>> done = new ArrayList<>();
    for (int w = 0; w < writers; w++) {
      UUID client = new UUID(1, w);
      String prefix = "w" + w + "-";
      done.add(
          CompletableFuture.runAsync(
              () -> {
                writeMany(client, prefix, each);
                running.decrementAndGet();
              },
              task -> new Thread(task, prefix).start()));
    }
    int moves = 0;
    while (running.get() > 0 && moves < 5) {
      String leader = cluster.awaitLeader(SHARD);
      String next = cluster.names().get(moves % 3);
      if (!next.equals(leader)) {
        replica(leader)
            .transferLeadership(next)
            .exceptionally(notNow -> null)
            .get(30, TimeUnit.SECONDS);
      }
      moves++;
    }
    CompletableFuture.allOf(done.toArray(CompletableFuture[]::new)).get(150, TimeUnit.SECONDS);
    cluster.awaitAllApplied(SHARD);
    for (String name : cluster.names()) {
      assertThat(replica(name).state().sequence()).as(name).isEqualTo((long) writers * each);
      assertThat(cluster.content(name, SHARD)).as(name).hasSize(writers * each);
    }
  }

  @Test
  void aCheckpointThatACrashKeptFromBeingUsedIsUsedAtTheNextStart() throws Exception {
    writeAlone(0, 5);
    String name = follower();
    cluster.awaitAllApplied(SHARD);
    cluster.stop(name);
    writeAlone(5, 20);
    ShardReplica leader = replica(cluster.awaitLeader(SHARD));
    long flushed = leader.flush().get(30, TimeUnit.SECONDS).index();
    Path ready = directory.resolve(name).resolve("shards").resolve("" + SHARD).resolve("ready");
    assertThat(leader.engine().checkpoint(ready).index()).isEqualTo(flushed);
    writeAlone(25, 5);

    cluster.start(name);

    assertThat(replica(name).state().flushedIndex()).isEqualTo(flushed);
    assertThat(ready).doesNotExist();
    cluster.awaitAllApplied(SHARD);
    assertThat(cluster.content(name, SHARD))
        .isEqualTo(cluster.content(cluster.awaitLeader(SHARD), SHARD));
    assertThat(replica(name).state().sequence()).isEqualTo(30);
  }

  @Test
  void aReplicaThatIsStoppedEndsEveryCommandAndTellsWhichMayBeApplied() throws Exception {
    writeAlone(0, 1);
    String name = cluster.awaitLeader(SHARD);
    ShardReplica leader = replica(name);
    List<CompletableFuture<CommandResult>> results = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      results.add(leader.propose(put("key" + i, 1_000)));
    }
    cluster.stop(name);

    List<Integer> applied = new ArrayList<>();
    List<Integer> never = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      try {
        results.get(i).get(30, TimeUnit.SECONDS);
        applied.add(i);
      } catch (ExecutionException e) {
        if (!((ProposalException) e.getCause()).maybeApplied()) {
          never.add(i);
        }
      }
    }
    Map<String, String> content = cluster.content(cluster.awaitLeader(SHARD), SHARD);
    assertThat(content.keySet()).containsAll(applied.stream().map(i -> "key" + i).toList());
    assertThat(content.keySet())
        .doesNotContainAnyElementsOf(
            never.stream().filter(i -> i > 0).map(i -> "key" + i).toList());
    assertThat(leader.propose(put("late", 1))).isCompletedExceptionally();
    assertThat(leader.state().role()).isEqualTo(ReplicaState.Role.STOPPED);
  }

  private ShardReplica replica(String name) {
    return cluster.replica(name, SHARD);
  }

  private String follower() {
    return cluster.others(cluster.awaitLeader(SHARD)).get(0);
  }

  private List<CommandResult> repeat(List<Command> commands) throws Exception {
    List<CommandResult> results = new ArrayList<>();
    for (Command command : commands) {
      results.add(cluster.write(SHARD, command));
    }
    return results;
  }

  private void writeMany(UUID client, String prefix, int count) {
    for (int i = 1; i <= count; i++) {
      Command command =
          new Command(
              new SessionStamp(client, i, i),
              List.of(),
              new WriteBatch().put(Slice.utf8(prefix + i), Slice.utf8("v")));
      try {
        assertThat(cluster.write(SHARD, command)).isInstanceOf(Applied.class);
      } catch (Exception e) {
        throw new CompletionException(e);
      }
    }
  }

  /** One command per entry. */
  private void writeAlone(int from, int count) throws Exception {
    for (int i = from; i < from + count; i++) {
      assertThat(cluster.write(SHARD, put("key" + i, 10))).isInstanceOf(Applied.class);
    }
  }

  private static Command put(String key, int valueBytes) {
    byte[] value = new byte[valueBytes];
    for (int i = 0; i < valueBytes; i++) {
      value[i] = (byte) (key.hashCode() * 31 + i);
    }
    return Command.of(new WriteBatch().put(Slice.utf8(key), Slice.wrap(value)));
  }

  private static void assertRefused(CompletableFuture<?> result, Reason reason) {
    assertThatThrownBy(() -> result.get(30, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            ProposalException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(reason);
              assertThat(e.maybeApplied()).isFalse();
            });
  }
}
