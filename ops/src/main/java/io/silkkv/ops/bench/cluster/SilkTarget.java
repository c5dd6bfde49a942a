package io.silkkv.ops.bench.cluster;

import io.silkkv.client.AsyncKvClient;
import io.silkkv.client.KvClient;
import io.silkkv.client.KvEntry;
import io.silkkv.client.KvScan;
import io.silkkv.client.ScanOptions;
import io.silkkv.ops.admin.AdminClient;
import io.silkkv.ops.admin.ClusterMap;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.bench.load.EntrySink;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** SilkKV through its Java client, with the client's defaults but the deadline. */
final class SilkTarget implements ClusterTarget {
  private static final long POLL_MILLIS = 50;

  private final KvClient client;
  private final AsyncKvClient async;
  private final AdminClient admin;
  private final Duration deadline;
  private final LongSupplier nanoClock;
  private final ScanThreads scans;

  SilkTarget(List<String> endpoints, Duration deadline, int inFlight, LongSupplier nanoClock) {
    this.client =
        KvClient.builder()
            .endpoints(endpoints)
            .deadline(deadline)
            .maxInFlightCalls(Math.max(2048, inFlight))
            .build();
    this.async = client.async();
    this.admin = new AdminClient(endpoints, Duration.ofSeconds(1));
    this.deadline = deadline;
    this.nanoClock = nanoClock;
    this.scans = new ScanThreads(inFlight);
  }

  @Override
  public CompletableFuture<Void> put(byte[] key, byte[] value) {
    return async.put(key, value).thenAccept(version -> {});
  }

  @Override
  public CompletableFuture<byte @Nullable []> get(byte[] key) {
    return async.get(key).thenApply(found -> found.map(KvEntry::value).orElse(null));
  }

  @Override
  public CompletableFuture<Integer> scan(byte[] start, int limit, EntrySink sink) {
    return scans.submit(
        () -> {
          int entries = 0;
          try (KvScan scan = client.scan(ScanOptions.all().from(start).limit(limit))) {
            while (scan.hasNext()) {
              KvEntry entry = scan.next();
              sink.entry(entry.key(), entry.value());
              entries++;
            }
          }
          return entries;
        });
  }

  @Override
  public CompletableFuture<Void> delete(byte[] key) {
    return async.delete(key).thenAccept(version -> {});
  }

  @Override
  public String leader() throws InterruptedException {
    long end = nanoClock.getAsLong() + deadline.toNanos();
    while (nanoClock.getAsLong() < end) {
      ClusterMap map = admin.map();
      @Nullable String leader = map.leaders().get(map.shards().shards().get(0).shardId());
      if (leader != null) {
        return map.shards().node(leader).address();
      }
      // Nobody counts it down: this is a pause that an interrupt ends.
      boolean unused = new CountDownLatch(1).await(POLL_MILLIS, TimeUnit.MILLISECONDS);
    }
    throw new OpsException(
        ExitCode.UNAVAILABLE, "SilkKV's first shard has no leader within " + deadline);
  }

  @Override
  public SortedMap<String, String> facts() {
    SortedMap<String, String> facts = new TreeMap<>();
    facts.put("client", "SilkKV Java client, one stream per node, calls packed");
    facts.put("client_deadline_ms", String.valueOf(deadline.toMillis()));
    facts.put("reads", "linearizable: leader lease, else a read barrier");
    return facts;
  }

  @Override
  public void close() {
    scans.close();
    client.close();
    admin.close();
  }
}
