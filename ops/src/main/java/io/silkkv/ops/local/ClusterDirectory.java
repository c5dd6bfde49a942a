package io.silkkv.ops.local;

import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * The files of a local cluster; the only place that knows their names.
 *
 * <pre>
 * dir/
 *   LOCK               held while a process drives the cluster
 *   cluster.yaml       what the cluster is, and whether it was founded
 *   n1/node.yaml       configuration of the node, written anew at every start
 *   n1/node.pid        process id of the last start
 *   n1/data/           the node's data directory
 *   n1/log/node.log    standard error of the node; the previous 16 MiB are in node.log.1
 *   n1/log/node.out    standard output of the last start
 * </pre>
 *
 * <p>For one thread.
 */
public final class ClusterDirectory implements AutoCloseable {
  private static final int FORMAT = 1;

  private final Path root;
  private @Nullable FileChannel lockChannel;

  /**
   * What cluster.yaml says.
   *
   * @param founded whether all nodes have been ready once: from then on an empty data directory is
   *     a lost one and must not start as if it were new
   */
  public record Stored(ClusterSpec spec, boolean founded) {}

  public ClusterDirectory(Path root) {
    this.root = root.toAbsolutePath().normalize();
  }

  public Path root() {
    return root;
  }

  /** Claims the directory for this process, and creates it when it is missing. */
  public void lock() throws IOException {
    Files.createDirectories(root);
    FileChannel channel =
        FileChannel.open(root.resolve("LOCK"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean locked = false;
    try {
      @Nullable FileLock lock = channel.tryLock();
      locked = lock != null;
    } catch (OverlappingFileLockException e) {
      // Held by this very process: answered below like any other holder.
      locked = false;
    } finally {
      if (!locked) {
        channel.close();
      }
    }
    if (!locked) {
      throw new OpsException(
          ExitCode.IN_USE,
          "another process runs the cluster in "
              + root
              + "; use that one, stop it, or name another directory with --dir");
    }
    lockChannel = channel;
  }

  /** What was stored, or nothing when no cluster was created here. */
  public Optional<Stored> read() throws IOException {
    Path file = root.resolve("cluster.yaml");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      Object yaml =
          new Load(LoadSettings.builder().setLabel(file.toString()).build())
              .loadFromString(Files.readString(file));
      if (!(yaml instanceof Map<?, ?> map)) {
        throw new IllegalArgumentException("it holds no map");
      }
      if (!Integer.valueOf(FORMAT).equals(map.get("format"))) {
        throw new IllegalArgumentException(
            "its format is " + map.get("format") + ", this release knows " + FORMAT);
      }
      ClusterSpec spec =
          new ClusterSpec(
              UUID.fromString(String.valueOf(map.get("id"))),
              number(map, "nodes"),
              number(map, "base-port"),
              number(map, "shards"),
              texts(map.get("split-at")));
      return Optional.of(new Stored(spec, Boolean.TRUE.equals(map.get("founded"))));
    } catch (IllegalArgumentException | YamlEngineException e) {
      throw new OpsException(
          ExitCode.BAD_INPUT,
          "cannot use " + file + ": " + e.getMessage() + ". Mend it, or name another --dir",
          e);
    }
  }

  private static int number(Map<?, ?> map, String key) {
    if (map.get(key) instanceof Integer number) {
      return number;
    }
    throw new IllegalArgumentException(key + " is not a number but " + map.get(key));
  }

  private static List<String> texts(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return list.stream().map(String::valueOf).toList();
    }
    throw new IllegalArgumentException("split-at is not a list but " + value);
  }

  /** Stores what the cluster is; a crash leaves the old or the new file. */
  public void write(Stored stored) throws IOException {
    ClusterSpec spec = stored.spec();
    replace(
        root.resolve("cluster.yaml"),
        String.format(
            Locale.ROOT,
            """
        # A local SilkKV cluster; written by 'silkkv up'.
        format: %d
        id: %s
        nodes: %d
        base-port: %d
        shards: %d
        split-at: %s
        founded: %b
        """,
            FORMAT,
            quote(spec.clusterId().toString()),
            spec.nodes(),
            spec.basePort(),
            spec.shards(),
            quoteAll(spec.splitAt()),
            stored.founded()));
  }

  /** Writes a node's configuration. */
  public void writeNodeConfig(ClusterSpec spec, String nodeId, boolean bootstrap)
      throws IOException {
    Files.createDirectories(logDirectory(nodeId));
    String members =
        spec.nodeIds().stream()
            .map(
                id ->
                    String.format(
                        Locale.ROOT,
                        "    - {id: %s, address: %s, raft-address: %s, http-address: %s}\n",
                        id,
                        quote(spec.address(id)),
                        quote(spec.raftAddress(id)),
                        quote(spec.httpAddress(id))))
            .collect(Collectors.joining());
    replace(
        configFile(nodeId),
        String.format(
            Locale.ROOT,
            """
        # Written by 'silkkv up' at every start; change settings with --set.
        cluster:
          id: %s
          bootstrap: %b
          shards: %d
          split-at: %s
          nodes:
        %snode:
          id: %s
          data-dir: %s
        """,
            quote(spec.clusterId().toString()),
            bootstrap,
            spec.shards(),
            quoteAll(spec.splitAt()),
            members,
            nodeId,
            quote(dataDirectory(nodeId).toString())));
  }

  private static String quote(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  private static String quoteAll(List<String> texts) {
    return texts.stream().map(ClusterDirectory::quote).collect(Collectors.joining(", ", "[", "]"));
  }

  private static void replace(Path file, String text) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(draft, text);
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  public Path configFile(String nodeId) {
    return root.resolve(nodeId).resolve("node.yaml");
  }

  public Path dataDirectory(String nodeId) {
    return root.resolve(nodeId).resolve("data");
  }

  public Path logDirectory(String nodeId) {
    return root.resolve(nodeId).resolve("log");
  }

  Path pidFile(String nodeId) {
    return root.resolve(nodeId).resolve("node.pid");
  }

  /** Lets another process drive the cluster. */
  @Override
  public void close() throws IOException {
    if (lockChannel != null) {
      lockChannel.close();
      lockChannel = null;
    }
  }
}
