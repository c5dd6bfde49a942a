package io.silkkv.raftsm;

import io.silkkv.raftsm.transport.SilkRpcType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys;

/**
 * How Raft runs on a node. What can be chosen are the components; everything else is fixed, because
 * the rest of SilkKV relies on it. "Default" is the library's own.
 *
 * <table>
 *   <caption>Every setting that differs from the library's default, or that must not change</caption>
 *   <tr><th>key</th><th>default</th><th>here</th><th>why</th></tr>
 *   <tr><td>raft.rpc.type</td><td>GRPC</td><td>{@link SilkRpcType}</td>
 *       <td>byte counting, read gate, resumed appenders</td></tr>
 *   <tr><td>raft.server.storage.dir, raft.server.removed.groups.dir</td><td>the system's temporary
 *       directory</td><td>in the data directory</td><td>log, vote and term on one file system</td></tr>
 *   <tr><td>raft.server.log.segment.size.max</td><td>32MB</td><td>segmentBytes (8 MiB)</td>
 *       <td>the log is purged, recovered and cached by segments</td></tr>
 *   <tr><td>raft.server.log.segment.cache.num.max</td><td>6</td><td>1</td><td>heap</td></tr>
 *   <tr><td>raft.server.log.segment.cache.size.max</td><td>200MB</td><td>2 segments</td>
 *       <td>heap</td></tr>
 *   <tr><td>raft.server.log.preallocated.size</td><td>4MB</td><td>128 KiB</td>
 *       <td>zeros are written, and synced, by the thread that everybody waits for: 1 MiB of them
 *       takes 3 to 8 ms</td></tr>
 *   <tr><td>raft.server.log.appender.buffer.byte-limit</td><td>4MB</td><td>entryBytes (3 MiB)</td>
 *       <td>the largest entry: a value of 2 MiB, its key and its frame. A larger entry would make
 *       the leader step down, so it is refused before it gets here</td></tr>
 *   <tr><td>raft.server.log.write.buffer.size</td><td>8MB</td><td>entryBytes + 8</td>
 *       <td>direct memory per group; must hold one entry and its frame</td></tr>
 *   <tr><td>raft.grpc.message.size.max</td><td>64MB</td><td>entryBytes + 2 MiB</td>
 *       <td>must exceed the buffer by 1 MiB</td></tr>
 *   <tr><td>raft.server.log.queue.byte-limit, .element-limit</td><td>64MB, 4096</td>
 *       <td>4 entries of the largest size, 4096</td><td>heap per group</td></tr>
 *   <tr><td>raft.server.write.byte-limit, .element-limit</td><td>64MB, 4096</td>
 *       <td>4 entries of the largest size, 1024</td><td>heap per led group</td></tr>
 *   <tr><td>raft.server.log.force.sync.num</td><td>128</td><td>128</td><td>entries per sync; entries
 *       are batches already</td></tr>
 *   <tr><td>raft.server.log.unsafe-flush.enabled, .async-flush.enabled</td><td>false</td>
 *       <td>false</td><td>both acknowledge before the disk does</td></tr>
 *   <tr><td>raft.server.log.log-metadata.enabled</td><td>true</td><td>false</td>
 *       <td>halves entries and syncs</td></tr>
 *   <tr><td>raft.server.log.append-entries.compose.enabled</td><td>true</td><td>false</td>
 *       <td>a follower would wait for one sync before it takes the next entries</td></tr>
 *   <tr><td>raft.server.log.read.lock.enabled</td><td>true</td><td>true</td><td>safe choice</td></tr>
 *   <tr><td>raft.server.log.appender.wait-time.min</td><td>1ms</td><td>0</td>
 *       <td>it is added to every write</td></tr>
 *   <tr><td>raft.server.log.appender.retry.policy</td><td>1 ms, 1 s, 5 s</td>
 *       <td>1 ms, 100 ms, 1 s</td><td>a follower that comes back is noticed within a second</td></tr>
 *   <tr><td>raft.server.log.corruption.policy</td><td>EXCEPTION</td><td>WARN_AND_RETURN</td>
 *       <td>a torn tail is cut off instead of failing the start</td></tr>
 *   <tr><td>raft.server.log.appender.install.snapshot.enabled</td><td>true</td><td>false</td>
 *       <td>checkpoints travel through our own service; equal on all nodes</td></tr>
 *   <tr><td>raft.server.snapshot.auto.trigger.enabled, .trigger-when-stop.enabled,
 *       .trigger-when-remove.enabled</td><td>false, true, true</td><td>false</td>
 *       <td>a flush of the engine is the only reason for a snapshot</td></tr>
 *   <tr><td>raft.server.log.purge.upto.snapshot.index</td><td>false</td><td>true</td>
 *       <td>a dead follower must not keep the log from shrinking</td></tr>
 *   <tr><td>raft.server.log.purge.preservation.log.num</td><td>0</td>
 *       <td>preservedEntries (128)</td><td>a short absence needs no checkpoint; with the largest entries
 *       128 of them take 384 MiB of disk</td></tr>
 *   <tr><td>raft.server.log.purge.gap</td><td>1024</td><td>64</td><td>entries are big</td></tr>
 *   <tr><td>raft.server.read.option, .leader.lease.enabled, .leader.lease.timeout.ratio,
 *       .leader.heartbeat-check.enabled</td><td>DEFAULT, false, 0.9, true</td>
 *       <td>LINEARIZABLE, true, leaseRatio (0.8), true</td><td>the library's own reads are not used;
 *       should they ever be, they must not be stale</td></tr>
 *   <tr><td>raft.server.read.timeout</td><td>10s</td><td>readTimeout (5 s)</td><td></td></tr>
 *   <tr><td>raft.server.rpc.timeout.min, .max</td><td>150ms, 300ms</td>
 *       <td>electionTimeoutMin, electionTimeoutMax (1 s, 2 s)</td>
 *       <td>heartbeat load, pauses of the JVM</td></tr>
 *   <tr><td>raft.server.rpc.request.timeout</td><td>3s</td><td>5 s</td><td>slow syncs</td></tr>
 *   <tr><td>raft.server.rpc.slowness.timeout, raft.server.notification.no-leader.timeout</td>
 *       <td>60s</td><td>30 s</td><td>earlier alerts</td></tr>
 *   <tr><td>raft.server.leaderelection.pre-vote</td><td>true</td><td>true</td>
 *       <td>the read lease relies on it</td></tr>
 *   <tr><td>raft.server.leaderelection.leader.step-down.wait-time</td><td>10s</td><td>5 s</td>
 *       <td>also how long an ex-leader may not become a candidate</td></tr>
 *   <tr><td>raft.server.close.threshold</td><td>60s</td><td>300 s</td>
 *       <td>the library closes itself after a longer pause of the JVM</td></tr>
 *   <tr><td>raft.server.retrycache.expirytime</td><td>60s</td><td>10 s</td>
 *       <td>heap; exactly-once is the session table's job</td></tr>
 *   <tr><td>raft.server.watch.element-limit</td><td>65536</td><td>4096</td><td>unused</td></tr>
 *   <tr><td>raft.server.threadpool.proxy.cached, .size</td><td>true, 0</td><td>false, 4</td>
 *       <td>bounds how many groups start at once</td></tr>
 *   <tr><td>raft.grpc.server.worker-group.size, raft.grpc.client.worker-group.size</td><td>0</td>
 *       <td>0</td><td>event loops shared by all; own ones make each stop wait 2 s</td></tr>
 *   <tr><td>raft.grpc.server.leader.outstanding.appends.max</td><td>8</td><td>8</td><td></td></tr>
 *   <tr><td>raft.grpc.flow.control.window</td><td>1MB</td><td>4 MiB</td>
 *       <td>all groups share a connection; must hold an entry</td></tr>
 *   <tr><td>raft.grpc.server.heartbeat.channel</td><td>true</td><td>true</td>
 *       <td>heartbeats do not queue behind entries</td></tr>
 * </table>
 *
 * @param electionTimeoutMin shortest time without a leader's request before a follower stands for
 *     election; at least 500 ms. Heartbeats come at half of it
 * @param electionTimeoutMax longest such time; at least 1.5 times the shortest
 * @param leaseRatio length of the read lease as a part of {@code electionTimeoutMin}; 0.1 to 0.9
 * @param readTimeout how long a read waits for a majority
 * @param entryBytes size limit of a log entry; 256 KiB to 16 MiB
 * @param segmentBytes size of a log file; at least twice {@code entryBytes}
 * @param preservedEntries entries kept although they are flushed; at least 0
 */
