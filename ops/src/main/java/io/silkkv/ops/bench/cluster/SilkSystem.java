package io.silkkv.ops.bench.cluster;

import io.silkkv.ops.local.ClusterWish;
import io.silkkv.ops.local.Launcher;
import io.silkkv.ops.local.LocalCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.LongSupplier;

/** SilkKV with the settings of {@code silkkv up}. */
final class SilkSystem implements ClusterSystem {
  private final LocalCluster cluster;
  private final List<String> nodeIds;
  private final NodeIo io = new NodeIo();

  /**
   * @param splitAt first keys of all shards but the first
   */
  SilkSystem(
      Path root, int basePort, List<String> splitAt, Launcher launcher, LongSupplier nanoClock)
      throws IOException {
    ClusterWish wish =
        new ClusterWish(MEMBERS, basePort, splitAt.size() + 1, splitAt, UUID::randomUUID);
    this.cluster = LocalCluster.open(root, wish, launcher, nanoClock);
    this.nodeIds = cluster.spec().nodeIds();
  }

  @Override
  public String name() {
    return "silkkv";
  }

  @Override
  public void start() throws IOException, InterruptedException {
    cluster.start(List.of(), START_LIMIT);
  }

  @Override
  public List<String> endpoints() {
    return cluster.spec().endpoints();
  }

  @Override
  public long pid(int member) {
    return cluster.node(nodeIds.get(member)).pid();
  }

  @Override
  public void kill(int member) throws InterruptedException {
    cluster.node(nodeIds.get(member)).kill();
  }

  @Override
  public void restart(int member) throws IOException, InterruptedException {
    cluster.restart(nodeIds.get(member), List.of(), START_LIMIT);
  }

  @Override
  public SortedMap<String, String> facts() {
    SortedMap<String, String> facts = new TreeMap<>();
    facts.put("members", String.valueOf(MEMBERS));
    facts.put("shards", String.valueOf(cluster.spec().shards()));
    facts.put("settings", "defaults (node/README.md)");
    facts.put("log_fsync", "true");
    return facts;
  }

  @Override
  public SortedMap<String, Double> ioBytes() throws InterruptedException {
    return io.read(nodeIds.stream().map(cluster.spec()::httpAddress).toList());
  }

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
