package io.silkkv.node.rpc;

import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.silkkv.router.Limits;
import io.silkkv.v1.KvGrpc;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The node's gRPC server. Calls of {@code silkkv.v1.Kv} run on the event loop that reads them,
 * because they never wait; all other services may, and run on a few threads of their own.
 */
public final class GrpcEndpoint implements AutoCloseable {
  /** Streams of one connection: a client that packs its calls needs one. */
  private static final int CALLS_PER_CONNECTION = 4096;

  private static final int OTHER_THREADS = 4;
  private static final int OTHER_QUEUE = 1024;

  private final Server server;
  private final ThreadPoolExecutor otherCalls;

  private GrpcEndpoint(Server server, ThreadPoolExecutor otherCalls) {
    this.server = server;
    this.otherCalls = otherCalls;
  }

  /**
   * Listens, and serves from now on.
   *
   * @throws IOException when the address is in use or not this machine's; it names the address
   */
  public static GrpcEndpoint start(
      InetSocketAddress address, GrpcThreads threads, List<BindableService> services)
      throws IOException {
    ThreadPoolExecutor otherCalls = otherCalls();
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(address)
            .bossEventLoopGroup(threads.loops())
            .workerEventLoopGroup(threads.loops())
            .channelType(threads.serverChannelType())
            // Not gRPC's own direct executor: with that one the choice below is ignored.
            .executor(Runnable::run)
            .callExecutor(new ByService(otherCalls))
            .maxInboundMessageSize(Limits.MESSAGE_BYTES)
            .maxConcurrentCallsPerConnection(CALLS_PER_CONNECTION)
            .permitKeepAliveTime(5, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true);
    services.forEach(builder::addService);
    try {
      return new GrpcEndpoint(builder.build().start(), otherCalls);
    } catch (IOException e) {
      otherCalls.shutdown();
      throw e;
    }
  }

  /** The port that it listens on. */
  public int port() {
    return server.getPort();
  }

  /**
   * Stops listening and ends all connections; what is being answered gets half a second. Clients'
   * streams last as long as the client, so they are not waited for longer.
   */
  @Override
  public void close() {
    server.shutdown();
    try {
      if (!server.awaitTermination(500, TimeUnit.MILLISECONDS)) {
        server.shutdownNow();
        server.awaitTermination(2, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
    otherCalls.shutdownNow();
  }

  private static ThreadPoolExecutor otherCalls() {
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            OTHER_THREADS,
            OTHER_THREADS,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(OTHER_QUEUE),
            task -> {
              Thread thread = new Thread(task, "silkkv-admin-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  /** Keeps Kv where it arrives and moves everything else away. */
  private record ByService(Executor otherCalls) implements ServerCallExecutorSupplier {
    @Override
    public <ReqT, RespT> @Nullable Executor getExecutor(
        ServerCall<ReqT, RespT> call, Metadata metadata) {
      String service = call.getMethodDescriptor().getServiceName();
      return KvGrpc.SERVICE_NAME.equals(service) ? null : otherCalls;
    }
  }
}
