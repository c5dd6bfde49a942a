package io.silkkv.node.config;

import io.silkkv.engine.EngineResources;
import io.silkkv.engine.IoPolicy;
import io.silkkv.engine.TierCompression;
import io.silkkv.engine.api.Compression;
import io.silkkv.engine.api.PrefixRule;
import io.silkkv.engine.io.DirectIo;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Turns raw values into a {@link NodeConfig}, or says everything that is wrong with them. */
public final class NodeConfigLoader {
  private static final Map<String, Long> UNITS =
      Map.of("KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);
  private static final int KEY_BYTES_MAX = 16 << 10;
  private static final int VALUE_BYTES_MAX = 2 << 20;
  private static final int SHARDS_MAX = 1000;
  private static final int ELECTION_TIMEOUT_MIN_MILLIS = 500;
  private static final long PENDING_BYTES_MIN = 4 << 20;

  private final List<String> violations = new ArrayList<>();
  private final ConfigSource source = new ConfigSource(violations);

  private NodeConfigLoader() {}

  /**
   * Reads the configuration of a node.
   *
   * @param file the YAML file
   * @param environment variables of the process; those that begin with SILKKV_ override the file
   * @param overrides {@code key=value}, strongest
   * @throws ConfigException naming every problem and its remedy
   */
  public static NodeConfig load(
      Path file, Map<String, String> environment, List<String> overrides) {
    NodeConfigLoader loader = new NodeConfigLoader();
    loader.source.readFile(file);
    loader.source.readEnvironment(environment);
    overrides.forEach(loader.source::readOverride);
    if (!loader.violations.isEmpty()) {
      throw new ConfigException(loader.violations);
    }
    NodeConfig config = loader.build();
    if (!loader.violations.isEmpty()) {
      throw new ConfigException(loader.violations);
    }
    return config;
  }

  private NodeConfig build() {
    NodeConfig config =
        new NodeConfig(
            new NodeConfig.Cluster(
                uuid(Setting.CLUSTER_ID),
                bool(Setting.CLUSTER_BOOTSTRAP),
                count(Setting.CLUSTER_SHARDS),
                texts(Setting.CLUSTER_SPLIT_AT),
                members()),
            new NodeConfig.Node(
                text(Setting.NODE_ID),
                Path.of(text(Setting.NODE_DATA_DIR)).toAbsolutePath().normalize(),
                bool(Setting.NODE_ALLOW_NON_LOOPBACK),
                count(Setting.NODE_SHUTDOWN_MILLIS)),
            new NodeConfig.Limits(
                limit(Setting.LIMITS_KEY_BYTES, KEY_BYTES_MAX),
                limit(Setting.LIMITS_VALUE_BYTES, VALUE_BYTES_MAX),
                limit(Setting.LIMITS_BATCH_BYTES, VALUE_BYTES_MAX)),
            new NodeConfig.Engine(
                bytes(Setting.ENGINE_MEMTABLE_BYTES),
                bytes(Setting.ENGINE_MEMTABLE_BUDGET_BYTES),
                bytes(Setting.ENGINE_BLOCK_CACHE_BYTES),
                bool(Setting.ENGINE_DIRECT_IO),
                bytes(Setting.ENGINE_DIRECT_IO_BUFFER_BYTES),
                new TierCompression(
                    compression(Setting.ENGINE_COMPRESSION_UPPER),
                    compression(Setting.ENGINE_COMPRESSION_MIDDLE),
                    compression(Setting.ENGINE_COMPRESSION_LAST)),
                smallBytes(Setting.ENGINE_DICTIONARY_BYTES),
                bits(Setting.ENGINE_BLOOM_BITS),
                bits(Setting.ENGINE_BLOOM_BITS_LAST),
                parse(Setting.ENGINE_KEY_PREFIX, NodeConfigLoader::prefix, PrefixRule.NONE),
                ioPolicy()),
            new NodeConfig.Raft(
                count(Setting.RAFT_ELECTION_TIMEOUT_MIN_MILLIS),
                count(Setting.RAFT_ELECTION_TIMEOUT_MAX_MILLIS),
                bytes(Setting.RAFT_UNFLUSHED_LOG_BYTES),
                count(Setting.RAFT_KEEP_LOG_ENTRIES),
                count(Setting.RAFT_PIPELINE_ENTRIES),
                count(Setting.RAFT_RETURN_WAIT_MICROS),
                bytes(Setting.RAFT_PENDING_BYTES)),
            new NodeConfig.Rpc(count(Setting.RPC_READ_THREADS), count(Setting.RPC_READ_QUEUE)));
    if (violations.isEmpty()) {
      check(config);
    }
    return config;
  }

  private void check(NodeConfig config) {
    NodeConfig.Cluster cluster = config.cluster();
    if (cluster.nodes().stream().noneMatch(member -> member.id().equals(config.node().id()))) {
      violations.add(
          "node.id '"
              + config.node().id()
              + "' is not one of cluster.nodes "
              + cluster.nodes().stream().map(NodeConfig.Member::id).toList()
              + "; add it there or mend node.id");
    } else if (!config.node().allowNonLoopback()) {
      NodeConfig.Member self = config.self();
      for (NodeAddress address : List.of(self.address(), self.raft(), self.http())) {
        if (!address.isLoopback()) {
          violations.add(
              address
                  + " of node "
                  + self.id()
                  + " is not a loopback address. Connections are neither encrypted nor"
                  + " authenticated; if the network is trusted, set node.allow-non-loopback=true");
        }
      }
    }
    if (cluster.shards() > SHARDS_MAX) {
      violations.add("cluster.shards is " + cluster.shards() + ", the limit is " + SHARDS_MAX);
    }
    if (!cluster.splitAt().isEmpty() && cluster.splitAt().size() + 1 != cluster.shards()) {
      violations.add(
          "cluster.split-at has "
              + cluster.splitAt().size()
              + " keys, which makes "
              + (cluster.splitAt().size() + 1)
              + " shards, but cluster.shards is "
              + cluster.shards()
              + "; make the two agree");
    }
    NodeConfig.Raft raft = config.raft();
    if (raft.electionTimeoutMinMillis() < ELECTION_TIMEOUT_MIN_MILLIS
        || raft.electionTimeoutMaxMillis() * 2L < raft.electionTimeoutMinMillis() * 3L) {
      violations.add(
          "raft.election-timeout-min-millis must be at least "
              + ELECTION_TIMEOUT_MIN_MILLIS
              + ", and raft.election-timeout-max-millis at least 1.5 times as much, or all followers"
              + " stand for election at once");
    }
    if (raft.pendingBytes() < PENDING_BYTES_MIN) {
      violations.add(
          "raft.pending-bytes must be at least 4MiB, or the largest write could never wait");
    }
    if (config.engine().memtableBudgetBytes() < config.engine().memtableBytes()) {
      violations.add("engine.memtable-budget-bytes must be at least engine.memtable-bytes");
    }
    if (config.engine().memtableBudgetBytes() < EngineResources.MIN_MEMTABLE_BUDGET_BYTES) {
      violations.add(
          "engine.memtable-budget-bytes must be at least "
              + EngineResources.MIN_MEMTABLE_BUDGET_BYTES
              + ", or a large write could wait for memory that only it holds");
    }
    if (config.engine().directIoBufferBytes() < DirectIo.MIN_BUFFER_BYTES) {
      violations.add(
          "engine.direct-io-buffer-bytes must be at least "
              + DirectIo.MIN_BUFFER_BYTES
              + ", the buffer of one read");
    }
  }

  private List<NodeConfig.Member> members() {
    Object value = source.values().get(Setting.CLUSTER_NODES);
    if (!(value instanceof List<?> list) || list.isEmpty()) {
      violations.add(
          "cluster.nodes must be a list with id, address, raft-address and http-address of each"
              + " node");
      return List.of();
    }
    List<NodeConfig.Member> members = new ArrayList<>();
    Set<Object> seen = new HashSet<>();
    for (Object item : list) {
      if (!(item instanceof Map<?, ?> fields)
          || !fields.keySet().equals(Set.of("id", "address", "raft-address", "http-address"))) {
        violations.add(
            "an item of cluster.nodes must have exactly id, address, raft-address and"
                + " http-address, but one is "
                + item);
        continue;
      }
      NodeConfig.Member member =
          new NodeConfig.Member(
              String.valueOf(fields.get("id")),
              address(fields.get("address")),
              address(fields.get("raft-address")),
              address(fields.get("http-address")));
      for (Object unique : List.of(member.id(), member.address(), member.raft(), member.http())) {
        if (!seen.add(unique)) {
          violations.add("cluster.nodes names " + unique + " twice; ids and addresses are unique");
        }
      }
      members.add(member);
    }
    return List.copyOf(members);
  }

  private NodeAddress address(@Nullable Object text) {
    try {
      return NodeAddress.parse(String.valueOf(text));
    } catch (IllegalArgumentException e) {
      violations.add("cluster.nodes: " + e.getMessage());
      return new NodeAddress("invalid", 1);
    }
  }

  private String text(Setting setting) {
    Object value = source.values().getOrDefault(setting, setting.defaultText());
    if (value instanceof Map || value instanceof List || String.valueOf(value).isEmpty()) {
      violations.add(setting.key() + " must be given: " + setting.meaning());
      return "";
    }
    return String.valueOf(value);
  }

  private List<String> texts(Setting setting) {
    Object value = source.values().get(setting);
    if (value == null || "".equals(value)) {
      return List.of();
    }
    if (value instanceof List<?> list) {
      return list.stream().map(String::valueOf).toList();
    }
    return List.of(String.valueOf(value).split(",", -1));
  }

  private <T> T parse(Setting setting, Function<String, T> parser, T fallback) {
    String text = text(setting);
    try {
      return text.isEmpty() ? fallback : parser.apply(text);
    } catch (IllegalArgumentException e) {
      violations.add(setting.key() + " is '" + text + "', but must be " + setting.kind());
      return fallback;
    }
  }

  /** What {@code io.policy} leaves open comes from {@code io.device-rate}. */
  private IoPolicy ioPolicy() {
    String policy = text(Setting.IO_POLICY).trim();
    String rate = text(Setting.IO_DEVICE_RATE).trim();
    boolean known = !rate.equals(Setting.IO_DEVICE_RATE.defaultText());
    if (policy.equals(Setting.IO_POLICY.defaultText())) {
      policy = known ? "silk" : "none";
    }
    if (known && policy.equals("silk")) {
      policy = "silk:budget=" + rate;
    } else if (known && policy.startsWith("silk:") && !policy.contains("budget=")) {
      policy = "silk:budget=" + rate + "," + policy.substring("silk:".length());
    }
    try {
      return IoPolicy.parse(policy);
    } catch (IllegalArgumentException e) {
      violations.add(
          "io.policy and io.device-rate make the policy '" + policy + "': " + e.getMessage());
      return IoPolicy.none();
    }
  }

  private UUID uuid(Setting setting) {
    return parse(setting, UUID::fromString, new UUID(0, 0));
  }

  private boolean bool(Setting setting) {
    return parse(
        setting,
        text ->
            switch (text.toLowerCase(Locale.ROOT)) {
              case "true" -> true;
              case "false" -> false;
              default -> throw new IllegalArgumentException(text);
            },
        false);
  }

  private Compression compression(Setting setting) {
    return parse(
        setting, text -> Compression.valueOf(text.toUpperCase(Locale.ROOT)), Compression.NONE);
  }

  private static PrefixRule prefix(String text) {
    if (text.equals("none")) {
      return PrefixRule.NONE;
    }
    if (text.startsWith("length:")) {
      return PrefixRule.length(Integer.parseInt(text.substring("length:".length())));
    }
    String delimiter = text.startsWith("until:") ? text.substring("until:".length()) : "";
    if (delimiter.length() != 1 || delimiter.charAt(0) > 0x7f) {
      throw new IllegalArgumentException(text);
    }
    return PrefixRule.upTo((byte) delimiter.charAt(0));
  }

  private int smallBytes(Setting setting) {
    return parse(
        setting,
        text -> {
          long bytes = text.trim().equals("0") ? 0 : parseBytes(text);
          if (bytes > 1 << 20) {
            throw new IllegalArgumentException(text);
          }
          return (int) bytes;
        },
        0);
  }

  private int bits(Setting setting) {
    return parse(
        setting,
        text -> {
          int number = Integer.parseInt(text);
          if (number < 0 || number > 64) {
            throw new IllegalArgumentException(text);
          }
          return number;
        },
        0);
  }

  private int count(Setting setting) {
    return parse(
        setting,
        text -> {
          int number = Integer.parseInt(text);
          if (number < 1) {
            throw new IllegalArgumentException(text);
          }
          return number;
        },
        1);
  }

  private long bytes(Setting setting) {
    return parse(setting, NodeConfigLoader::parseBytes, 1L);
  }

  private int limit(Setting setting, int most) {
    long bytes = bytes(setting);
    if (bytes > most) {
      violations.add(
          setting.key() + " is " + bytes + " bytes, but can only be lowered from " + most);
      return most;
    }
    return (int) bytes;
  }

  private static long parseBytes(String text) {
    String trimmed = text.trim();
    long unit = 1;
    for (Map.Entry<String, Long> known : UNITS.entrySet()) {
      if (trimmed.endsWith(known.getKey())) {
        unit = known.getValue();
        trimmed = trimmed.substring(0, trimmed.length() - known.getKey().length()).trim();
      }
    }
    long number = Long.parseLong(trimmed);
    if (number < 1 || number > Long.MAX_VALUE / unit) {
      throw new IllegalArgumentException(text);
    }
    return number * unit;
  }
}
