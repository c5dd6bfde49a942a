package io.silkkv.node.rpc;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.silkkv.v1.BatchGetRequest;
import io.silkkv.v1.BatchGetResponse;
import io.silkkv.v1.GetRequest;
import io.silkkv.v1.GetResponse;
import io.silkkv.v1.KvGrpc;
import io.silkkv.v1.ScanPage;
import io.silkkv.v1.ScanRequest;
import io.silkkv.v1.StreamCall;
import io.silkkv.v1.StreamReply;
import io.silkkv.v1.StreamRequest;
import io.silkkv.v1.StreamResponse;
import io.silkkv.v1.WriteRequest;
import io.silkkv.v1.WriteResponse;
import java.util.function.Function;

/** {@code silkkv.v1.Kv}: brings every kind of call into the shape of the request path. */
final class KvService extends KvGrpc.KvImplBase {
  private final RequestPath path;
  private final CallClock clock;
  private final RequestPathOptions options;
  private final GrpcThreads threads;

  KvService(RequestPath path, CallClock clock, RequestPathOptions options, GrpcThreads threads) {
    this.path = path;
    this.clock = clock;
    this.options = options;
    this.threads = threads;
  }

  @Override
  public void get(GetRequest request, StreamObserver<GetResponse> out) {
    unary(StreamCall.newBuilder().setGet(request).build(), out, StreamReply.Builder::getGet);
  }

  @Override
  public void batchGet(BatchGetRequest request, StreamObserver<BatchGetResponse> out) {
    unary(
        StreamCall.newBuilder().setBatchGet(request).build(),
        out,
        StreamReply.Builder::getBatchGet);
  }

  @Override
  public void write(WriteRequest request, StreamObserver<WriteResponse> out) {
    unary(StreamCall.newBuilder().setWrite(request).build(), out, StreamReply.Builder::getWrite);
  }

  @Override
  public void scan(ScanRequest request, StreamObserver<ScanPage> out) {
    new ScanStream(path, clock.deadlineOfUnary(), request, (ServerCallStreamObserver<ScanPage>) out)
        .start();
  }

  @Override
  public StreamObserver<StreamRequest> stream(StreamObserver<StreamResponse> out) {
    return new StreamSession(
            path, clock, options, (ServerCallStreamObserver<StreamResponse>) out, threads.current())
        .start();
  }

  private <R> void unary(
      StreamCall call, StreamObserver<R> out, Function<StreamReply.Builder, R> response) {
    // With a handler, what is sent to a client that went away is dropped instead of thrown.
    ((ServerCallStreamObserver<R>) out).setOnCancelHandler(() -> {});
    path.handle(new UnaryCall<>(call, clock.deadlineOfUnary(), out, response, threads.current()));
  }
}
