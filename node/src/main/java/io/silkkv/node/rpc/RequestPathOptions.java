package io.silkkv.node.rpc;

import io.silkkv.router.Limits;
import java.time.Duration;
import java.util.List;

/**
 * Bounds of the request path.
 *
 * @param limits largest key, value and batch
 * @param readThreads threads that read files for gets and scans; 1 or more
 * @param readQueue reads that may wait for such a thread; one more is OVERLOADED
 * @param callsPerStream calls in flight in one stream; one more is OVERLOADED
 * @param callsPerNode calls of this node that wait for a log entry, a file or another node; one
 *     more is OVERLOADED
 * @param bytesPerNode serialized bytes of those calls; more is OVERLOADED
 * @param outboundBytesPerStream replies that a stream's client has not taken yet; beyond it no more
 *     of its requests are read
 * @param defaultTimeout how long a call that names no deadline is kept
 * @param pageBytes keys and values of a scan page when the caller does not say; soft
 * @param maxPageBytes most that the caller may ask for; soft
 * @param maxPageEntries entries of a page
 * @param maxPageTime time that one page may take before it is sent as it is
 * @param mapRefresh how often the shard map is read again when nothing asks for it
 */
public record RequestPathOptions(
    Limits limits,
    int readThreads,
    int readQueue,
    int callsPerStream,
    int callsPerNode,
    long bytesPerNode,
    long outboundBytesPerStream,
    Duration defaultTimeout,
    int pageBytes,
    int maxPageBytes,
    int maxPageEntries,
    Duration maxPageTime,
    Duration mapRefresh) {

  /** Checks that nothing is bounded by zero. */
  public RequestPathOptions {
    if (readThreads < 1 || readQueue < 1 || callsPerStream < 1 || callsPerNode < 1) {
      throw new IllegalArgumentException(
          "read threads, read queue, calls per stream and calls per node must be 1 or more, not "
              + List.of(readThreads, readQueue, callsPerStream, callsPerNode));
    }
    if (pageBytes < 1 || maxPageBytes < pageBytes || maxPageEntries < 1) {
      throw new IllegalArgumentException(
          "a scan page must be allowed 1 byte and 1 entry, and the most bytes that a caller may"
              + " ask for must not be less than the default, but they are "
              + List.of(pageBytes, maxPageEntries, maxPageBytes));
    }
  }

  /** What a node uses unless it is told otherwise. */
  public static RequestPathOptions of(Limits limits, int readThreads, int readQueue) {
    return new RequestPathOptions(
        limits,
        readThreads,
        readQueue,
        4096,
        16_384,
        64L << 20,
        8L << 20,
        Duration.ofSeconds(10),
        256 << 10,
        1 << 20,
        8192,
        Duration.ofMillis(20),
        Duration.ofSeconds(10));
  }
}
