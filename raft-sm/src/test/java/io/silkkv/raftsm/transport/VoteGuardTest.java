package io.silkkv.raftsm.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.GroupListRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.grpc.AdminProtocolServiceGrpc;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.Server;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.thirdparty.io.grpc.stub.StreamObserver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The guard in a real gRPC server with a service that would vote for anybody. */
@Timeout(30)
class VoteGuardTest {
  private static final Duration PROMISE = Duration.ofSeconds(1);

  private final AtomicLong clock = new AtomicLong();
  private Server server;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws Exception {
    VoteGuard guard = new VoteGuard(PROMISE, clock::get);
    server =
        NettyServerBuilder.forPort(0)
            .addService(
                new RaftServerProtocolServiceGrpc.RaftServerProtocolServiceImplBase() {
                  @Override
                  public void requestVote(
                      RequestVoteRequestProto request,
                      StreamObserver<RequestVoteReplyProto> observer) {
                    observer.onNext(
                        RequestVoteReplyProto.newBuilder()
                            .setTerm(request.getCandidateTerm())
                            .build());
                    observer.onCompleted();
                  }

                  @Override
                  public StreamObserver<AppendEntriesRequestProto> appendEntries(
                      StreamObserver<AppendEntriesReplyProto> replies) {
                    return new StreamObserver<>() {
                      @Override
                      public void onNext(AppendEntriesRequestProto request) {
                        replies.onNext(AppendEntriesReplyProto.getDefaultInstance());
                      }

                      @Override
                      public void onError(Throwable t) {}

                      @Override
                      public void onCompleted() {
                        replies.onCompleted();
                      }
                    };
                  }
                })
            .addService(new AdminProtocolServiceGrpc.AdminProtocolServiceImplBase() {})
            .intercept(guard)
            .build()
            .start();
    channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort()).usePlaintext().build();
    clock.addAndGet(PROMISE.toNanos());
  }

  @AfterEach
  void stop() throws Exception {
    channel.shutdownNow();
    server.shutdownNow();
    server.awaitTermination(5, TimeUnit.SECONDS);
  }

  /** The service answers each request, so it has been heard when this returns. */
  private void append(String leader) throws Exception {
    CountDownLatch answered = new CountDownLatch(1);
    StreamObserver<AppendEntriesRequestProto> requests =
        RaftServerProtocolServiceGrpc.newStub(channel)
            .appendEntries(
                new StreamObserver<AppendEntriesReplyProto>() {
                  @Override
                  public void onNext(AppendEntriesReplyProto reply) {
                    answered.countDown();
                  }

                  @Override
                  public void onError(Throwable t) {}

                  @Override
                  public void onCompleted() {}
                });
    requests.onNext(
        AppendEntriesRequestProto.newBuilder().setServerRequest(request(leader)).build());
    assertThat(answered.await(10, TimeUnit.SECONDS)).isTrue();
    requests.onCompleted();
  }

  private static RaftRpcRequestProto.Builder request(String from) {
    return RaftRpcRequestProto.newBuilder()
        .setRequestorId(ByteString.copyFromUtf8(from))
        .setRaftGroupId(
            RaftGroupIdProto.newBuilder()
                .setId(RaftGroupId.valueOf(new UUID(1, 2)).toByteString()));
  }

  private RequestVoteReplyProto vote(String candidate, boolean preVote) {
    return RaftServerProtocolServiceGrpc.newBlockingStub(channel)
        .requestVote(
            RequestVoteRequestProto.newBuilder()
                .setCandidateTerm(9)
                .setPreVote(preVote)
                .setServerRequest(request(candidate))
                .build());
  }

  @Test
  void voterWithoutALeaderVotes() {
    assertThat(vote("c", false).getTerm()).isEqualTo(9);
  }

  @Test
  void voterThatHeardFromItsLeaderVotesForNobodyElse() throws Exception {
    append("l");
    clock.addAndGet(PROMISE.toNanos() - 1);
    assertThatThrownBy(() -> vote("c", false))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("heard from leader l 999 ms ago");
    assertThat(vote("l", false).getTerm()).isEqualTo(9);
    // The library looks after the trial round itself.
    assertThat(vote("c", true).getTerm()).isEqualTo(9);
    clock.addAndGet(1);
    assertThat(vote("c", false).getTerm()).isEqualTo(9);
  }

  @Test
  void aTrialVoteDoesNotMakeTheVoterDeafToTheRealOne() throws Exception {
    append("l");
    clock.addAndGet(PROMISE.toNanos());
    for (int i = 0; i < 3; i++) {
      assertThat(vote("c", true).getTerm()).isEqualTo(9);
      assertThat(vote("c", false).getTerm()).isEqualTo(9);
    }
  }

  @Test
  void voterThatJustStartedVotesForNobody() {
    clock.addAndGet(-1);
    assertThatThrownBy(() -> vote("c", false)).hasMessageContaining("has just started");
    assertThatThrownBy(() -> vote("c", true)).hasMessageContaining("has just started");
    clock.addAndGet(1);
    assertThat(vote("c", true).getTerm()).isEqualTo(9);
  }

  @Test
  void strangersCannotUseTheLibrarysAdministration() {
    assertThatThrownBy(
            () ->
                AdminProtocolServiceGrpc.newBlockingStub(channel)
                    .groupList(GroupListRequestProto.getDefaultInstance()))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED));
  }
}
