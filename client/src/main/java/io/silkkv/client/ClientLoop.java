package io.silkkv.client;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoop;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.silkkv.router.Limits;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The client's one thread: it reads and writes the sockets, packs calls, routes, repeats and (by
 * default) completes futures. All of the client's state that is not the application's is confined
 * to it, so there are no locks, and a call crosses threads once in each direction. While the thread
 * is busy with replies, new calls queue up and then travel in one message.
 */
final class ClientLoop implements Executor {
  private static final int CONNECT_TIMEOUT_MILLIS = 1000;

  /** A page of a scan or a batch get may exceed its soft limit by one value. */
  private static final int MAX_INBOUND_BYTES = 4 * Limits.MESSAGE_BYTES;

  private final EventLoopGroup group;
  private final EventLoop loop;

  ClientLoop() {
    group =
        new MultiThreadIoEventLoopGroup(
            1,
            task -> {
              Thread thread = new Thread(task, "silkkv-client");
              thread.setDaemon(true);
              return thread;
            },
            NioIoHandler.newFactory());
    loop = group.next();
  }

  /** Runs a task soon; also from the thread itself, then after the present task. */
  @Override
  public void execute(Runnable task) {
    loop.execute(task);
  }

  void schedule(Runnable task, long delayNanos) {
    var unused = loop.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
  }

  /** Whether the calling thread is the loop's, which must never wait for a call. */
  boolean inLoop() {
    return loop.inEventLoop();
  }

  /**
   * A channel to one node. Its callbacks run on this loop. It connects when it is first used, and
   * fails calls at once while the node is unreachable: repeating them elsewhere is our business.
   */
  ManagedChannel channel(Endpoint endpoint) {
    return NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port())
        .usePlaintext()
        .eventLoopGroup(group)
        .channelType(NioSocketChannel.class)
        .executor(this)
        .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS)
        .maxInboundMessageSize(MAX_INBOUND_BYTES)
        .proxyDetector(address -> null)
        .disableRetry()
        .disableServiceConfigLookUp()
        .build();
  }

  /** Ends the thread after what it has queued; waits up to two seconds unless called by it. */
  void shutdown() throws InterruptedException {
    var ended = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    if (!inLoop()) {
      ended.await(2, TimeUnit.SECONDS);
    }
  }
}
