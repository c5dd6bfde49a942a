package io.silkkv.ops.local;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of node processes on this machine. It holds the directory's lock from {@link #open} to
 * {@link #close}. Starting is for one thread; {@link #stop} may come from another one and is final;
 * nodes may die at any time.
 */
public final class LocalCluster implements AutoCloseable {
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);

  private final ClusterDirectory directory;
  private final ClusterSpec spec;
  private final LongSupplier nanoClock;
  private final Map<String, NodeProcess> nodes = new LinkedHashMap<>();
  private boolean founded;

  /** Set by {@link #stop}, which may come while {@link #start} is under way: no more launches. */
  @GuardedBy("this")
  private boolean stopping;

  private LocalCluster(
      ClusterDirectory directory,
      ClusterDirectory.Stored stored,
      Launcher launcher,
      LongSupplier nanoClock) {
    this.directory = directory;
    this.spec = stored.spec();
    this.founded = stored.founded();
    this.nanoClock = nanoClock;
    for (String id : spec.nodeIds()) {
      nodes.put(id, new NodeProcess(id, directory, launcher, nanoClock));
    }
  }

  /**
   * Takes the cluster in a directory over, or prepares a new one there.
   *
   * @param wanted what a new cluster should be, or what an existing one is expected to be
   * @throws OpsException when the directory is in use or unreadable
   */
  public static LocalCluster open(
      Path root, ClusterWish wanted, Launcher launcher, LongSupplier nanoClock) throws IOException {
    ClusterDirectory directory = new ClusterDirectory(root);
    directory.lock();
    boolean opened = false;
    try {
      ClusterDirectory.Stored stored = wanted.resolve(directory);
      directory.write(stored);
      LocalCluster cluster = new LocalCluster(directory, stored, launcher, nanoClock);
      opened = true;
      return cluster;
    } finally {
      if (!opened) {
        directory.close();
      }
    }
  }

  public ClusterSpec spec() {
    return spec;
  }

  public ClusterDirectory directory() {
    return directory;
  }

  /** Whether all nodes have been ready once. */
  public boolean founded() {
    return founded;
  }

  public List<NodeProcess> nodes() {
    return List.copyOf(nodes.values());
  }

  public NodeProcess node(String id) {
    NodeProcess node = nodes.get(id);
    if (node == null) {
      throw new IllegalArgumentException("no node " + id + "; there are " + nodes.keySet());
    }
    return node;
  }

  /**
   * Starts every node that does not run, and waits until all are ready.
   *
   * @param settings {@code key=value} for all nodes
   * @throws OpsException when one does not start; the others keep running
   */
  public void start(List<String> settings, Duration timeout)
      throws IOException, InterruptedException {
    long deadline = nanoClock.getAsLong() + timeout.toNanos();
    launch(settings);
    for (NodeProcess node : nodes.values()) {
      node.awaitReady(Duration.ofNanos(Math.max(0, deadline - nanoClock.getAsLong())));
    }
    if (!founded) {
      founded = true;
      directory.write(new ClusterDirectory.Stored(spec, true));
      for (NodeProcess node : nodes.values()) {
        directory.writeNodeConfig(spec, node.id(), false);
      }
    }
  }

  private synchronized void launch(List<String> settings) throws IOException {
    for (NodeProcess node : nodes.values()) {
      if (!node.isAlive() && !stopping) {
        directory.writeNodeConfig(spec, node.id(), !founded);
        node.start(settings);
      }
    }
  }

  private synchronized List<NodeProcess> requestStop() {
    stopping = true;
    List<NodeProcess> running = nodes.values().stream().filter(NodeProcess::isAlive).toList();
    running.forEach(NodeProcess::requestStop);
    return running;
  }

  /** Starts one node again and waits until it is ready. */
  public void restart(String id, List<String> settings, Duration timeout)
      throws IOException, InterruptedException {
    directory.writeNodeConfig(spec, id, !founded);
    node(id).start(settings);
    node(id).awaitReady(timeout);
  }

  /** Deletes the data of a stopped node, as a lost disk would. */
  public void wipe(String id) throws IOException {
    if (node(id).isAlive()) {
      throw new IllegalStateException("node " + id + " runs; stop it before wiping its data");
    }
    deleteTree(directory.dataDirectory(id));
  }

  /**
   * What became of a node that was asked to stop.
   *
   * @param clean whether it ended by itself with exit code 0
   */
  public record Stopped(String nodeId, boolean clean, String message) {}

  /** Stops all running nodes: SIGTERM to all, and SIGKILL to those that are still there later. */
  public List<Stopped> stop() throws InterruptedException {
    List<NodeProcess> running = requestStop();
    long deadline = nanoClock.getAsLong() + STOP_LIMIT.toNanos();
    List<Stopped> stopped = new ArrayList<>();
    for (NodeProcess node : running) {
      long left = Math.max(1, deadline - nanoClock.getAsLong());
      if (node.awaitExit(Duration.ofNanos(left))) {
        boolean clean = node.exitCode() == ExitCode.OK;
        stopped.add(
            new Stopped(
                node.id(),
                clean,
                clean
                    ? "stopped"
                    : NodeProcess.describe(node.exitCode()) + "; see " + node.logFile()));
      } else {
        node.kill();
        stopped.add(
            new Stopped(
                node.id(),
                false,
                "did not stop within " + STOP_LIMIT.toSeconds() + " s and was killed"));
      }
    }
    return stopped;
  }

  /** Kills what still runs, and releases the directory. */
  @Override
  public void close() throws IOException {
    boolean interrupted = false;
    for (NodeProcess node : nodes.values()) {
      if (node.isAlive()) {
        try {
          node.kill();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    directory.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Deletes a directory and what is in it; nothing happens when it is missing. */
  public static void deleteTree(Path root) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(dir);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
