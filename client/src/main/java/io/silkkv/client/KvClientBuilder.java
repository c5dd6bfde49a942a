package io.silkkv.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** Settings of a client. Not thread-safe. {@link #build} does not connect yet. */
public final class KvClientBuilder {
  private static final int MIN_IN_FLIGHT_BYTES = 8 << 20;
  private static final Duration LONGEST = Duration.ofDays(1);

  private final List<Endpoint> endpoints = new ArrayList<>();
  private Duration deadline = Duration.ofSeconds(5);
  private Duration attemptTimeout = Duration.ofSeconds(2);
  private int maxInFlightCalls = 2048;
  private int maxInFlightBytes = 64 << 20;
  private Executor callbackExecutor = Runnable::run;

  KvClientBuilder() {}

  /** Adds a node to ask for the shard map, {@code host:port}. One is enough, more are safer. */
  public KvClientBuilder endpoint(String address) {
    endpoints.add(Endpoint.parse(address));
    return this;
  }

  /** Adds several nodes. */
  public KvClientBuilder endpoints(Iterable<String> addresses) {
    addresses.forEach(this::endpoint);
    return this;
  }

  /**
   * How long a call may take with all its attempts; default 5 s. {@link KvClient#withDeadline}
   * changes it for some calls.
   */
  public KvClientBuilder deadline(Duration limit) {
    deadline = checked("deadline", limit);
    return this;
  }

  /**
   * How long one attempt waits for its answer before the call is repeated at another node, a write
   * under the same session number; default 2 s. Bounded by the deadline.
   */
  public KvClientBuilder attemptTimeout(Duration limit) {
    attemptTimeout = checked("attempt timeout", limit);
    return this;
  }

  /**
   * Most calls in flight; default 2,048. Beyond it a synchronous call waits, up to its deadline,
   * and an asynchronous one fails at once with {@link KvException.Overloaded}.
   */
  public KvClientBuilder maxInFlightCalls(int calls) {
    if (calls < 1) {
      throw new IllegalArgumentException(
          "the limit of calls in flight must be 1 or more but is " + calls);
    }
    maxInFlightCalls = calls;
    return this;
  }

  /**
   * Most bytes of keys and values in requests in flight, and of pages that scans wait for; default
   * 64 MiB, at least 8 MiB. Beyond it calls wait or fail as for {@link #maxInFlightCalls}.
   */
  public KvClientBuilder maxInFlightBytes(int bytes) {
    if (bytes < MIN_IN_FLIGHT_BYTES) {
      throw new IllegalArgumentException(
          "the limit of bytes in flight must be at least "
              + MIN_IN_FLIGHT_BYTES
              + ", so that the largest call fits, but is "
              + bytes);
    }
    maxInFlightBytes = bytes;
    return this;
  }

  /**
   * Where the futures of {@link AsyncKvClient} are completed, and so where their dependent actions
   * run. By default that is the client's own I/O thread, which saves a hand-off: such actions must
   * be short and must not block. Give an executor when they may.
   */
  public KvClientBuilder callbackExecutor(Executor executor) {
    callbackExecutor = executor;
    return this;
  }

  /**
   * A client with these settings.
   *
   * @throws IllegalArgumentException when no endpoint was given
   */
  public KvClient build() {
    return new KvClient(ClientCore.start(options(), SystemSources.create()));
  }

  ClientOptions options() {
    if (endpoints.isEmpty()) {
      throw new IllegalArgumentException(
          "a client needs at least one endpoint: call endpoint(\"host:port\")");
    }
    return new ClientOptions(
        List.copyOf(endpoints),
        deadline.toNanos(),
        attemptTimeout.toNanos(),
        maxInFlightCalls,
        maxInFlightBytes,
        callbackExecutor);
  }

  static Duration checked(String what, Duration limit) {
    if (limit.isZero() || limit.isNegative() || limit.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "the " + what + " must be more than 0 and at most one day but is " + limit);
    }
    return limit;
  }
}
