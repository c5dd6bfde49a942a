package io.silkkv.node.rpc;

import io.grpc.Context;
import io.grpc.Deadline;
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
import java.util.function.LongSupplier;

/** {@code silkkv.v1.Kv}: brings every kind of call into the shape of the request path. */
final class KvService extends KvGrpc.KvImplBase {
  private final RequestPath path;
  private final CallClock clock;
  private final RequestPathOptions options;
  private final GrpcThreads threads;
  private final CallCounters counters;

  KvService(
      RequestPath path,
      CallClock clock,
      RequestPathOptions options,
      GrpcThreads threads,
      CallCounters counters) {
    this.counters = counters;
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
    Deadline deadline = Context.current().getDeadline();
    // A long scan without a deadline is fine as long as each page comes in time.
    LongSupplier pageDeadline =
        deadline == null ? () -> clock.deadlineAfter(0) : constant(clock.deadlineOf(deadline));
    new ScanStream(path, pageDeadline, request, (ServerCallStreamObserver<ScanPage>) out, counters)
        .start();
  }

  @Override
  public StreamObserver<StreamRequest> stream(StreamObserver<StreamResponse> out) {
    return new StreamSession(
            path,
            clock,
            options,
            (ServerCallStreamObserver<StreamResponse>) out,
            threads.current(),
            counters)
        .start();
  }

  private <R> void unary(
      StreamCall call, StreamObserver<R> out, Function<StreamReply.Builder, R> response) {
    // With a handler, what is sent to a client that went away is dropped instead of thrown.
    ((ServerCallStreamObserver<R>) out).setOnCancelHandler(() -> {});
    Deadline deadline = Context.current().getDeadline();
    long deadlineNanos = deadline == null ? clock.deadlineAfter(0) : clock.deadlineOf(deadline);
    path.handle(new UnaryCall<>(call, deadlineNanos, out, response, threads.current(), counters));
  }

  private static LongSupplier constant(long value) {
    return () -> value;
  }
}
