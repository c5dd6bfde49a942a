package io.silkkv.ops.it;

import static io.silkkv.ops.it.TestCluster.DATA_SHARD;
import static io.silkkv.ops.it.TestCluster.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.ops.load.BulkLoader;
import io.silkkv.ops.load.FileDigest;
import io.silkkv.ops.load.LoadFormat;
import io.silkkv.ops.load.LoadReader;
import io.silkkv.ops.load.RecordDigest;
import io.silkkv.ops.load.RecordSink;
import io.silkkv.v1.ReplicaStatus;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** What is acknowledged survives. One cluster of three processes with four shards for all tests. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterIT {
  private static final int RECORDS = 8_000;
  private static final long RESIDENT_KIB_MAX = 600 << 10;

  private TestCluster cluster;
  private Path file;

  @BeforeAll
  void start(@TempDir Path dir) throws Exception {
    file = writeLoadFile(dir.resolve("data.tsv"), 20_261_130L);
    cluster = TestCluster.start(dir.resolve("cluster"), 4, List.of());
  }

  @AfterAll
  void stop() throws IOException {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Keys in all four shards, some twice; values from nothing to 20 KB with awkward bytes. */
  private static Path writeLoadFile(Path path, long seed) throws IOException {
    Random random = new Random(seed);
    try (Writer out = Files.newBufferedWriter(path, StandardCharsets.ISO_8859_1)) {
      for (int i = 0; i < RECORDS; i++) {
        out.write(Integer.toString(random.nextInt(36), 36) + "/key-" + random.nextInt(RECORDS));
        out.write('\t');
        int length = random.nextInt(20) == 0 ? random.nextInt(20_000) : random.nextInt(600);
        for (int j = 0; j < length; j++) {
          int b = random.nextInt(256);
          switch (b) {
            case '\n' -> out.write("\\n");
            case '\\' -> out.write("\\\\");
            default -> out.write(b);
          }
        }
        out.write('\n');
      }
    }
    return path;
  }

  private void load(Path path, RecordSink sink) throws Exception {
    try (LoadReader reader = new LoadReader(Files.newInputStream(path), LoadFormat.TSV, 0, 0)) {
      new BulkLoader(
              reader,
              sink,
              new BulkLoader.Options(64, 4 << 20, false),
              BulkLoader.Totals.NONE,
              bad -> {})
          .run();
    }
  }

  private RecordSink sink(CountDownLatch acknowledgements) {
    return (key, value) ->
        cluster
            .client()
            .async()
            .put(key, value)
            .thenAccept(version -> acknowledgements.countDown());
  }

  @Test
  @Order(1)
  void aNodeWithIdleShardsStaysSmall() throws IOException {
    for (String id : cluster.local().spec().nodeIds()) {
      Path status = Path.of("/proc", String.valueOf(cluster.node(id).pid()), "status");
      long resident =
          Files.readAllLines(status).stream()
              .filter(line -> line.startsWith("VmRSS:"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
              .findFirst()
              .orElseThrow();
      assertThat(resident).as("KiB resident of %s", id).isLessThan(RESIDENT_KIB_MAX);
    }
  }

  @Test
  @Order(2)
  void aLoadGoesOnWhenALeaderIsKilledAndLosesNothing() throws Exception {
    CountDownLatch third = new CountDownLatch(RECORDS / 3);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    String victim;
    try {
      Future<?> load =
          thread.submit(
              () -> {
                load(file, sink(third));
                return null;
              });
      assertThat(third.await(60, TimeUnit.SECONDS)).isTrue();
      victim = cluster.leader(DATA_SHARD);
      cluster.node(victim).kill();
      load.get(90, TimeUnit.SECONDS);
    } finally {
      thread.shutdownNow();
    }
    assertHoldsTheFile();
    cluster.restart(victim);
    for (long shard = DATA_SHARD; shard < DATA_SHARD + 4; shard++) {
      cluster.awaitCaughtUp(victim, shard);
    }
  }

  @Test
  @Order(3)
  void allDataIsThereAfterAllNodesWereKilled() throws Exception {
    cluster.killAll();
    cluster.restartAll();
    assertHoldsTheFile();
  }

  private void assertHoldsTheFile() throws IOException {
    RecordDigest expected = FileDigest.of(file, LoadFormat.TSV, false);
    RecordDigest found = cluster.digest();
    assertThat(found.count()).isEqualTo(expected.count());
    assertThat(found.hex()).isEqualTo(expected.hex());
  }

  @Test
  @Order(4)
  void aRestartReplaysOnlyWhatWasNotFlushed() throws Exception {
    String follower = cluster.followers(DATA_SHARD).get(0);
    cluster.awaitCaughtUp(follower, DATA_SHARD);
    cluster.admin().flush(cluster.local().spec().address(follower));
    for (int i = 0; i < 50; i++) {
      cluster.client().put("0/replay-" + i, "value");
    }
    cluster.awaitCaughtUp(follower, DATA_SHARD);
    ReplicaStatus before = cluster.replica(follower, DATA_SHARD);
    long unflushed = before.getAppliedIndex() - before.getFlushedIndex();
    assertThat(before.getFlushedIndex()).isGreaterThan(0);
    assertThat(unflushed).isBetween(50L, 100L);
    cluster.node(follower).kill();
    cluster.restart(follower);
    ReplicaStatus after = cluster.replica(follower, DATA_SHARD);
    assertThat(after.getReplayedEntries()).isBetween(1L, unflushed + 10);
    assertThat(after.getAppliedIndex()).isGreaterThanOrEqualTo(before.getAppliedIndex());
    cluster.lead(follower, DATA_SHARD);
    assertThat(cluster.client().get("0/replay-49").orElseThrow().valueText()).isEqualTo("value");
  }

  @Test
  @Order(5)
  void aTornEndOfTheLogIsCutAndFetchedAgain() throws Exception {
    String follower = cluster.followers(DATA_SHARD).get(0);
    for (int i = 0; i < 20; i++) {
      cluster.client().put("0/torn-" + i, "value " + i);
    }
    cluster.awaitCaughtUp(follower, DATA_SHARD);
    cluster.node(follower).kill();
    tearNewestSegment(cluster.local().directory().dataDirectory(follower).resolve("raft"));
    cluster.client().put("0/torn-20", "value 20");
    cluster.restart(follower);
    cluster.awaitCaughtUp(follower, DATA_SHARD);
    cluster.lead(follower, DATA_SHARD);
    for (int i = 0; i <= 20; i++) {
      assertThat(cluster.client().get("0/torn-" + i).orElseThrow().valueText())
          .isEqualTo("value " + i);
    }
  }

  /** Zeroes the last bytes of the open segment of every shard, as a torn write would leave them. */
  private static void tearNewestSegment(Path raft) throws IOException {
    List<Path> segments;
    try (Stream<Path> files = Files.walk(raft)) {
      segments =
          files
              .filter(path -> path.getFileName().toString().startsWith("log_inprogress_"))
              .sorted(Comparator.naturalOrder())
              .toList();
    }
    assertThat(segments).isNotEmpty();
    for (Path segment : segments) {
      try (RandomAccessFile log = new RandomAccessFile(segment.toFile(), "rw")) {
        byte[] bytes = new byte[Math.toIntExact(log.length())];
        log.readFully(bytes);
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
          end--;
        }
        // The header of a segment is 8 bytes; an empty segment has no entry to tear.
        int from = Math.max(8, end - 5);
        if (from < end) {
          log.seek(from);
          log.write(new byte[end - from]);
        }
      }
    }
  }

  @Test
  @Order(6)
  void afterAPauseAnOldLeaderNeverAnswersWithAnOldValue() throws Exception {
    String old = cluster.leader(DATA_SHARD);
    cluster.client().put("0/pause", "old");
    cluster.node(old).pause();
    try {
      cluster.client().put("0/pause", "new");
    } finally {
      cluster.node(old).resume();
    }
    RawCalls calls = new RawCalls(cluster);
    for (int i = 0; i < 20; i++) {
      calls
          .tryGet(old, "0/pause", Duration.ofMillis(500))
          .ifPresent(value -> assertThat(value).isEqualTo("new"));
    }
    cluster.awaitLeaders();
  }

  @Test
  @Order(7)
  void aLeaderWithoutFollowersRefusesLinearizableReads() throws Exception {
    String leader = cluster.leader(DATA_SHARD);
    List<String> followers = cluster.followers(DATA_SHARD);
    RawCalls calls = new RawCalls(cluster);
    cluster.client().put("0/isolated", "value");
    assertThat(calls.tryGet(leader, "0/isolated", Duration.ofSeconds(5))).contains("value");
    for (String follower : followers) {
      cluster.node(follower).pause();
    }
    try {
      // Reads are allowed until the lease ends, which is less than the shortest election timeout.
      within(Duration.ofSeconds(10))
          .until(() -> calls.tryGet(leader, "0/isolated", Duration.ofMillis(300)).isEmpty());
      for (int i = 0; i < 5; i++) {
        assertThat(calls.tryGet(leader, "0/isolated", Duration.ofMillis(300))).isEmpty();
      }
    } finally {
      for (String follower : followers) {
        cluster.node(follower).resume();
      }
    }
    assertThat(cluster.client().get("0/isolated").orElseThrow().valueText()).isEqualTo("value");
    cluster.awaitLeaders();
  }
}
