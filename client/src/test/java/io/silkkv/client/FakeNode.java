package io.silkkv.client;

import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.silkkv.router.Limits;
import io.silkkv.v1.AdminGrpc;
import io.silkkv.v1.GetShardMapRequest;
import io.silkkv.v1.GetShardMapResponse;
import io.silkkv.v1.KvGrpc;
import io.silkkv.v1.StreamCall;
import io.silkkv.v1.StreamReply;
import io.silkkv.v1.StreamRequest;
import io.silkkv.v1.StreamResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** One node of a {@link FakeCluster}, listening on a loopback port that it keeps over restarts. */
final class FakeNode {
  private final FakeCluster cluster;
  private final String id;
  private final int port;
  private final List<StreamObserver<StreamResponse>> streams = new CopyOnWriteArrayList<>();
  private final AtomicLong messages = new AtomicLong();
  private final AtomicLong calls = new AtomicLong();
  private final AtomicLong mapRequests = new AtomicLong();
  private volatile CountDownLatch gate = new CountDownLatch(0);
  private volatile boolean silent;
  private Server server;

  FakeNode(FakeCluster cluster, String id) {
    this.cluster = cluster;
    this.id = id;
    this.server = serve(0);
    this.port = server.getPort();
  }

  String id() {
    return id;
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  long messages() {
    return messages.get();
  }

  long calls() {
    return calls.get();
  }

  long mapRequests() {
    return mapRequests.get();
  }

  /** Answers nothing any more, like a stopped process whose connections stay. */
  void silent(boolean on) {
    silent = on;
  }

  /** Lets stream messages wait until the latch opens. */
  void gate(CountDownLatch latch) {
    gate = latch;
  }

  /** Ends all streams with an error, as a lost connection would. */
  void breakStreams() {
    List<StreamObserver<StreamResponse>> broken = List.copyOf(streams);
    streams.removeAll(broken);
    for (StreamObserver<StreamResponse> stream : broken) {
      synchronized (stream) {
        stream.onError(Status.UNAVAILABLE.withDescription("broken by the test").asException());
      }
    }
  }

  void stop() {
    try {
      server.shutdownNow().awaitTermination();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }

  void restart() {
    server = serve(port);
  }

  private Server serve(int onPort) {
    try {
      return NettyServerBuilder.forAddress(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), onPort))
          .maxInboundMessageSize(Limits.MESSAGE_BYTES)
          .addService(new KvFake())
          .addService(new AdminFake())
          .build()
          .start();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private final class AdminFake extends AdminGrpc.AdminImplBase {
    @Override
    public void getShardMap(
        GetShardMapRequest request, StreamObserver<GetShardMapResponse> observer) {
      mapRequests.incrementAndGet();
      if (!silent) {
        observer.onNext(cluster.shardMap(request.getKnownVersion()));
        observer.onCompleted();
      }
    }
  }

  private final class KvFake extends KvGrpc.KvImplBase {
    @Override
    public StreamObserver<StreamRequest> stream(StreamObserver<StreamResponse> out) {
      streams.add(out);
      return new StreamObserver<>() {
        @Override
        public void onNext(StreamRequest request) {
          messages.incrementAndGet();
          calls.addAndGet(request.getCallsCount());
          awaitGate();
          StreamResponse.Builder response = StreamResponse.newBuilder();
          for (StreamCall call : request.getCallsList()) {
            StreamReply reply = silent ? null : cluster.answer(FakeNode.this, call);
            if (reply != null) {
              response.addReplies(reply);
            }
          }
          synchronized (out) {
            if (response.getRepliesCount() > 0 && streams.contains(out)) {
              out.onNext(response.build());
            }
          }
        }

        @Override
        public void onError(Throwable cancelled) {
          streams.remove(out);
        }

        @Override
        public void onCompleted() {
          streams.remove(out);
          out.onCompleted();
        }
      };
    }
  }

  private void awaitGate() {
    try {
      gate.await();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }
}
