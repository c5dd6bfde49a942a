package io.silkkv.ops;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.protobuf.ByteString;
import io.silkkv.ops.admin.AdminClient;
import io.silkkv.ops.admin.AdminClient.StatusOrFailure;
import io.silkkv.ops.admin.ClusterMap;
import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.Table;
import io.silkkv.router.KeyText;
import io.silkkv.router.NodeInfo;
import io.silkkv.router.Shard;
import io.silkkv.v1.LevelStatus;
import io.silkkv.v1.NodeStatus;
import io.silkkv.v1.ReplicaStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Nodes and shards of a running cluster. */
@Command(
    name = "status",
    description =
        "Shows nodes, shards, leaders, lag and levels; exit code 3 when a node or a leader"
            + " is missing.",
    mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
  private static final int DEADLINE_SECONDS = 3;

  private final Console console;

  @Mixin private Cluster cluster = new Cluster();

  @Option(names = "--json", description = "Print one JSON document instead of tables.")
  private boolean json;

  StatusCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Duration deadline = cluster.deadline(DEADLINE_SECONDS);
    try (AdminClient admin = new AdminClient(cluster.endpoints(), deadline)) {
      ClusterMap map = admin.map();
      Map<NodeInfo, StatusOrFailure> statuses = admin.statuses(map.shards());
      List<ShardView> shards = shards(map, statuses);
      if (json) {
        console
            .out()
            .println(
                new GsonBuilder()
                    .setPrettyPrinting()
                    .disableHtmlEscaping()
                    .create()
                    .toJson(toJson(map, statuses, shards)));
      } else {
        console.out().print(toText(map, statuses, shards));
      }
      boolean healthy =
          statuses.values().stream()
                  .allMatch(
                      answer ->
                          answer.status() != null
                              && answer.status().getReady()
                              && answer.status().getFault().isEmpty())
              && shards.stream().noneMatch(shard -> shard.leader().isEmpty());
      return healthy ? ExitCode.OK : ExitCode.UNAVAILABLE;
    }
  }

  /**
   * A shard with what its nodes say.
   *
   * @param leader node id, or empty
   */
  private record ShardView(Shard shard, String leader, Map<String, ReplicaStatus> replicas) {

    /** Entries that a replica still has to apply, as far as its shard's leader has committed. */
    long lag(ReplicaStatus replica) {
      ReplicaStatus lead = replicas.get(leader);
      long committed = (lead == null ? replica : lead).getCommittedIndex();
      return Math.max(0, committed - replica.getAppliedIndex());
    }
  }

  private static List<ShardView> shards(ClusterMap map, Map<NodeInfo, StatusOrFailure> statuses) {
    List<Shard> all = new ArrayList<>();
    all.add(map.shards().meta());
    all.addAll(map.shards().shards());
    List<ShardView> views = new ArrayList<>();
    for (Shard shard : all) {
      Map<String, ReplicaStatus> replicas = new LinkedHashMap<>();
      String leader = "";
      long newestTerm = -1;
      for (StatusOrFailure answer : statuses.values()) {
        NodeStatus node = answer.status();
        @Nullable ReplicaStatus replica = node == null ? null : replica(node, shard.shardId());
        if (node == null || replica == null) {
          continue;
        }
        replicas.put(node.getNodeId(), replica);
        // Only what a leader says about itself: others may still name one that is gone.
        if (replica.getRole().equals("LEADER") && replica.getTerm() > newestTerm) {
          newestTerm = replica.getTerm();
          leader = node.getNodeId();
        }
      }
      views.add(new ShardView(shard, leader, replicas));
    }
    return views;
  }

  private static @Nullable ReplicaStatus replica(NodeStatus node, long shardId) {
    for (ReplicaStatus replica : node.getReplicasList()) {
      if (replica.getShardId() == shardId) {
        return replica;
      }
    }
    return null;
  }

  private static String toText(
      ClusterMap map, Map<NodeInfo, StatusOrFailure> statuses, List<ShardView> shards) {
    Table nodes = new Table("NODE", "ADDRESS", "HTTP", "STATE", "UP", "LEADS", "VERSION");
    statuses.forEach(
        (node, answer) -> {
          @Nullable NodeStatus status = answer.status();
          long leads = shards.stream().filter(s -> s.leader().equals(node.nodeId())).count();
          nodes.row(
              node.nodeId(),
              node.address(),
              node.httpAddress(),
              state(answer),
              status == null ? "-" : upTime(status.getUptimeMillis()),
              leads,
              status == null ? "-" : status.getVersion());
        });
    Table table =
        new Table("SHARD", "FROM", "TO", "LEADER", "TERM", "APPLIED", "LAG", "MEMTABLE", "LEVELS");
    for (ShardView view : shards) {
      @Nullable ReplicaStatus lead = view.replicas().get(view.leader());
      boolean meta = view.shard().shardId() == map.shards().meta().shardId();
      table.row(
          view.shard().shardId(),
          meta ? "(meta)" : bound(view.shard().start()),
          meta ? "" : bound(view.shard().end()),
          view.leader().isEmpty() ? "none" : view.leader(),
          lead == null ? "-" : lead.getTerm(),
          lead == null ? "-" : lead.getAppliedIndex(),
          lags(view),
          lead == null ? "-" : bytes(lead.getMemtableBytes()),
          lead == null ? "-" : levels(lead.getLevelsList()));
    }
    return "cluster "
        + map.shards().clusterId()
        + "  shard map "
        + map.shards().version()
        + "\n\n"
        + nodes
        + "\n"
        + table;
  }

  private static String state(StatusOrFailure answer) {
    NodeStatus status = answer.status();
    if (status == null) {
      return answer.failure();
    }
    if (!status.getFault().isEmpty()) {
      return "fault: " + status.getFault();
    }
    return status.getReady() ? "ready" : "catching up";
  }

  private static String lags(ShardView view) {
    List<String> lags = new ArrayList<>();
    view.replicas()
        .forEach(
            (nodeId, replica) -> {
              if (!nodeId.equals(view.leader())) {
                lags.add(nodeId + ":" + view.lag(replica));
              }
            });
    return lags.isEmpty() ? "-" : String.join(" ", lags);
  }

  private static String bound(@Nullable ByteString key) {
    return key == null || key.isEmpty() ? "-" : KeyText.format(key);
  }

  private static String levels(List<LevelStatus> levels) {
    List<String> texts = new ArrayList<>();
    for (LevelStatus level : levels) {
      if (level.getFiles() > 0) {
        texts.add("L" + level.getLevel() + ":" + level.getFiles() + "/" + bytes(level.getBytes()));
      }
    }
    return texts.isEmpty() ? "-" : String.join(" ", texts);
  }

  static String bytes(long bytes) {
    if (bytes < 1 << 10) {
      return bytes + "B";
    }
    String[] units = {"KiB", "MiB", "GiB", "TiB"};
    double value = bytes;
    int unit = -1;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, value < 10 ? "%.1f%s" : "%.0f%s", value, units[unit]);
  }

  private static String upTime(long millis) {
    long seconds = millis / 1000;
    if (seconds < 60) {
      return seconds + "s";
    }
    long minutes = seconds / 60;
    return minutes < 60
        ? minutes + "m" + seconds % 60 + "s"
        : minutes / 60 + "h" + minutes % 60 + "m";
  }

  private static JsonObject toJson(
      ClusterMap map, Map<NodeInfo, StatusOrFailure> statuses, List<ShardView> shards) {
    JsonObject root = new JsonObject();
    root.addProperty("cluster_id", map.shards().clusterId().toString());
    root.addProperty("shard_map_version", map.shards().version());
    JsonArray nodes = new JsonArray();
    statuses.forEach(
        (node, answer) -> {
          JsonObject item = new JsonObject();
          item.addProperty("node", node.nodeId());
          item.addProperty("address", node.address());
          item.addProperty("http_address", node.httpAddress());
          item.addProperty("state", state(answer));
          NodeStatus status = answer.status();
          if (status != null) {
            item.addProperty("uptime_millis", status.getUptimeMillis());
            item.addProperty("version", status.getVersion());
          }
          nodes.add(item);
        });
    root.add("nodes", nodes);
    JsonArray all = new JsonArray();
    for (ShardView view : shards) {
      JsonObject item = new JsonObject();
      item.addProperty("shard", view.shard().shardId());
      item.addProperty("meta", view.shard().shardId() == map.shards().meta().shardId());
      item.addProperty("start", KeyText.format(view.shard().start()));
      ByteString end = view.shard().end();
      item.addProperty("end", end == null ? "" : KeyText.format(end));
      item.addProperty("leader", view.leader());
      JsonArray replicas = new JsonArray();
      view.replicas().forEach((nodeId, replica) -> replicas.add(toJson(view, nodeId, replica)));
      item.add("replicas", replicas);
      all.add(item);
    }
    root.add("shards", all);
    return root;
  }

  private static JsonObject toJson(ShardView view, String nodeId, ReplicaStatus replica) {
    JsonObject item = new JsonObject();
    item.addProperty("node", nodeId);
    item.addProperty("role", replica.getRole());
    item.addProperty("term", replica.getTerm());
    item.addProperty("committed_index", replica.getCommittedIndex());
    item.addProperty("applied_index", replica.getAppliedIndex());
    item.addProperty("flushed_index", replica.getFlushedIndex());
    item.addProperty("lag", view.lag(replica));
    item.addProperty("log_start_index", replica.getLogStartIndex());
    item.addProperty("sequence", replica.getSequence());
    item.addProperty("memtable_bytes", replica.getMemtableBytes());
    item.addProperty("waiting_memtables", replica.getWaitingMemtables());
    item.addProperty("sessions", replica.getSessions());
    item.addProperty("flushes", replica.getFlushes());
    item.addProperty("compactions", replica.getCompactions());
    item.addProperty("replayed_entries", replica.getReplayedEntries());
    item.addProperty("installed_checkpoints", replica.getInstalledCheckpoints());
    JsonArray levels = new JsonArray();
    for (LevelStatus level : replica.getLevelsList()) {
      JsonObject each = new JsonObject();
      each.addProperty("level", level.getLevel());
      each.addProperty("files", level.getFiles());
      each.addProperty("bytes", level.getBytes());
      levels.add(each);
    }
    item.add("levels", levels);
    return item;
  }
}
