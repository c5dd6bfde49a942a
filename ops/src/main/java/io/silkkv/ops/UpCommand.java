package io.silkkv.ops;

import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.local.ClusterWish;
import io.silkkv.ops.local.Launcher;
import io.silkkv.ops.local.LocalCluster;
import io.silkkv.ops.local.NodeProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs a cluster on this machine until Ctrl-C. */
@Command(
    name = "up",
    description = "Starts a cluster on this machine, or goes on with one, until Ctrl-C.",
    mixinStandardHelpOptions = true)
final class UpCommand implements Callable<Integer> {
  private static final Duration START_LIMIT = Duration.ofMinutes(2);

  private final Console console;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Node processes of a new cluster (default 3).")
  private @Nullable Integer nodes;

  @Option(
      names = "--shards",
      paramLabel = "N",
      description = "Shards of a new cluster (default 1, or as many as --split-at makes).")
  private @Nullable Integer shards;

  @Option(
      names = "--split-at",
      paramLabel = "KEY",
      split = ",",
      description = "Keys that start a shard in a new cluster; \\xNN is a byte. Default: evenly.")
  private @Nullable List<String> splitAt;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Directory of the cluster's data (default: ~/.silkkv).")
  private @Nullable Path dir;

  @Option(
      names = "--base-port",
      paramLabel = "PORT",
      description = "First port of a new cluster (default 7400); a node uses three, ten apart.")
  private @Nullable Integer basePort;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A node setting for this run, see node/README.md; may be repeated.")
  private List<String> settings = new ArrayList<>();

  /** Set by the shutdown hook: from then on a node that ends is no news. */
  private volatile boolean stopping;

  UpCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    checkSettings(settings);
    Path root = dir == null ? Path.of(System.getProperty("user.home"), ".silkkv") : dir;
    ClusterWish wish = new ClusterWish(nodes, basePort, shards, splitAt, UUID::randomUUID);
    long started = console.nanoClock().getAsLong();
    try (LocalCluster cluster =
        LocalCluster.open(root, wish, Launcher.ofThisProcess(), console.nanoClock())) {
      Thread hook = new Thread(() -> stop(cluster), "stop-cluster");
      Runtime.getRuntime().addShutdownHook(hook);
      console
          .err()
          .printf(
              Locale.ROOT,
              "%s cluster in %s: %d nodes, %d %s%n",
              cluster.founded() ? "Starting the" : "Creating a",
              cluster.directory().root(),
              cluster.spec().nodes(),
              cluster.spec().shards(),
              cluster.spec().shards() == 1 ? "shard" : "shards");
      try {
        cluster.start(settings, START_LIMIT);
      } catch (OpsException e) {
        awaitHookIfStopping();
        Runtime.getRuntime().removeShutdownHook(hook);
        cluster.stop();
        throw e;
      }
      awaitHookIfStopping();
      printReady(cluster, started);
      watch(cluster);
      Runtime.getRuntime().removeShutdownHook(hook);
      console.err().println("silkkv: no node runs any more; start the cluster again with 'up'");
      return ExitCode.FAULT;
    }
  }

  /** What belongs to the cluster and not to one run has options of its own. */
  static void checkSettings(List<String> settings) {
    for (String setting : settings) {
      if (!setting.contains("=")) {
        throw new OpsException(ExitCode.BAD_INPUT, "--set " + setting + " is not KEY=VALUE");
      }
      if (setting.startsWith("cluster.")
          || setting.startsWith("node.id=")
          || setting.startsWith("node.data-dir=")) {
        throw new OpsException(
            ExitCode.BAD_INPUT,
            "--set "
                + setting
                + " cannot be given here: it is decided by --nodes, --shards, --split-at, --dir and"
                + " --base-port");
      }
    }
  }

  private void printReady(LocalCluster cluster, long started) {
    for (NodeProcess node : cluster.nodes()) {
      console
          .out()
          .printf(
              Locale.ROOT,
              "  %s  %s  http://%s  pid %d%n",
              node.id(),
              cluster.spec().address(node.id()),
              cluster.spec().httpAddress(node.id()),
              node.pid());
    }
    double seconds = (console.nanoClock().getAsLong() - started) / 1e9;
    console
        .out()
        .printf(
            Locale.ROOT,
            "ready endpoints=%s nodes=%d shards=%d seconds=%.1f%n",
            String.join(",", cluster.spec().endpoints()),
            cluster.spec().nodes(),
            cluster.spec().shards(),
            seconds);
    console.out().flush();
    String launcher = shownLauncher();
    String endpoint =
        cluster.spec().basePort() == ClusterWish.DEFAULT_BASE_PORT
            ? ""
            : " --endpoint " + cluster.spec().address("n1");
    console.err().println("Next, in another terminal:");
    console.err().println("  " + launcher + " kv put city/paris 48.85,2.35" + endpoint);
    console.err().println("  " + launcher + " kv get city/paris" + endpoint);
    console.err().println("  " + launcher + " kv scan --prefix city/" + endpoint);
    console.err().println("  " + launcher + " status" + endpoint);
    console.err().println("Ctrl-C stops the cluster; the data stays.");
  }

  /** The launcher as a user in this directory would type it. */
  private static String shownLauncher() {
    Path script = Launcher.ofThisProcess().script().toAbsolutePath();
    Path here = Path.of("").toAbsolutePath();
    return (script.startsWith(here) ? here.relativize(script) : script).toString();
  }

  /** Reports every node that dies, and returns when none is left. */
  private void watch(LocalCluster cluster) throws InterruptedException {
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    for (NodeProcess node : cluster.nodes()) {
      ends.add(
          node.onExit()
              .thenAccept(
                  process -> {
                    if (!stopping) {
                      reportDeath(cluster, node, process.exitValue());
                    }
                  }));
    }
    CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
    awaitHookIfStopping();
  }

  private void reportDeath(LocalCluster cluster, NodeProcess node, int exitCode) {
    long alive = cluster.nodes().stream().filter(NodeProcess::isAlive).count();
    console
        .err()
        .printf(
            Locale.ROOT,
            "silkkv: node %s %s; %d of %d nodes run. Its log: %s%n"
                + "  Start it again from another terminal: %s node --config %s%n",
            node.id(),
            NodeProcess.describe(exitCode),
            alive,
            cluster.nodes().size(),
            node.logFile(),
            shownLauncher(),
            cluster.directory().configFile(node.id()));
  }

  /** When the process is being stopped, the hook has the last word: it ends the process. */
  private void awaitHookIfStopping() throws InterruptedException {
    if (stopping) {
      new CountDownLatch(1).await();
    }
  }

  /** On Ctrl-C or SIGTERM. Ends the process itself, because a clean stop should be exit code 0. */
  private void stop(LocalCluster cluster) {
    stopping = true;
    console.err().println("Stopping the cluster ...");
    int exitCode = ExitCode.OK;
    try {
      for (LocalCluster.Stopped node : cluster.stop()) {
        console.err().println("  " + node.nodeId() + " " + node.message());
        exitCode = node.clean() ? exitCode : ExitCode.FAULT;
      }
    } catch (InterruptedException e) {
      console.err().println("silkkv: interrupted while the nodes were stopping");
      exitCode = ExitCode.FAULT;
    }
    console.out().flush();
    console.err().flush();
    Runtime.getRuntime().halt(exitCode);
  }
}
