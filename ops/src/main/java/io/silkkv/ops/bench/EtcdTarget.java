package io.silkkv.ops.bench;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.maintenance.StatusResponse;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * etcd through jetcd, connected to the leader only: that spares etcd the step from a follower to
 * the leader, as SilkKV's client spares it.
 */
final class EtcdTarget implements Target {
  private final Client client;

  EtcdTarget(List<String> endpoints, Duration deadline) {
    client = Client.builder().endpoints(leader(endpoints, deadline)).build();
  }

  private static String leader(List<String> endpoints, Duration deadline) {
    for (String endpoint : endpoints) {
      String url = "http://" + endpoint;
      try (Client probe = Client.builder().endpoints(url).build()) {
        StatusResponse status =
            probe
                .getMaintenanceClient()
                .statusMember(url)
                .get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        if (status.getLeader() == status.getHeader().getMemberId()) {
          return url;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      } catch (ExecutionException | TimeoutException e) {
        throw new OpsException(
            ExitCode.UNAVAILABLE, "etcd at " + endpoint + " does not tell its status: " + e, e);
      }
    }
    throw new OpsException(ExitCode.UNAVAILABLE, "no etcd of " + endpoints + " is the leader");
  }

  @Override
  public CompletableFuture<?> put(byte[] key, byte[] value) {
    return client.getKVClient().put(ByteSequence.from(key), ByteSequence.from(value));
  }

  @Override
  public CompletableFuture<Integer> get(byte[] key) {
    return client
        .getKVClient()
        .get(ByteSequence.from(key))
        .thenApply(
            found -> found.getKvs().isEmpty() ? -1 : found.getKvs().get(0).getValue().size());
  }

  @Override
  public void close() {
    client.close();
  }
}
