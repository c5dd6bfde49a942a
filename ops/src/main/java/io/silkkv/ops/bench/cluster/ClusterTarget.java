package io.silkkv.ops.bench.cluster;

import io.silkkv.ops.bench.load.AsyncLoadTarget;
import java.util.SortedMap;

/** A cluster under load, behind its own client. */
interface ClusterTarget extends AsyncLoadTarget {
  /**
   * Address (host:port) of the server that leads the shard of the lowest keys, as listed in the
   * cluster's end points. Waits for a leader, within the target's deadline.
   *
   * @throws io.silkkv.ops.base.OpsException when none is found
   */
  String leader() throws InterruptedException;

  /** What the client really does, for the report. */
  SortedMap<String, String> facts();
}
