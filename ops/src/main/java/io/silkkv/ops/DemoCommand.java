package io.silkkv.ops;

import io.silkkv.client.KvClient;
import io.silkkv.client.KvEntry;
import io.silkkv.client.KvScan;
import io.silkkv.client.ScanOptions;
import io.silkkv.ops.admin.AdminClient;
import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.bench.load.ClosedLoop;
import io.silkkv.ops.bench.load.Driver;
import io.silkkv.ops.bench.load.LoadLimits;
import io.silkkv.ops.bench.load.data.KeyFormat;
import io.silkkv.ops.bench.load.data.Operation;
import io.silkkv.ops.bench.load.data.Oracle;
import io.silkkv.ops.bench.load.data.Values;
import io.silkkv.ops.bench.load.figures.LoadResult;
import io.silkkv.ops.bench.load.figures.OpFigures;
import io.silkkv.ops.local.ClusterWish;
import io.silkkv.ops.local.FreePorts;
import io.silkkv.ops.local.Launcher;
import io.silkkv.ops.local.LocalCluster;
import io.silkkv.ops.local.NodeProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Kills a leader in the middle of a burst, and shows that nothing acknowledged is missing. */
@Command(
    name = "demo",
    description =
        "Starts a cluster in a temporary directory, writes a burst, kills the leader with"
            + " -9 half-way, and then checks that every acknowledged write is there.",
    mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
  private static final int IN_FLIGHT = 64;
  private static final int VALUE_BYTES = 256;
  private static final int FIRST_PORT = 7500;
  private static final long FIRST_DATA_SHARD = 2;
  private static final String PREFIX = "demo/";
  private static final KeyFormat KEYS = new KeyFormat.Text(PREFIX);
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final Duration CALL_LIMIT = Duration.ofSeconds(30);

  private final Console console;

  /** Knows what each read may return: values follow from keys. */
  private final Oracle oracle = new Oracle(KEYS, new Values(1, 1), 1);

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "12",
      description = "How long to write (default ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Keep data and logs there (default: a temporary directory, deleted).")
  private @Nullable Path dir;

  DemoCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (seconds < 6) {
      throw new OpsException(
          ExitCode.BAD_INPUT, "--seconds is " + seconds + ", but at least 6 are needed");
    }
    if (dir != null && Files.exists(dir)) {
      throw new OpsException(ExitCode.BAD_INPUT, dir + " exists; name a new directory");
    }
    Path root = dir == null ? Files.createTempDirectory("silkkv-demo-") : dir;
    try (LocalCluster cluster =
        LocalCluster.open(
            root,
            ClusterWish.exactly(3, FreePorts.from(FIRST_PORT, 30), 1),
            Launcher.ofThisProcess(),
            console.nanoClock())) {
      Thread hook = new Thread(() -> killAll(cluster), "kill-nodes");
      Runtime.getRuntime().addShutdownHook(hook);
      say("starting three nodes in %s", root);
      cluster.start(List.of(), LIMIT);
      boolean complete = run(cluster);
      cluster.stop();
      Runtime.getRuntime().removeShutdownHook(hook);
      return complete ? ExitCode.OK : ExitCode.NOT_FOUND;
    } finally {
      if (dir == null) {
        LocalCluster.deleteTree(root);
      }
    }
  }

  private boolean run(LocalCluster cluster) throws IOException, InterruptedException {
    try (AdminClient admin = new AdminClient(cluster.spec().endpoints(), Duration.ofSeconds(2));
        KvClient client =
            KvClient.builder().endpoints(cluster.spec().endpoints()).deadline(CALL_LIMIT).build()) {
      String victim = admin.leader(FIRST_DATA_SHARD).orElse("n1");
      say(
          "writing for %d s with %d puts of %d bytes in flight; the leader is %s",
          seconds, IN_FLIGHT, VALUE_BYTES, victim);
      DemoTarget target = new DemoTarget(client, KEYS);
      DemoTable table = new DemoTable(console.out());
      CompletableFuture<LoadResult> load =
          CompletableFuture.supplyAsync(() -> write(target, table));
      killAndStart(cluster.node(victim), victim, table);
      LoadResult result = load.join();
      table.finish(result.perSecond(), seconds);
      OpFigures puts = result.operations().get(0);
      if (puts.unanswered() > 0) {
        say("%,d puts were never answered; they do not count as acknowledged", puts.unanswered());
      }
      if (puts.errors() > 0) {
        say("%,d puts failed; the first: %s", puts.errors(), result.firstErrors().get(0));
      }
      awaitCaughtUp(cluster, admin, victim);
      return verify(client, target.acknowledged(), puts.count());
    }
  }

  private LoadResult write(DemoTarget target, DemoTable table) {
    try {
      return new ClosedLoop(
              console.nanoClock(), new LoadLimits(Duration.ZERO, 1, CALL_LIMIT.plusSeconds(5)))
          .run(
              seconds,
              Long.MAX_VALUE,
              number -> Operation.put(number, VALUE_BYTES),
              Driver.async(target, IN_FLIGHT),
              oracle,
              progress -> table.seconds(progress.seconds(), progress.elapsedSeconds()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the load was interrupted", e);
    }
  }

  /** What happens to the leader while the load runs. */
  private void killAndStart(NodeProcess node, String victim, DemoTable table)
      throws IOException, InterruptedException {
    int killAt = seconds / 2;
    int restartAt = killAt + Math.max(2, seconds / 4);
    pause(killAt);
    table.note(killAt, victim + " killed with -9");
    node.kill();
    pause(restartAt - killAt);
    table.note(restartAt, victim + " started again");
    node.start(List.of());
  }

  private void awaitCaughtUp(LocalCluster cluster, AdminClient admin, String victim)
      throws IOException, InterruptedException {
    cluster.node(victim).awaitReady(LIMIT);
    say("%s is back and has caught up", victim);
    say("the leader is now %s", admin.leader(FIRST_DATA_SHARD).orElse("unknown"));
  }

  private boolean verify(KvClient client, BitSet acknowledged, long issued) {
    BitSet found = new BitSet();
    long wrongBefore = oracle.figures().mismatches();
    try (KvScan scan = client.scan(ScanOptions.prefix(PREFIX).pageBytes(1 << 20))) {
      while (scan.hasNext()) {
        KvEntry entry = scan.next();
        long number = KEYS.index(entry.key());
        if (number < 0 || number >= issued) {
          throw new OpsException(
              ExitCode.FAULT, "the cluster holds a key that was never put: " + entry.keyText());
        }
        found.set((int) number);
        oracle.beginRead(number).answered(entry.value());
      }
    }
    long wrong = oracle.figures().mismatches() - wrongBefore;
    BitSet missing = (BitSet) acknowledged.clone();
    missing.andNot(found);
    console
        .out()
        .printf(
            Locale.ROOT,
            "%,d puts issued, %,d acknowledged, %,d found, %,d acknowledged but missing, %,d with a"
                + " wrong value%n",
            issued,
            acknowledged.cardinality(),
            found.cardinality(),
            missing.cardinality(),
            wrong);
    boolean complete = missing.isEmpty() && wrong == 0 && !acknowledged.isEmpty();
    console
        .out()
        .println(
            complete
                ? "OK: every acknowledged write is there"
                : "FAILED: acknowledged writes are missing, wrong, or there were none");
    return complete;
  }

  private static void pause(int seconds) throws InterruptedException {
    // Nobody counts it down: this is a pause that an interrupt ends.
    boolean unused = new CountDownLatch(1).await(seconds, TimeUnit.SECONDS);
  }

  private static void killAll(LocalCluster cluster) {
    for (NodeProcess node : cluster.nodes()) {
      if (node.isAlive()) {
        try {
          node.kill();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  private void say(String format, @Nullable Object... arguments) {
    console.err().println(String.format(Locale.ROOT, format, arguments));
  }
}
