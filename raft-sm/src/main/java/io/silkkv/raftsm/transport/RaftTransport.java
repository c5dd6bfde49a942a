package io.silkkv.raftsm.transport;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;

/**
 * One node's additions to the Raft transport. Created before the Raft server, which finds it in its
 * {@link #parameters()}; {@link #attach} closes the circle. Thread-safe.
 */
public final class RaftTransport {
  private static final String PARAMETER = "silkkv.raft.transport";

  private final Duration electionTimeout;
  private final Duration lease;
  private final Duration confirmTimeout;
  private final LongSupplier nanoTime;
  private final ReplicationMeter meter = new ReplicationMeter();
  private final ConcurrentMap<RaftGroupId, ReadGate> gates = new ConcurrentHashMap<>();
  private volatile @Nullable RaftServer server;

  /**
   * @param electionTimeout the shortest election timeout ({@code raft.server.rpc.timeout.min})
   * @param leaseRatio lease length as a part of it, above 0 and below 1; the rest covers clocks
   *     that run at different speeds
   * @param confirmTimeout how long a read waits for a majority
   * @param nanoTime a clock that never goes back
   */
  public RaftTransport(
      Duration electionTimeout, double leaseRatio, Duration confirmTimeout, LongSupplier nanoTime) {
    if (!(leaseRatio > 0 && leaseRatio < 1)) {
      throw new IllegalArgumentException("lease ratio must be between 0 and 1, is " + leaseRatio);
    }
    this.electionTimeout = electionTimeout;
    this.lease = Duration.ofNanos((long) (electionTimeout.toNanos() * leaseRatio));
    this.confirmTimeout = confirmTimeout;
    this.nanoTime = nanoTime;
  }

  /** The parameters to build the Raft server with. */
  public Parameters parameters() {
    Parameters parameters = new Parameters();
    parameters.put(PARAMETER, this, RaftTransport.class);
    VoteGuard guard = new VoteGuard(electionTimeout, nanoTime);
    GrpcConfigKeys.Server.setServicesCustomizer(
        parameters,
        (builder, types) ->
            builder.addStreamTracerFactory(MeteringTracer.factory(meter)).intercept(guard));
    return parameters;
  }

  static RaftTransport in(Parameters parameters) {
    return parameters.getNonNull(PARAMETER, RaftTransport.class);
  }

  /** Tells which server the parameters were used for. */
  public void attach(RaftServer raftServer) {
    server = raftServer;
  }

  /** The gate of a group; created when it is asked for the first time. */
  public ReadGate gate(RaftGroupId group) {
    return gates.computeIfAbsent(
        group,
        id -> new ReadGate(new DivisionView(() -> division(id)), lease, confirmTimeout, nanoTime));
  }

  /** Forgets a group that is no longer here. */
  public void forget(RaftGroupId group) {
    gates.remove(group);
  }

  /** Lets all gates give up calls that have waited too long. Call every 100 ms or so. */
  public void tick() {
    gates.values().forEach(ReadGate::tick);
  }

  /** Bytes moved by replication. */
  public ReplicationMeter meter() {
    return meter;
  }

  LongSupplier nanoTime() {
    return nanoTime;
  }

  private RaftServer.@Nullable Division division(RaftGroupId group) {
    RaftServer s = server;
    if (s == null) {
      return null;
    }
    try {
      return s.getDivision(group);
    } catch (IOException e) {
      // The library's word for "no such group here".
      return null;
    }
  }
}
