package io.silkkv.ops.bench.cluster;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.maintenance.StatusResponse;
import io.etcd.jetcd.options.GetOption;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.bench.load.EntrySink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * etcd through jetcd, one connection, to the leader as long as it lives: that spares etcd the step
 * from a follower to the leader, as SilkKV's and RheaKV's clients spare it to theirs. When that
 * connection breaks, jetcd goes on to the next member of the list.
 */
final class EtcdTarget implements ClusterTarget {
  private static final Duration STATUS_LIMIT = Duration.ofSeconds(1);
  private static final long POLL_MILLIS = 50;

  /** The end of the key space in etcd's range requests. */
  private static final ByteSequence NO_END = ByteSequence.from(new byte[] {0});

  private final List<String> endpoints;
  private final Duration deadline;
  private final LongSupplier nanoClock;
  private final Client client;
  private final KV kv;

  EtcdTarget(List<String> endpoints, Duration deadline, LongSupplier nanoClock)
      throws InterruptedException {
    this.endpoints = List.copyOf(endpoints);
    this.deadline = deadline;
    this.nanoClock = nanoClock;
    String leader = leader();
    List<String> urls = new ArrayList<>();
    urls.add(url(leader));
    endpoints.stream().filter(endpoint -> !endpoint.equals(leader)).forEach(e -> urls.add(url(e)));
    this.client =
        Client.builder()
            .endpoints(urls.toArray(String[]::new))
            .loadBalancerPolicy("pick_first")
            .build();
    this.kv = client.getKVClient();
  }

  private static String url(String endpoint) {
    return "http://" + endpoint;
  }

  @Override
  public String leader() throws InterruptedException {
    long end = nanoClock.getAsLong() + deadline.toNanos();
    while (nanoClock.getAsLong() < end) {
      for (String endpoint : endpoints) {
        if (leads(endpoint)) {
          return endpoint;
        }
      }
      // Nobody counts it down: this is a pause that an interrupt ends.
      boolean unused = new CountDownLatch(1).await(POLL_MILLIS, TimeUnit.MILLISECONDS);
    }
    throw new OpsException(
        ExitCode.UNAVAILABLE, "no etcd of " + endpoints + " leads within " + deadline);
  }

  private static boolean leads(String endpoint) throws InterruptedException {
    try (Client probe = Client.builder().endpoints(url(endpoint)).build()) {
      StatusResponse status =
          probe
              .getMaintenanceClient()
              .statusMember(url(endpoint))
              .get(STATUS_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      return status.getLeader() == status.getHeader().getMemberId();
    } catch (ExecutionException | TimeoutException e) {
      // Down or paused: then it does not lead, and that is the answer.
      return false;
    }
  }

  @Override
  public CompletableFuture<Void> put(byte[] key, byte[] value) {
    return limited(kv.put(ByteSequence.from(key), ByteSequence.from(value)))
        .thenAccept(written -> {});
  }

  @Override
  public CompletableFuture<byte @Nullable []> get(byte[] key) {
    return limited(kv.get(ByteSequence.from(key)))
        .thenApply(
            found -> found.getKvs().isEmpty() ? null : found.getKvs().get(0).getValue().getBytes());
  }

  @Override
  public CompletableFuture<Integer> scan(byte[] start, int limit, EntrySink sink) {
    GetOption upwards = GetOption.builder().withRange(NO_END).withLimit(limit).build();
    return limited(kv.get(ByteSequence.from(start), upwards))
        .thenApply(
            found -> {
              for (KeyValue entry : found.getKvs()) {
                sink.entry(entry.getKey().getBytes(), entry.getValue().getBytes());
              }
              return found.getKvs().size();
            });
  }

  @Override
  public CompletableFuture<Void> delete(byte[] key) {
    return limited(kv.delete(ByteSequence.from(key))).thenAccept(deleted -> {});
  }

  /** jetcd waits for ever for a server that does not answer. */
  private <T> CompletableFuture<T> limited(CompletableFuture<T> answer) {
    return answer.orTimeout(deadline.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public SortedMap<String, String> facts() {
    SortedMap<String, String> facts = new TreeMap<>();
    facts.put("client", "jetcd, one connection, leader first");
    facts.put("client_deadline_ms", String.valueOf(deadline.toMillis()));
    facts.put("reads", "linearizable: read index");
    return facts;
  }

  @Override
  public void close() {
    client.close();
  }
}
