package io.silkkv.raftsm.transport;

import java.util.function.LongSupplier;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.raftlog.RaftLogIOException;
import org.jspecify.annotations.Nullable;

/**
 * Ships one group's log to one follower. Adds to the inherited appender: every request is counted
 * and its age is remembered until the follower acknowledges it. It also waits when there is nothing
 * to send: after a connection broke, the inherited one asks itself without a pause, a whole
 * processor for each follower that is down.
 */
final class SilkLogAppender extends GrpcLogAppender {
  private static final long IDLE_WAIT_MILLIS = 10;

  private final ReplicationMeter meter;
  private final FollowerAcks acks;
  private final LongSupplier nanoTime;

  /** Whether the last attempt found nothing to send; used by the appender's own thread only. */
  private boolean nothingToSend;

  private SilkLogAppender(
      RaftServer.Division server,
      LeaderState state,
      FollowerInfo follower,
      FollowerAcks acks,
      RaftTransport transport) {
    super(server, state, follower);
    this.acks = acks;
    this.meter = transport.meter();
    this.nanoTime = transport.nanoTime();
  }

  /**
   * Called under the division's lock, when a leader starts, adds a peer or restarts an appender.
   */
  static SilkLogAppender create(
      RaftTransport transport,
      RaftServer.Division server,
      LeaderState state,
      FollowerInfo follower) {
    ReadGate gate = transport.gate(server.getMemberId().getGroupId());
    FollowerAcks acks =
        new FollowerAcks(follower.getId().toString(), server.getInfo().getCurrentTerm());
    LeaderState reporting = new AckReportingLeaderState(state, reply -> gate.onReply(acks, reply));
    SilkLogAppender appender = new SilkLogAppender(server, reporting, follower, acks, transport);
    resumeKnownFollower(server, follower);
    gate.register(acks, appender::triggerHeartbeat);
    return appender;
  }

  /**
   * After an appender failed, the library starts its successor as if the follower were new: from
   * index 0 and with a snapshot. A member of the configuration only needs the entries it misses,
   * and its first reply tells which. Peers that are being added are not members yet and are left
   * alone.
   */
  private static void resumeKnownFollower(RaftServer.Division server, FollowerInfo follower) {
    long logEnd = server.getRaftLog().getNextIndex();
    boolean member =
        server.getRaftConf().getCurrentPeers().stream()
            .anyMatch(peer -> peer.getId().equals(follower.getId()));
    if (member && follower.getNextIndex() == 0 && logEnd > 0) {
      LOG.info(
          "{}: {} is a known follower, resuming at {}",
          server.getMemberId(),
          follower.getName(),
          logEnd);
      follower.setAttemptedToInstallSnapshot();
      follower.setNextIndex(logEnd);
    }
  }

  @Override
  public @Nullable AppendEntriesRequestProto newAppendEntriesRequest(long callId, boolean heartbeat)
      throws RaftLogIOException {
    // Taken before the request exists: an acknowledgement may prove too little, never too much.
    long createdAt = nanoTime.getAsLong();
    AppendEntriesRequestProto request = super.newAppendEntriesRequest(callId, heartbeat);
    nothingToSend = request == null;
    if (request != null) {
      acks.sending(callId, createdAt);
      meter.appendSent(request.getSerializedSize());
    }
    return request;
  }

  /**
   * Where to go on after a follower refused a request because its log ends earlier. The inherited
   * answer never goes back behind what the follower once acknowledged, and asks the same heartbeat
   * again for ever when nothing new is written. A follower whose log lost its torn end is right all
   * the same: it gets again what it lost.
   */
  @Override
  protected long getNextIndexForInconsistency(long requestFirstIndex, long replyNextIndex) {
    boolean heartbeat = requestFirstIndex == RaftLog.INVALID_LOG_INDEX;
    return heartbeat
        ? replyNextIndex
        : super.getNextIndexForInconsistency(requestFirstIndex, replyNextIndex);
  }

  /**
   * Looks for entries once more right before the wait: an entry that came since the last attempt
   * has given its signal already, and would otherwise be sent the whole wait later.
   */
  @Override
  public long getWaitTimeMs() {
    long wait = super.getWaitTimeMs();
    return nothingToSend && !hasAppendEntries() ? Math.max(wait, IDLE_WAIT_MILLIS) : wait;
  }
}
