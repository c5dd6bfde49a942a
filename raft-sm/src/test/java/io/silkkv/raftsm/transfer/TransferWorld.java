package io.silkkv.raftsm.transfer;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import io.silkkv.engine.io.WritableFile;
import io.silkkv.engine.testkit.MemFileSystem;
import io.silkkv.raftsm.transport.ReplicationMeter;
import io.silkkv.v1.FileChunk;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A node with shard 7 that gives out checkpoints over gRPC on loopback, and a hand on the wire that
 * can change, swallow or break what it sends.
 */
final class TransferWorld implements AutoCloseable {
  static final long SHARD = 7;
  static final LogPosition APPLIED = new LogPosition(3, 100, 900);
  static final TransferOptions OPTIONS =
      new TransferOptions(
          4 * 1024,
          2,
          Duration.ofSeconds(60),
          Duration.ofMillis(400),
          4,
          Duration.ofMillis(5),
          Duration.ofMillis(20));

  private final MemFileSystem sourceFiles = new MemFileSystem();
  private final Path shards = Path.of("/source/shards");
  private final Map<String, byte[]> contents = new TreeMap<>();
  private final ExecutorService readers = Executors.newFixedThreadPool(2);
  private final ExecutorService fetchers = Executors.newFixedThreadPool(2);
  private final ReplicationMeter meter = new ReplicationMeter();
  private final AtomicLong clock = new AtomicLong();
  private final CheckpointService service;
  private final Server server;
  private final ManagedChannel channel;

  /** What the wire does to a chunk: another chunk, or null to swallow it and all after it. */
  private volatile UnaryOperator<@Nullable FileChunk> wire = chunk -> chunk;

  TransferWorld(RandomGenerator random) throws IOException {
    Path engine = shards.resolve("7/engine");
    sourceFiles.createDirectories(engine);
    int[] sizes = {0, 1, 4_096, 4_097, 50_000, 123_456};
    for (int i = 0; i < sizes.length; i++) {
      byte[] bytes = new byte[sizes[i]];
      random.nextBytes(bytes);
      put(sourceFiles, engine.resolve("00000" + i + ".sst"), bytes);
      contents.put("00000" + i + ".sst", bytes);
    }
    FileEngine shard = new FileEngine(sourceFiles, engine, APPLIED, new LogPosition(2, 60, 500));
    service =
        new CheckpointService(
            new CheckpointService.Environment(
                sourceFiles, shards, OPTIONS, readers, meter, clock::get),
            id -> id == SHARD ? new CheckpointSource(shard, shard::flush) : null);
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(ServerInterceptors.intercept(service, new Wire()))
            .build()
            .start();
    channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort()).usePlaintext().build();
  }

  /** Stands between the service and the network. */
  private final class Wire implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      return next.startCall(
          new SimpleForwardingServerCall<>(call) {
            private boolean silent;

            @Override
            @SuppressWarnings("unchecked")
            public void sendMessage(R message) {
              R sent = message;
              if (message instanceof FileChunk chunk) {
                FileChunk changed = silent ? null : wire.apply(chunk);
                silent = changed == null;
                sent = (R) changed;
              }
              if (sent != null) {
                super.sendMessage(sent);
              }
            }

            @Override
            public void close(io.grpc.Status status, Metadata trailers) {
              if (!silent) {
                super.close(status, trailers);
              }
            }
          },
          headers);
    }
  }

  void wire(UnaryOperator<@Nullable FileChunk> behaviour) {
    wire = behaviour;
  }

  CheckpointService service() {
    return service;
  }

  MemFileSystem sourceFiles() {
    return sourceFiles;
  }

  ManagedChannel channel() {
    return channel;
  }

  ReplicationMeter meter() {
    return meter;
  }

  AtomicLong clock() {
    return clock;
  }

  Map<String, byte[]> contents() {
    return contents;
  }

  Path checkpoints() {
    return shards.resolve("7/checkpoints");
  }

  CompletableFuture<LogPosition> fetch(FileSystem target, Path incoming, long minIndex) {
    return new CheckpointFetcher(target, peer -> channel, OPTIONS, fetchers, meter)
        .fetch(SHARD, "n1", minIndex, incoming);
  }

  /** Names and bytes of a directory. */
  static Map<String, byte[]> read(FileSystem files, Path directory) throws IOException {
    Map<String, byte[]> all = new TreeMap<>();
    for (String name : files.list(directory)) {
      try (ReadableFile file = files.open(directory.resolve(name))) {
        byte[] bytes = new byte[(int) file.size()];
        file.read(0, ByteBuffer.wrap(bytes), IoClass.TRANSFER);
        all.put(name, bytes);
      }
    }
    return all;
  }

  static void put(FileSystem files, Path path, byte[] bytes) throws IOException {
    try (WritableFile file = files.create(path, IoClass.FLUSH)) {
      file.write(ByteBuffer.wrap(bytes));
      file.sync();
    }
    files.syncDirectory(path.getParent());
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.shutdownNow();
    readers.shutdownNow();
    fetchers.shutdownNow();
  }
}
