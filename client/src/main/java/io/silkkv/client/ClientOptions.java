package io.silkkv.client;

import java.util.List;
import java.util.concurrent.Executor;

/**
 * What a client was built with; see {@link KvClientBuilder} for meanings and defaults.
 *
 * @param endpoints nodes to ask for the shard map, {@code host:port}
 * @param deadlineNanos how long a call may take with all its attempts
 * @param attemptNanos how long one attempt may take before another node is asked
 * @param maxInFlightCalls calls that have started and not ended
 * @param maxInFlightBytes keys and values of those calls, and pages that scans wait for
 * @param callbackExecutor where futures are completed
 */
record ClientOptions(
    List<Endpoint> endpoints,
    long deadlineNanos,
    long attemptNanos,
    int maxInFlightCalls,
    int maxInFlightBytes,
    Executor callbackExecutor) {}
