package io.silkkv.engine.api;

import io.silkkv.engine.io.IoClass;
import java.util.List;

/**
 * What the I/O scheduler of a volume does at one moment. Rates are bytes per second; those that a
 * policy does not know are 0.
 *
 * @param policy the policy in force, as text
 * @param deviceRate T: bandwidth of the volume
 * @param clientRate C: what client reads, the log and replication use now
 * @param replicationRate the part of C that replication uses
 * @param internalRate I: what internal work may use now
 * @param flushFloor part of I that is kept for flushes
 * @param l0Floor part of I that is kept for L0 compactions
 * @param deepPaused whether deeper compactions wait, because clients leave nothing for them
 * @param pauses how often they were paused since the start
 * @param deepCores processors that deeper compactions may keep busy now
 * @param requests per throttled class
 */
public record IoFigures(
    String policy,
    long deviceRate,
    long clientRate,
    long replicationRate,
    long internalRate,
    long flushFloor,
    long l0Floor,
    boolean deepPaused,
    long pauses,
    double deepCores,
    List<Requests> requests) {

  public IoFigures {
    requests = List.copyOf(requests);
  }

  /**
   * Requests of one class for tokens, of at most 128 KiB each. All but the last are totals since
   * the start.
   *
   * @param why the class
   * @param requests requests
   * @param bytes what was granted to them; jobs that were stopped got nothing for their last ones
   * @param waits how many of them did not get it at once
   * @param waitedNanos how long those waited, together
   * @param waiting requests that wait now
   */
  public record Requests(
      IoClass why, long requests, long bytes, long waits, long waitedNanos, int waiting) {}
}
