package io.silkkv.ops;

import io.silkkv.client.KvClient;
import io.silkkv.client.KvEntry;
import io.silkkv.client.KvScan;
import io.silkkv.client.ScanOptions;
import io.silkkv.ops.admin.AdminClient;
import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.bench.ClosedLoop;
import io.silkkv.ops.local.ClusterWish;
import io.silkkv.ops.local.FreePorts;
import io.silkkv.ops.local.Launcher;
import io.silkkv.ops.local.LocalCluster;
import io.silkkv.ops.local.NodeProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
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
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final Duration CALL_LIMIT = Duration.ofSeconds(30);

  private final Console console;

  /** Numbers of the acknowledged writes; guarded by itself. */
  private final BitSet acknowledged = new BitSet();

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
      ClosedLoop loop =
          new ClosedLoop(IN_FLIGHT, 0, number -> put(client, number), console.nanoClock());
      loop.start();
      burst(cluster, loop, victim);
      if (!loop.stop(CALL_LIMIT.plusSeconds(5))) {
        say("some puts were never answered; they do not count as acknowledged");
      }
      if (loop.firstError() != null) {
        say("puts that failed are not acknowledged; the first: %s", loop.firstError());
      }
      awaitCaughtUp(cluster, admin, victim);
      return verify(client, loop.nextNumber());
    }
  }

  private CompletableFuture<Long> put(KvClient client, long number) {
    return client
        .async()
        .put(key(number), value(number))
        .whenComplete(
            (version, error) -> {
              if (error == null) {
                synchronized (acknowledged) {
                  acknowledged.set((int) number);
                }
              }
            });
  }

  /** One line per second, and what happens to the leader in between. */
  private void burst(LocalCluster cluster, ClosedLoop loop, String victim)
      throws IOException, InterruptedException {
    NodeProcess node = cluster.node(victim);
    int killAt = seconds / 2;
    int restartAt = killAt + Math.max(2, seconds / 4);
    console.out().println(" second     puts/s   p50 ms   p99 ms   max ms");
    long began = console.nanoClock().getAsLong();
    for (int second = 1; second <= seconds; second++) {
      long wait = began + TimeUnit.SECONDS.toNanos(second) - console.nanoClock().getAsLong();
      // Nobody counts it down: this is a pause that an interrupt ends.
      boolean unused = new CountDownLatch(1).await(Math.max(1, wait), TimeUnit.NANOSECONDS);
      String event = "";
      Histogram micros = loop.interval().micros();
      if (second == killAt) {
        node.kill();
        event = "  <- " + victim + " killed with -9";
      } else if (second == restartAt) {
        node.start(List.of());
        event = "  <- " + victim + " started again";
      }
      console
          .out()
          .printf(
              Locale.ROOT,
              "%7d %,10d %8.1f %8.1f %8.1f%s%n",
              second,
              micros.getTotalCount(),
              micros.getValueAtPercentile(50) / 1000.0,
              micros.getValueAtPercentile(99) / 1000.0,
              micros.getMaxValue() / 1000.0,
              event);
    }
  }

  private void awaitCaughtUp(LocalCluster cluster, AdminClient admin, String victim)
      throws IOException, InterruptedException {
    cluster.node(victim).awaitReady(LIMIT);
    say("%s is back and has caught up", victim);
    say("the leader is now %s", admin.leader(FIRST_DATA_SHARD).orElse("unknown"));
  }

  private boolean verify(KvClient client, long issued) {
    BitSet expected;
    synchronized (acknowledged) {
      expected = (BitSet) acknowledged.clone();
    }
    BitSet found = new BitSet();
    long wrong = 0;
    try (KvScan scan = client.scan(ScanOptions.prefix(PREFIX).pageBytes(1 << 20))) {
      while (scan.hasNext()) {
        KvEntry entry = scan.next();
        int number = Integer.parseInt(entry.keyText().substring(PREFIX.length()));
        found.set(number);
        if (!Arrays.equals(entry.value(), value(number))) {
          wrong++;
        }
      }
    }
    BitSet missing = (BitSet) expected.clone();
    missing.andNot(found);
    console
        .out()
        .printf(
            Locale.ROOT,
            "%,d puts issued, %,d acknowledged, %,d found, %,d acknowledged but missing, %,d with a"
                + " wrong value%n",
            issued,
            expected.cardinality(),
            found.cardinality(),
            missing.cardinality(),
            wrong);
    boolean complete = missing.isEmpty() && wrong == 0 && !expected.isEmpty();
    console
        .out()
        .println(
            complete
                ? "OK: every acknowledged write is there"
                : "FAILED: acknowledged writes are missing, wrong, or there were none");
    return complete;
  }

  private static byte[] key(long number) {
    return String.format(Locale.ROOT, PREFIX + "%010d", number).getBytes(StandardCharsets.UTF_8);
  }

  /** Follows from the number, so that what is read can be checked. */
  private static byte[] value(long number) {
    byte[] value = new byte[VALUE_BYTES];
    new SplittableRandom(number).nextBytes(value);
    return value;
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
