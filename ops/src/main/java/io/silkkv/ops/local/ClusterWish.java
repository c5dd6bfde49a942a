package io.silkkv.ops.local;

import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a user asked for. A field that is null was not asked for: a new cluster takes the default,
 * an existing one stays as it is. A field that was asked for must agree with an existing cluster.
 *
 * @param clusterId makes the identity of a new cluster
 */
public record ClusterWish(
    @Nullable Integer nodes,
    @Nullable Integer basePort,
    @Nullable Integer shards,
    @Nullable List<String> splitAt,
    Supplier<UUID> clusterId) {
  /** Nodes of a new cluster. */
  public static final int DEFAULT_NODES = 3;

  /** First port of a new cluster. */
  public static final int DEFAULT_BASE_PORT = 7400;

  /** Asks for a cluster of this shape, wherever it is. */
  public static ClusterWish exactly(int nodes, int basePort, int shards) {
    return new ClusterWish(nodes, basePort, shards, null, UUID::randomUUID);
  }

  ClusterDirectory.Stored resolve(ClusterDirectory directory) throws IOException {
    ClusterDirectory.Stored stored = directory.read().orElse(null);
    if (stored == null) {
      return new ClusterDirectory.Stored(create(), false);
    }
    ClusterSpec spec = stored.spec();
    List<String> differences = new ArrayList<>();
    compare(differences, "--nodes", nodes, spec.nodes());
    compare(differences, "--base-port", basePort, spec.basePort());
    compare(differences, "--shards", shards, spec.shards());
    compare(differences, "--split-at", splitAt, spec.splitAt());
    if (!differences.isEmpty()) {
      throw new OpsException(
          ExitCode.BAD_INPUT,
          "the cluster in "
              + directory.root()
              + " was created differently: "
              + String.join(", ", differences)
              + ". Leave the option out to go on with it, or name another --dir for a new cluster");
    }
    return stored;
  }

  private static void compare(
      List<String> differences, String option, @Nullable Object asked, Object stored) {
    if (asked != null && !asked.equals(stored)) {
      differences.add(option + " is " + asked + ", but it has " + stored);
    }
  }

  private ClusterSpec create() {
    try {
      List<String> splits = splitAt == null ? List.of() : splitAt;
      return new ClusterSpec(
          clusterId.get(),
          nodes == null ? DEFAULT_NODES : nodes,
          basePort == null ? DEFAULT_BASE_PORT : basePort,
          shards == null ? splits.size() + 1 : shards,
          splits);
    } catch (IllegalArgumentException e) {
      throw new OpsException(ExitCode.BAD_INPUT, String.valueOf(e.getMessage()), e);
    }
  }
}
