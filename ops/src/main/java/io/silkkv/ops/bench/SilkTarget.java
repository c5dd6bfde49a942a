package io.silkkv.ops.bench;

import io.silkkv.client.KvClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** SilkKV through its Java client. */
final class SilkTarget implements Target {
  private final KvClient client;

  SilkTarget(List<String> endpoints, Duration deadline) {
    client = KvClient.builder().endpoints(endpoints).deadline(deadline).build();
  }

  @Override
  public CompletableFuture<?> put(byte[] key, byte[] value) {
    return client.async().put(key, value);
  }

  @Override
  public CompletableFuture<Integer> get(byte[] key) {
    return client.async().get(key).thenApply(found -> found.map(e -> e.value().length).orElse(-1));
  }

  @Override
  public void close() {
    client.close();
  }
}
