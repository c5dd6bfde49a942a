package io.silkkv.node.rpc;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.IoFigures;
import io.silkkv.engine.io.IoClass;
import io.silkkv.node.shard.FakeReplicas;
import io.silkkv.node.shard.FakeShard;
import io.silkkv.node.shard.ShardMapHolder;
import io.silkkv.router.Limits;
import io.silkkv.router.NodeInfo;
import io.silkkv.router.Shard;
import io.silkkv.router.ShardMap;
import io.silkkv.v1.AdminGrpc;
import io.silkkv.v1.KvGrpc;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * Nodes n1, n2, ... on loopback with real gRPC between them and fake shards behind them. Shard 1 is
 * the meta shard, shards 2 and 3 meet at the key "m". Leaders: shard 2 on n1, shard 3 on the last
 * node.
 */
final class TestCluster implements AutoCloseable {
  static final long TIMEOUT_SECONDS = 20;

  /** What each node's I/O scheduler says. */
  static final IoFigures IO =
      new IoFigures(
          "silk:budget=100",
          100,
          60,
          10,
          40,
          15,
          20,
          true,
          3,
          0.5,
          List.of(new IoFigures.Requests(IoClass.DEEP, 9, 900, 8, 7_000, 1)));

  final Map<Long, FakeShard> shards = new LinkedHashMap<>();
  final List<Node> nodes = new ArrayList<>();
  final GrpcThreads clientThreads = new GrpcThreads(1);
  final ShardMap map;

  static TestCluster of(int nodes) throws IOException {
    return new TestCluster(nodes, options -> options);
  }

  static RequestPathOptions options() {
    return RequestPathOptions.of(Limits.DEFAULT, 2, 16);
  }

  TestCluster(int count, UnaryOperator<RequestPathOptions> change) throws IOException {
    // Known before any node starts: one that reads its map again at once finds the others.
    List<Integer> ports = freePorts(count);
    List<NodeInfo> members = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      members.add(new NodeInfo("n" + i, "127.0.0.1:" + ports.get(i - 1), "", ""));
    }
    UUID clusterId = new UUID(11, 22);
    ShardMap first = ShardMap.initial(clusterId, members, List.of(ByteString.copyFromUtf8("m")));
    map = new ShardMap(2, clusterId, first.meta(), first.shards(), members);
    for (long shardId = 1; shardId <= 3; shardId++) {
      FakeShard shard = new FakeShard(shardId);
      shard.leader = shardId == 3 ? "n" + count : "n1";
      shards.put(shardId, shard);
    }
    RequestPathOptions options = change.apply(options());
    for (int i = 0; i < count; i++) {
      nodes.add(new Node(members.get(i).nodeId(), ports.get(i), first, options));
    }
    for (Node node : nodes) {
      node.maps.update(map);
    }
  }

  private static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    try {
      List<Integer> ports = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        held.add(socket);
        ports.add(socket.getLocalPort());
      }
      return ports;
    } finally {
      for (ServerSocket socket : held) {
        socket.close();
      }
    }
  }

  Node node(int number) {
    return nodes.get(number - 1);
  }

  FakeShard shard(long shardId) {
    return shards.get(shardId);
  }

  Shard routing(long shardId) {
    return map.byId(shardId);
  }

  @Override
  public void close() {
    // All ends of the streams between nodes first, so that no server waits for them.
    nodes.forEach(node -> node.services.close());
    nodes.forEach(Node::close);
    clientThreads.close();
  }

  /** One node and a client of it. */
  final class Node implements AutoCloseable {
    final String nodeId;
    final ShardMapHolder maps;
    final FakeReplicas replicas = new FakeReplicas();
    final GrpcThreads threads = new GrpcThreads(1);
    final NodeChannels channels;
    final NodeServices services;
    final GrpcEndpoint endpoint;
    final ManagedChannel client;
    final List<Long> corrupt = new ArrayList<>();

    /** A node that no other one knows. */
    Node(String nodeId, ShardMap known, RequestPathOptions options) throws IOException {
      this(nodeId, 0, known, options);
    }

    private Node(String nodeId, int port, ShardMap known, RequestPathOptions options)
        throws IOException {
      this.nodeId = nodeId;
      maps = new ShardMapHolder(known, false);
      shards.values().forEach(shard -> replicas.add(shard.on(nodeId)));
      channels = new NodeChannels(maps, threads, System::nanoTime);
      services =
          new NodeServices(
              new NodeServices.Identity(nodeId, "test", false, () -> IO),
              replicas,
              maps,
              channels,
              options,
              new Health(),
              System::nanoTime);
      endpoint =
          GrpcEndpoint.start(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
              threads,
              services.services());
      services.start();
      client =
          NettyChannelBuilder.forAddress("127.0.0.1", endpoint.port())
              .usePlaintext()
              .maxInboundMessageSize(Limits.MESSAGE_BYTES)
              .build();
    }

    KvGrpc.KvBlockingStub kv() {
      return KvGrpc.newBlockingStub(client).withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    AdminGrpc.AdminBlockingStub admin() {
      return AdminGrpc.newBlockingStub(client).withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    TestStream stream() {
      return new TestStream(KvGrpc.newStub(client));
    }

    @Override
    public void close() {
      client.shutdownNow();
      services.close();
      endpoint.close();
      channels.close();
      threads.close();
    }

    private final class Health implements NodeHealth {
      @Override
      public boolean ready() {
        return true;
      }

      @Override
      public String fault() {
        return "";
      }

      @Override
      public void corrupt(long shardId, CorruptionException cause) {
        corrupt.add(shardId);
      }
    }
  }
}