public record RaftSettings(
    Duration electionTimeoutMin,
    Duration electionTimeoutMax,
    double leaseRatio,
    Duration readTimeout,
    int entryBytes,
    int segmentBytes,
    long preservedEntries) {
  private static final int KIB = 1024;
  private static final int MIB = 1024 * KIB;

  /** Frame of an entry in the library's write buffer. */
  private static final int ENTRY_FRAME_BYTES = 8;

  /** Zeros written ahead of the entries, in one go. */
  private static final int PREALLOCATED_BYTES = 128 * KIB;

  /** What a message may carry besides its entries. */
  private static final int MESSAGE_EXTRA_BYTES = 2 * MIB;

  /** Checks the ranges; the message lists every violation. */
  public RaftSettings {
    List<String> wrong = new ArrayList<>();
    if (electionTimeoutMin.toMillis() < 500) {
      wrong.add("electionTimeoutMin must be at least 500 ms, is " + electionTimeoutMin);
    }
    if (electionTimeoutMax.toMillis() * 2 < electionTimeoutMin.toMillis() * 3) {
      wrong.add(
          "electionTimeoutMax must be at least 1.5 times electionTimeoutMin, is "
              + electionTimeoutMax);
    }
    if (!(leaseRatio >= 0.1 && leaseRatio <= 0.9)) {
      wrong.add("leaseRatio must be between 0.1 and 0.9, is " + leaseRatio);
    }
    if (readTimeout.isNegative() || readTimeout.isZero()) {
      wrong.add("readTimeout must be positive, is " + readTimeout);
    }
    if (entryBytes < 256 * KIB || entryBytes > 16 * MIB) {
      wrong.add("entryBytes must be between 256 KiB and 16 MiB, is " + entryBytes);
    }
    if (segmentBytes < 2L * entryBytes) {
      wrong.add("segmentBytes must be at least twice entryBytes, is " + segmentBytes);
    }
    if (preservedEntries < 0) {
      wrong.add("preservedEntries must be at least 0, is " + preservedEntries);
    }
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException("raft settings: " + String.join("; ", wrong));
    }
  }

  /** For machines with cores to spare. */
  public static RaftSettings defaults() {
    return new RaftSettings(
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        0.8,
        Duration.ofSeconds(5),
        3 * MIB,
        8 * MIB,
        128);
  }

  /** These settings with other election timeouts, e.g. 2 s and 3 s where few cores are shared. */
  public RaftSettings withElectionTimeouts(Duration min, Duration max) {
    return new RaftSettings(
        min, max, leaseRatio, readTimeout, entryBytes, segmentBytes, preservedEntries);
  }

  /** These settings with another number of entries that outlive their flush. */
  public RaftSettings withPreservedEntries(long entries) {
    return new RaftSettings(
        electionTimeoutMin,
        electionTimeoutMax,
        leaseRatio,
        readTimeout,
        entryBytes,
        segmentBytes,
        entries);
  }

  /** These settings with another size of log files. */
  public RaftSettings withSegmentBytes(int bytes) {
    return new RaftSettings(
        electionTimeoutMin,
        electionTimeoutMax,
        leaseRatio,
        readTimeout,
        entryBytes,
        bytes,
        preservedEntries);
  }

  /** The library's properties for a node. */
  RaftProperties toProperties(Path raftDirectory, Path removedDirectory, String host, int port) {
    RaftProperties properties = new RaftProperties();
    properties.set(RaftServerConfigKeys.STORAGE_DIR_KEY, raftDirectory.toString());
    properties.set(RaftServerConfigKeys.REMOVED_GROUPS_DIR_KEY, removedDirectory.toString());
    properties.set(GrpcConfigKeys.Server.HOST_KEY, host);
    properties.set(GrpcConfigKeys.Server.PORT_KEY, Integer.toString(port));
    properties.set(RaftConfigKeys.Rpc.TYPE_KEY, SilkRpcType.class.getName());
    chosen().forEach(properties::set);
    return properties;
  }

  /** Everything of the table but what depends on the node. */
  Map<String, String> chosen() {
    Map<String, String> all = new LinkedHashMap<>();
    addLog(all);
    addSnapshots(all);
    addReadsAndElections(all);
    addTransport(all);
    return all;
  }

  private void addLog(Map<String, String> to) {
    String fewEntries = Long.toString(4L * entryBytes);
    to.put(RaftServerConfigKeys.Log.SEGMENT_SIZE_MAX_KEY, Integer.toString(segmentBytes));
    to.put(RaftServerConfigKeys.Log.SEGMENT_CACHE_NUM_MAX_KEY, "1");
    to.put(RaftServerConfigKeys.Log.SEGMENT_CACHE_SIZE_MAX_KEY, Long.toString(2L * segmentBytes));
    to.put(RaftServerConfigKeys.Log.PREALLOCATED_SIZE_KEY, Integer.toString(PREALLOCATED_BYTES));
    to.put(RaftServerConfigKeys.Log.Appender.BUFFER_BYTE_LIMIT_KEY, Integer.toString(entryBytes));
    to.put(
        RaftServerConfigKeys.Log.WRITE_BUFFER_SIZE_KEY,
        Integer.toString(entryBytes + ENTRY_FRAME_BYTES));
    to.put(RaftServerConfigKeys.Log.QUEUE_BYTE_LIMIT_KEY, fewEntries);
    to.put(RaftServerConfigKeys.Log.QUEUE_ELEMENT_LIMIT_KEY, "4096");
    to.put(RaftServerConfigKeys.Write.BYTE_LIMIT_KEY, fewEntries);
    to.put(RaftServerConfigKeys.Write.ELEMENT_LIMIT_KEY, "1024");
    to.put(RaftServerConfigKeys.Log.FORCE_SYNC_NUM_KEY, "128");
    to.put(RaftServerConfigKeys.Log.UNSAFE_FLUSH_ENABLED_KEY, "false");
    to.put(RaftServerConfigKeys.Log.ASYNC_FLUSH_ENABLED_KEY, "false");
    to.put(RaftServerConfigKeys.Log.LOG_METADATA_ENABLED_KEY, "false");
    to.put(RaftServerConfigKeys.Log.APPEND_ENTRIES_COMPOSE_ENABLED_KEY, "false");
    to.put(RaftServerConfigKeys.Log.READ_LOCK_ENABLED_KEY, "true");
    to.put(RaftServerConfigKeys.Log.Appender.WAIT_TIME_MIN_KEY, "0ms");
    to.put(RaftServerConfigKeys.Log.Appender.RETRY_POLICY_KEY, "1ms,10, 100ms,100, 1s,1000000");
    to.put(
        RaftServerConfigKeys.Log.CORRUPTION_POLICY_KEY,
        RaftServerConfigKeys.Log.CorruptionPolicy.WARN_AND_RETURN.name());
  }

  private void addSnapshots(Map<String, String> to) {
    to.put(RaftServerConfigKeys.Log.Appender.INSTALL_SNAPSHOT_ENABLED_KEY, "false");
    to.put(RaftServerConfigKeys.Snapshot.AUTO_TRIGGER_ENABLED_KEY, "false");
    to.put(RaftServerConfigKeys.Snapshot.TRIGGER_WHEN_STOP_ENABLED_KEY, "false");
    to.put(RaftServerConfigKeys.Snapshot.TRIGGER_WHEN_REMOVE_ENABLED_KEY, "false");
    to.put(RaftServerConfigKeys.Log.PURGE_UPTO_SNAPSHOT_INDEX_KEY, "true");
    to.put(
        RaftServerConfigKeys.Log.PURGE_PRESERVATION_LOG_NUM_KEY, Long.toString(preservedEntries));
    to.put(RaftServerConfigKeys.Log.PURGE_GAP_KEY, "64");
  }

  private void addReadsAndElections(Map<String, String> to) {
    to.put(
        RaftServerConfigKeys.Read.OPTION_KEY, RaftServerConfigKeys.Read.Option.LINEARIZABLE.name());
    to.put(RaftServerConfigKeys.Read.LEADER_LEASE_ENABLED_KEY, "true");
    to.put(RaftServerConfigKeys.Read.LEADER_LEASE_TIMEOUT_RATIO_KEY, Double.toString(leaseRatio));
    to.put(RaftServerConfigKeys.Read.LEADER_HEARTBEAT_CHECK_ENABLED_KEY, "true");
    to.put(RaftServerConfigKeys.Read.TIMEOUT_KEY, millis(readTimeout));
    to.put(RaftServerConfigKeys.Rpc.TIMEOUT_MIN_KEY, millis(electionTimeoutMin));
    to.put(RaftServerConfigKeys.Rpc.TIMEOUT_MAX_KEY, millis(electionTimeoutMax));
    to.put(RaftServerConfigKeys.Rpc.REQUEST_TIMEOUT_KEY, "5000ms");
    to.put(RaftServerConfigKeys.Rpc.SLOWNESS_TIMEOUT_KEY, "30000ms");
    to.put(RaftServerConfigKeys.Notification.NO_LEADER_TIMEOUT_KEY, "30000ms");
    to.put(RaftServerConfigKeys.LeaderElection.PRE_VOTE_KEY, "true");
    to.put(RaftServerConfigKeys.LeaderElection.LEADER_STEP_DOWN_WAIT_TIME_KEY, "5000ms");
    to.put(RaftServerConfigKeys.CLOSE_THRESHOLD_KEY, "300000ms");
    to.put(RaftServerConfigKeys.RetryCache.EXPIRY_TIME_KEY, "10000ms");
    to.put(RaftServerConfigKeys.Watch.ELEMENT_LIMIT_KEY, "4096");
    to.put(RaftServerConfigKeys.ThreadPool.PROXY_CACHED_KEY, "false");
    to.put(RaftServerConfigKeys.ThreadPool.PROXY_SIZE_KEY, "4");
  }

  private void addTransport(Map<String, String> to) {
    to.put(GrpcConfigKeys.MESSAGE_SIZE_MAX_KEY, Integer.toString(entryBytes + MESSAGE_EXTRA_BYTES));
    to.put(GrpcConfigKeys.FLOW_CONTROL_WINDOW_KEY, Integer.toString(Math.max(4 * MIB, entryBytes)));
    to.put(GrpcConfigKeys.Server.WORKER_GROUP_SIZE_KEY, "0");
    to.put(GrpcConfigKeys.Client.WORKER_GROUP_SIZE_KEY, "0");
    to.put(GrpcConfigKeys.Server.LEADER_OUTSTANDING_APPENDS_MAX_KEY, "8");
    to.put(GrpcConfigKeys.Server.HEARTBEAT_CHANNEL_KEY, "true");
  }

  private static String millis(Duration duration) {
    return duration.toMillis() + "ms";
  }
}
