package io.silkkv.node.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Every setting of a node: its key in the file, its unit, its default and its meaning. The settings
 * reference in the module's README is this table, and a test keeps the two equal.
 */
public enum Setting {
  CLUSTER_ID("cluster.id", Kind.UUID, "", "Identity of the cluster, the same on all its nodes."),
  CLUSTER_BOOTSTRAP(
      "cluster.bootstrap",
      Kind.BOOLEAN,
      "false",
      "Whether an empty data directory may join as a founding replica. Only right when the cluster"
          + " is created: a wiped disk is a new peer and must not come back under its old name."),
  CLUSTER_SHARDS(
      "cluster.shards", Kind.COUNT, "1", "Data shards that a new cluster starts with (1 to 1000)."),
  CLUSTER_SPLIT_AT(
      "cluster.split-at",
      Kind.TEXTS,
      "",
      "Keys at which a new cluster is split, in order; \\xNN stands for a byte. Empty: evenly over"
          + " text of 0-9 and a-z."),
  CLUSTER_NODES(
      "cluster.nodes",
      Kind.NODES,
      "",
      "The founding nodes: id, address, raft-address and http-address (host:port) of each."),
  NODE_ID("node.id", Kind.TEXT, "", "Which of cluster.nodes this process is."),
  NODE_DATA_DIR("node.data-dir", Kind.TEXT, "", "Directory of all data of this node."),
  NODE_ALLOW_NON_LOOPBACK(
      "node.allow-non-loopback",
      Kind.BOOLEAN,
      "false",
      "Whether to listen on addresses that other machines reach. Connections are neither encrypted"
          + " nor authenticated."),
  NODE_SHUTDOWN_MILLIS(
      "node.shutdown-millis",
      Kind.MILLIS,
      "10000",
      "How long a clean stop may take: moving leaders away and flushing."),
  LIMITS_KEY_BYTES("limits.key-bytes", Kind.BYTES, "16KiB", "Largest key (at most 16KiB)."),
  LIMITS_VALUE_BYTES("limits.value-bytes", Kind.BYTES, "2MiB", "Largest value (at most 2MiB)."),
  LIMITS_BATCH_BYTES(
      "limits.batch-bytes",
      Kind.BYTES,
      "2MiB",
      "Largest sum of keys and values of one write (at most 2MiB)."),
  ENGINE_MEMTABLE_BYTES(
      "engine.memtable-bytes", Kind.BYTES, "64MiB", "Size at which a shard's memtable is flushed."),
  ENGINE_MEMTABLE_BUDGET_BYTES(
      "engine.memtable-budget-bytes",
      Kind.BYTES,
      "256MiB",
      "Off-heap memory of all memtables of the node, 8MiB or more. At 80 % the oldest is flushed"
          + " early; at 100 % leaders refuse writes with OVERLOADED."),
  ENGINE_BLOCK_CACHE_BYTES(
      "engine.block-cache-bytes",
      Kind.BYTES,
      "32MiB",
      "Heap for blocks of files, for the node. Indexes and filters live there too and come first:"
          + " with less than 1.5 % of the data, a lookup of a cold key reads up to three blocks."),
  ENGINE_DIRECT_IO(
      "engine.direct-io",
      Kind.BOOLEAN,
      "true",
      "Whether table files go past the page cache of the system. Where the file system does not take"
          + " that, the log says so and they go through it."),
  ENGINE_DIRECT_IO_BUFFER_BYTES(
      "engine.direct-io-buffer-bytes",
      Kind.BYTES,
      "4MiB",
      "Off-heap memory for such reads under way, 128KiB each; beyond, a read waits for another to"
          + " end."),
  ENGINE_COMPRESSION_UPPER(
      "engine.compression-upper",
      Kind.COMPRESSION,
      "none",
      "Compression of level 0 and of what is merged from it into the level below. Blocks that do"
          + " not shrink by an eighth are never compressed."),
  ENGINE_COMPRESSION_MIDDLE(
      "engine.compression-middle", Kind.COMPRESSION, "lz4", "Compression of the levels between."),
  ENGINE_COMPRESSION_LAST(
      "engine.compression-last",
      Kind.COMPRESSION,
      "zstd",
      "Compression of the last level, which holds nine tenths of the data."),
  ENGINE_DICTIONARY_BYTES(
      "engine.dictionary-bytes",
      Kind.SMALL_BYTES,
      "0",
      "Size of a dictionary that is trained for each file of the last level when zstd compresses it;"
          + " 0 for none. Worth it for small values that are alike, from 4KiB on."),
  ENGINE_BLOOM_BITS(
      "engine.bloom-bits",
      Kind.BITS,
      "10",
      "Filter bits per key; 10 let about 1 % of absent keys pass, 0 is no filter."),
  ENGINE_BLOOM_BITS_LAST(
      "engine.bloom-bits-last",
      Kind.BITS,
      "10",
      "The same for the last level, which has nine tenths of all keys. 0 saves most of the memory"
          + " of filters, and fits when most keys that are asked for exist."),
  ENGINE_KEY_PREFIX(
      "engine.key-prefix",
      Kind.PREFIX,
      "none",
      "Which prefix of a key the filters hold too: its first N bytes (1 to 255), or up to the first"
          + " BYTE (one character). Scans within one prefix then pass by files without it."),
  IO_DEVICE_RATE(
      "io.device-rate",
      Kind.TEXT,
      "unknown",
      "Bandwidth of the volume of node.data-dir, e.g. `200MB/s`: what it does on and on, not in its"
          + " best second."),
  IO_POLICY(
      "io.policy",
      Kind.TEXT,
      "auto",
      "Who decides when flushes and compactions use the volume: `none`, `fixed:RATE`,"
          + " `auto-tuned:RATE` or `silk:OPTIONS` (engine README, I/O scheduler). `auto`: `silk` with"
          + " io.device-rate when that is given, else `none`."),
  RAFT_ELECTION_TIMEOUT_MIN_MILLIS(
      "raft.election-timeout-min-millis",
      Kind.MILLIS,
      "1000",
      "Shortest silence of a leader after which a follower stands for election. The lease for"
          + " linearizable reads is 0.8 of it."),
  RAFT_ELECTION_TIMEOUT_MAX_MILLIS(
      "raft.election-timeout-max-millis", Kind.MILLIS, "2000", "Longest such silence."),
  RAFT_UNFLUSHED_LOG_BYTES(
      "raft.unflushed-log-bytes",
      Kind.BYTES,
      "256MiB",
      "Log bytes of a shard after which its memtable is flushed, however small it is: bounds replay"
          + " after a restart."),
  RAFT_KEEP_LOG_ENTRIES(
      "raft.keep-log-entries",
      Kind.COUNT,
      "128",
      "Flushed log entries that stay for followers that were away; further behind, a follower"
          + " fetches a checkpoint."),
  RAFT_PIPELINE_ENTRIES(
      "raft.pipeline-entries",
      Kind.COUNT,
      "4",
      "Log entries of a shard in flight. All but the first are full: commands gather while one is"
          + " in flight and share the next."),
  RAFT_RETURN_WAIT_MICROS(
      "raft.return-wait-micros",
      Kind.COUNT,
      "2000",
      "Longest time in microseconds, up to 10000, that a log entry waits for clients that were just"
          + " answered, so that they share it. Entries stop waiting when clients do not come back; a"
          + " lone client never waits."),
  RAFT_PENDING_BYTES(
      "raft.pending-bytes",
      Kind.BYTES,
      "16MiB",
      "Commands of a shard that wait at its leader; beyond, writes are refused with OVERLOADED."),
  RPC_READ_THREADS(
      "rpc.read-threads", Kind.COUNT, "4", "Threads for reads that need files, and for scans."),
  RPC_READ_QUEUE(
      "rpc.read-queue",
      Kind.COUNT,
      "1024",
      "Reads that wait for those threads; beyond, OVERLOADED.");

