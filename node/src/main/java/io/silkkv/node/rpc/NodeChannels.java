package io.silkkv.node.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.silkkv.node.shard.ShardMapHolder;
import io.silkkv.router.Limits;
import io.silkkv.router.NodeInfo;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * This node's gRPC connections to the other nodes of the shard map, one channel each, opened when
 * first used and opened anew when a node's address changes. Used for forwarding and for fetching
 * checkpoints. Thread-safe.
 */
public final class NodeChannels implements AutoCloseable {
  private static final int CONNECT_TIMEOUT_MILLIS = 2_000;

  private static final long RECONNECT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final ShardMapHolder maps;
  private final GrpcThreads threads;
  private final LongSupplier nanoTime;

  @GuardedBy("channels")
  private final Map<String, Addressed> channels = new HashMap<>();

  @GuardedBy("channels")
  private boolean closed;

  private record Addressed(String address, ManagedChannel channel, AtomicLong lastAttempt) {}

  public NodeChannels(ShardMapHolder maps, GrpcThreads threads, LongSupplier nanoTime) {
    this.maps = maps;
    this.threads = threads;
    this.nanoTime = nanoTime;
  }

  /**
   * The channel to a node.
   *
   * @throws IllegalArgumentException when the shard map does not have the node
   * @throws IllegalStateException after {@link #close}
   */
  public ManagedChannel channel(String nodeId) {
    NodeInfo node = maps.map().node(nodeId);
    synchronized (channels) {
      if (closed) {
        throw new IllegalStateException("this node's channels are closed");
      }
      @Nullable Addressed known = channels.get(nodeId);
      if (known != null && known.address().equals(node.address())) {
        retrySoon(known);
        return known.channel();
      }
      if (known != null) {
        known.channel().shutdown();
      }
      ManagedChannel opened = open(node.address());
      channels.put(
          nodeId, new Addressed(node.address(), opened, new AtomicLong(nanoTime.getAsLong())));
      return opened;
    }
  }

  /**
   * A channel that failed waits longer and longer, up to minutes, before it connects again. Here a
   * call is waiting and the peer may just have been restarted, so it connects now, though not more
   * often than every {@link #RECONNECT_NANOS}.
   */
  private void retrySoon(Addressed known) {
    if (known.channel().getState(false) != ConnectivityState.TRANSIENT_FAILURE) {
      return;
    }
    long now = nanoTime.getAsLong();
    long last = known.lastAttempt().get();
    if (now - last >= RECONNECT_NANOS && known.lastAttempt().compareAndSet(last, now)) {
      known.channel().resetConnectBackoff();
    }
  }

  GrpcThreads threads() {
    return threads;
  }

  private ManagedChannel open(String address) {
    return NettyChannelBuilder.forTarget("dns:///" + address)
        .usePlaintext()
        .eventLoopGroup(threads.loops())
        .channelType(threads.channelType())
        .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS)
        // Replies are handled on the loop that read them; see GrpcThreads.
        .directExecutor()
        // A peer that stopped without closing its connections is noticed within these.
        .keepAliveTime(10, TimeUnit.SECONDS)
        .keepAliveTimeout(3, TimeUnit.SECONDS)
        .maxInboundMessageSize(Limits.MESSAGE_BYTES)
        .disableRetry()
        .build();
  }

  /** Ends all connections at once. */
  @Override
  public void close() {
    synchronized (channels) {
      closed = true;
      for (Addressed addressed : channels.values()) {
        addressed.channel().shutdownNow();
      }
      channels.clear();
    }
  }
}
