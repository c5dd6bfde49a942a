package io.silkkv.node.rpc;

import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.IoHandlerFactory;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.SocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.EventExecutor;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The event loops that serve clients and forward to other nodes. Calls are handled on the loop that
 * read them, and replies that another thread produced are sent by the loop that owns the
 * connection: so a call that memory answers has no hand-off at all, and all results of one log
 * entry for one client cost one. Nothing that runs here may wait. Thread-safe.
 */
public final class GrpcThreads implements AutoCloseable {
  private final EventLoopGroup loops;
  private final Map<Thread, Executor> loopOfThread = new ConcurrentHashMap<>();
  private final boolean epoll = Epoll.isAvailable();

  /**
   * @param loopThreads number of event loops; 1 or more. On two cores one is best: the other core
   *     is busy with the log
   */
  public GrpcThreads(int loopThreads) {
    AtomicInteger number = new AtomicInteger();
    IoHandlerFactory polling = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    loops =
        new MultiThreadIoEventLoopGroup(
            loopThreads,
            task -> {
              Thread thread = new Thread(task, "silkkv-grpc-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            },
            polling);
    for (EventExecutor loop : loops) {
      loop.execute(() -> loopOfThread.put(Thread.currentThread(), loop));
    }
  }

  /** Half of the processors, at least one. */
  public static GrpcThreads forThisMachine() {
    return new GrpcThreads(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
  }

  /** The loop that runs the calling thread; any of the loops for other threads. */
  Executor current() {
    return loopOfThread.getOrDefault(Thread.currentThread(), loops);
  }

  EventLoopGroup loops() {
    return loops;
  }

  Class<? extends ServerChannel> serverChannelType() {
    return epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
  }

  Class<? extends SocketChannel> channelType() {
    return epoll ? EpollSocketChannel.class : NioSocketChannel.class;
  }

  /** Ends the loops, after the servers and channels on them. Waits up to five seconds. */
  @Override
  public void close() {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
  }
}