  /** What a value looks like. */
  enum Kind {
    TEXT("text"),
    TEXTS("list of texts"),
    NODES("list of nodes"),
    UUID("UUID"),
    BOOLEAN("true or false"),
    COUNT("number, at least 1"),
    MILLIS("milliseconds"),
    COMPRESSION("none, lz4 or zstd"),
    BITS("number, 0 to 64"),
    SMALL_BYTES("bytes, 0 to 1MiB"),
    PREFIX("none, length:N or until:BYTE"),
    BYTES("bytes, or with KiB, MiB, GiB");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private final String key;
  private final Kind kind;
  private final String defaultText;
  private final String meaning;

  Setting(String key, Kind kind, String defaultText, String meaning) {
    this.key = key;
    this.kind = kind;
    this.defaultText = defaultText;
    this.meaning = meaning;
  }

  /** The key in the file and for {@code --set}. */
  public String key() {
    return key;
  }

  Kind kind() {
    return kind;
  }

  /**
   * The default as it would stand in the file; empty when the setting must be given or is a list.
   */
  String defaultText() {
    return defaultText;
  }

  String meaning() {
    return meaning;
  }

  /** The environment variable that overrides it. */
  String variable() {
    return "SILKKV_" + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  static Optional<Setting> ofKey(String key) {
    return Arrays.stream(values()).filter(setting -> setting.key.equals(key)).findFirst();
  }

  static Optional<Setting> ofVariable(String variable) {
    return Arrays.stream(values())
        .filter(setting -> setting.variable().equals(variable))
        .findFirst();
  }

  /** One row of the settings reference. */
  String toMarkdown() {
    String shown = defaultText.isEmpty() ? "" : "`" + defaultText + "`";
    return "| `" + key + "` | " + kind + " | " + shown + " | " + meaning + " |";
  }
}
