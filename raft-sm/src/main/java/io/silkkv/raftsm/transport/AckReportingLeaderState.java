package io.silkkv.raftsm.transport;

import java.util.List;
import java.util.function.Consumer;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.protocol.TermIndex;

/**
 * Passes everything on and shows each AppendEntries reply to a listener. The library's own record
 * (the send time of the last answered request) is not enough for reads: it also counts a reply that
 * says "you are no longer the leader".
 */
final class AckReportingLeaderState implements LeaderState {
  private final LeaderState delegate;
  private final Consumer<AppendEntriesReplyProto> replies;

  AckReportingLeaderState(LeaderState delegate, Consumer<AppendEntriesReplyProto> replies) {
    this.delegate = delegate;
    this.replies = replies;
  }

  @Override
  public void onAppendEntriesReply(LogAppender appender, AppendEntriesReplyProto reply) {
    delegate.onAppendEntriesReply(appender, reply);
    replies.accept(reply);
  }

  @Override
  public void restart(LogAppender appender) {
    delegate.restart(appender);
  }

  @Override
  public AppendEntriesRequestProto newAppendEntriesRequestProto(
      FollowerInfo follower, List<LogEntryProto> entries, TermIndex previous, long callId) {
    return delegate.newAppendEntriesRequestProto(follower, entries, previous, callId);
  }

  @Override
  public void checkHealth(FollowerInfo follower) {
    delegate.checkHealth(follower);
  }

  @Override
  public boolean onFollowerTerm(FollowerInfo follower, long followerTerm) {
    return delegate.onFollowerTerm(follower, followerTerm);
  }

  @Override
  public void onFollowerCommitIndex(FollowerInfo follower, long commitIndex) {
    delegate.onFollowerCommitIndex(follower, commitIndex);
  }

  @Override
  public void onFollowerSuccessAppendEntries(FollowerInfo follower) {
    delegate.onFollowerSuccessAppendEntries(follower);
  }

  @Override
  public boolean isFollowerBootstrapping(FollowerInfo follower) {
    return delegate.isFollowerBootstrapping(follower);
  }
}
