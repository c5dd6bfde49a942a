package io.silkkv.raftsm.transport;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;

/** Creates log appenders that report to the node's {@link RaftTransport}. */
final class SilkGrpcFactory extends GrpcFactory {
  private final RaftTransport transport;

  SilkGrpcFactory(Parameters parameters) {
    super(parameters);
    this.transport = RaftTransport.in(parameters);
  }

  @Override
  public LogAppender newLogAppender(
      RaftServer.Division server, LeaderState state, FollowerInfo follower) {
    return SilkLogAppender.create(transport, server, state, follower);
  }
}
