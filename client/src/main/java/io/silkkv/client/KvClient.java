package io.silkkv.client;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A connection to a SilkKV cluster whose calls block until their outcome is known, at most until
 * their deadline. {@link #async} is the same client without blocking. Keys have 1 byte to 16 KiB,
 * values up to 2 MiB; text is UTF-8. All failures are {@link KvException}s. Thread-safe: share one
 * client per application.
 *
 * <p>Reads are linearizable. Writes are applied exactly once, however often the client repeats
 * them.
 */
public final class KvClient implements AutoCloseable {
  private final ClientCore core;
  private final long deadlineNanos;
  private final AsyncKvClient async;

  KvClient(ClientCore core) {
    this(core, core.options().deadlineNanos());
  }

  private KvClient(ClientCore core, long deadlineNanos) {
    this.core = core;
    this.deadlineNanos = deadlineNanos;
    this.async = new AsyncKvClient(core, deadlineNanos);
  }

  /** Settings for a new client. */
  public static KvClientBuilder builder() {
    return new KvClientBuilder();
  }

  /** The asynchronous view of this client, with the same deadline. */
  public AsyncKvClient async() {
    return async;
  }

  /** This client with another deadline: the same connections, session and limits. */
  public KvClient withDeadline(Duration deadline) {
    return new KvClient(core, KvClientBuilder.checked("deadline", deadline).toNanos());
  }

  /** The newest value of a key; empty when the key is absent. */
  public Optional<KvEntry> get(byte[] key) {
    return core.call(Requests.get(key, deadline()));
  }

  /** The newest value of a key. */
  public Optional<KvEntry> get(String key) {
    return get(utf8(key));
  }

  /** The newest values of several keys, one for each, in their order. */
  public List<Optional<KvEntry>> batchGet(List<byte[]> keys) {
    return keys.isEmpty() ? Requests.noEntries() : core.call(Requests.batchGet(keys, deadline()));
  }

  /**
   * Sets the value of a key.
   *
   * @return the key's new version
   */
  public long put(byte[] key, byte[] value) {
    return core.call(Requests.put(key, value, deadline()));
  }

  /** Sets the value of a key. */
  public long put(String key, String value) {
    return put(utf8(key), utf8(value));
  }

  /**
   * Removes a key; fine when it is absent.
   *
   * @return the version of the removal
   */
  public long delete(byte[] key) {
    return core.call(Requests.delete(key, deadline()));
  }

  /** Removes a key. */
  public long delete(String key) {
    return delete(utf8(key));
  }

  /**
   * Removes all keys of a range. What lies in one shard goes at one moment; the parts of several
   * shards go one after the other, each within the client's deadline, so when this fails some parts
   * may be gone and others not. Trying again does no harm.
   *
   * @param start first key, inclusive; empty for the first key of the cluster
   * @param end last key, exclusive; empty for no bound
   */
  public void deleteRange(byte[] start, byte[] end) {
    ByteString bound = end.length == 0 ? null : ByteString.copyFrom(end);
    Optional<ByteString> next = Optional.of(ByteString.copyFrom(start));
    while (next.isPresent()) {
      next = core.call(Requests.deleteRange(next.get(), bound, deadline()));
    }
  }

  /** Removes all keys that start with a prefix; an empty one means all keys. */
  public void deletePrefix(byte[] prefix) {
    ScanOptions range = ScanOptions.prefix(prefix);
    ByteString end = range.end();
    deleteRange(range.start().toByteArray(), end == null ? new byte[0] : end.toByteArray());
  }

  /** Makes all changes of a batch if all its conditions hold, else none. */
  public WriteResult write(KvBatch batch) {
    return core.call(Requests.write(batch, deadline()));
  }

  /** The entries of a range, in order. Close it when you stop before its end. */
  public KvScan scan(ScanOptions options) {
    Requests.check(options);
    return new KvScan(core, options, deadlineNanos);
  }

  /**
   * Fails the calls in flight and closes the connections, also for all other views of this client.
   * Idempotent.
   */
  @Override
  public void close() {
    core.close();
  }

  /** Calls of all views of this client that have started and not ended. */
  public int callsInFlight() {
    return core.limit().callsInFlight();
  }

  private long deadline() {
    return core.deadlineAfter(deadlineNanos);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
