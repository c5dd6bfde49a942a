package io.silkkv.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.silkkv.v1.KvGrpc;
import io.silkkv.v1.StreamCall;
import io.silkkv.v1.StreamReply;
import io.silkkv.v1.StreamRequest;
import io.silkkv.v1.StreamResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A client's end of a Kv stream. */
final class TestStream implements ClientResponseObserver<StreamRequest, StreamResponse> {
  private static final StreamResponse END = StreamResponse.getDefaultInstance();

  private final BlockingQueue<StreamResponse> received = new LinkedBlockingQueue<>();
  private ClientCallStreamObserver<StreamRequest> out;
  private volatile @Nullable Throwable failure;

  TestStream(KvGrpc.KvStub stub) {
    stub.stream(this);
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<StreamRequest> requests) {
    out = requests;
  }

  void send(List<StreamCall> calls) {
    out.onNext(StreamRequest.newBuilder().addAllCalls(calls).build());
  }

  void send(StreamCall... calls) {
    send(List.of(calls));
  }

  void halfClose() {
    out.onCompleted();
  }

  void cancel() {
    out.cancel("the test is done with it", null);
  }

  /** The next message of the node. */
  List<StreamReply> next() throws InterruptedException {
    StreamResponse message = received.poll(TestCluster.TIMEOUT_SECONDS, TimeUnit.SECONDS);
    assertThat(message).as("a message before the time-out; failure: %s", failure).isNotNull();
    return message.getRepliesList();
  }

  /** The replies of the next messages, until there are {@code count}. */
  List<StreamReply> next(int count) throws InterruptedException {
    List<StreamReply> replies = new ArrayList<>();
    while (replies.size() < count) {
      replies.addAll(next());
    }
    assertThat(replies).hasSize(count);
    return replies;
  }

  StreamReply call(StreamCall call) throws InterruptedException {
    send(call);
    return next(1).get(0);
  }

  void awaitEnd() throws InterruptedException {
    assertThat(next()).isEmpty();
    assertThat(failure).isNull();
  }

  @Override
  public void onNext(StreamResponse response) {
    received.add(response);
  }

  @Override
  public void onError(Throwable t) {
    failure = t;
    received.add(END);
  }

  @Override
  public void onCompleted() {
    received.add(END);
  }
}
