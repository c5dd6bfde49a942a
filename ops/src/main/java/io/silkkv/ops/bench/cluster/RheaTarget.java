package io.silkkv.ops.bench.cluster;

import com.alipay.sofa.jraft.rhea.client.DefaultRheaKVStore;
import com.alipay.sofa.jraft.rhea.errors.RouteTableException;
import com.alipay.sofa.jraft.rhea.options.RheaKVStoreOptions;
import com.alipay.sofa.jraft.rhea.storage.KVEntry;
import com.alipay.sofa.jraft.util.Endpoint;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.bench.load.EntrySink;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * RheaKV through its own client, batching as it does by default. That client asks for a new leader
 * when a server says that it is not the leader, but not when the connection to it broke: without a
 * placement driver it would call a dead server for ever. So this class lets it ask after an error,
 * as an application would have to. Thread-safe.
 */
final class RheaTarget implements ClusterTarget {
  private final DefaultRheaKVStore store = new DefaultRheaKVStore();
  private final RheaKVStoreOptions options;
  private final Duration deadline;
  private final ScanThreads scans;
  private final int regions;
  private final ExecutorService leaders;
  private final AtomicBoolean asking = new AtomicBoolean();

  RheaTarget(List<String> endpoints, List<String> splitAt, Duration deadline, int inFlight) {
    this.deadline = deadline;
    this.scans = new ScanThreads(inFlight);
    this.regions = splitAt.size() + 1;
    this.leaders =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "rheakv-leaders");
              thread.setDaemon(true);
              return thread;
            });
    this.options = RheaOptions.client(endpoints, splitAt, deadline);
    if (!store.init(options)) {
      throw new OpsException(
          ExitCode.UNAVAILABLE, "RheaKV's client for " + endpoints + " did not start");
    }
  }

  @Override
  public CompletableFuture<Void> put(byte[] key, byte[] value) {
    return limited(store.put(key, value)).thenAccept(RheaTarget::check);
  }

  @Override
  public CompletableFuture<byte @Nullable []> get(byte[] key) {
    boolean readOnlySafe = true;
    return limited(store.get(key, readOnlySafe));
  }

  /** RheaKV's scans with a limit end at the end of a region; the next one begins where it ended. */
  @Override
  public CompletableFuture<Integer> scan(byte[] start, int limit, EntrySink sink) {
    return scans.submit(
        () -> {
          int entries = 0;
          byte @Nullable [] from = start;
          while (from != null && entries < limit) {
            List<KVEntry> found = store.singleRegionScan(from, null, limit - entries, true, true);
            for (KVEntry entry : found) {
              sink.entry(entry.getKey(), entry.getValue());
            }
            entries += found.size();
            from = store.getPlacementDriverClient().findStartKeyOfNextRegion(from, false);
          }
          return entries;
        });
  }

  @Override
  public CompletableFuture<Void> delete(byte[] key) {
    return limited(store.delete(key)).thenAccept(RheaTarget::check);
  }

  private static void check(@Nullable Boolean answer) {
    if (answer == null || !answer) {
      throw new IllegalStateException("RheaKV answered " + answer);
    }
  }

  /** Its own limit for waiting applies to calls that block only. */
  private <T> CompletableFuture<T> limited(CompletableFuture<T> answer) {
    return answer
        .orTimeout(deadline.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (value, error) -> {
              if (error != null) {
                askForLeaders();
              }
            });
  }

  /** Once at a time, and not on the thread that brings answers. */
  private void askForLeaders() {
    if (asking.compareAndSet(false, true)) {
      leaders.execute(
          () -> {
            try {
              for (int i = 0; i < regions; i++) {
                Endpoint unused = leader(RheaOptions.FIRST_REGION + i);
              }
            } catch (RouteTableException e) {
              // None yet: the next call that fails asks again.
              return;
            } finally {
              asking.set(false);
            }
          });
    }
  }

  private Endpoint leader(long region) {
    return store.getPlacementDriverClient().getLeader(region, true, deadline.toMillis());
  }

  @Override
  public String leader() {
    try {
      return leader(RheaOptions.FIRST_REGION).toString();
    } catch (RouteTableException e) {
      throw new OpsException(
          ExitCode.UNAVAILABLE,
          "RheaKV's first region has no leader within " + deadline + ": " + e.getMessage(),
          e);
    }
  }

  @Override
  public SortedMap<String, String> facts() {
    SortedMap<String, String> facts = new TreeMap<>(RheaOptions.facts(options));
    facts.put("client", "RheaKV's own");
    facts.put("client_deadline_ms", String.valueOf(deadline.toMillis()));
    facts.put("reads", "linearizable: read index (readOnlySafe)");
    return facts;
  }

  @Override
  public void close() {
    scans.close();
    leaders.shutdownNow();
    store.shutdown();
  }
}
