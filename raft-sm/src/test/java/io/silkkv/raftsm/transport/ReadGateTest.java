package io.silkkv.raftsm.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.raftsm.transport.ReadGate.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.RaftRpcReplyProto;
import org.junit.jupiter.api.Test;

class ReadGateTest {
  private static final Duration LEASE = Duration.ofMillis(800);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** A group whose state the test decides. */
  private static final class Group implements GroupView {
    private boolean leader = true;
    private boolean ready = true;
    private long term = 5;
    private List<String> peers = List.of("a", "b", "c");
    private List<String> previous = List.of();
    private Runnable afterReady = () -> {};

    @Override
    public String self() {
      return "a";
    }

    @Override
    public boolean leader() {
      return leader;
    }

    @Override
    public boolean leaderReady() {
      boolean answer = leader && ready;
      afterReady.run();
      return answer;
    }

    @Override
    public long term() {
      return term;
    }

    @Override
    public Collection<String> peers() {
      return peers;
    }

    @Override
    public Collection<String> previousPeers() {
      return previous;
    }
  }

  private final Group group = new Group();

  /** Close to the overflow on purpose: only differences of nano times mean anything. */
  private long now = Long.MAX_VALUE - Duration.ofMillis(700).toNanos();

  private final ReadGate gate = new ReadGate(group, LEASE, TIMEOUT, () -> now);
  private final Map<String, FollowerAcks> followers = new HashMap<>();
  private final AtomicInteger triggers = new AtomicInteger();
  private long callId;

  private FollowerAcks follower(String peer) {
    return followers.computeIfAbsent(
        peer + "@" + group.term,
        key -> {
          FollowerAcks acks = new FollowerAcks(peer, group.term);
          gate.register(acks, triggers::incrementAndGet);
          return acks;
        });
  }

  private void pass(long millis) {
    now += Duration.ofMillis(millis).toNanos();
  }

  private long send(String peer) {
    long id = callId++;
    follower(peer).sending(id, now);
    return id;
  }

  private void reply(String peer, long id, AppendResult result) {
    gate.onReply(
        follower(peer),
        AppendEntriesReplyProto.newBuilder()
            .setResult(result)
            .setServerReply(RaftRpcReplyProto.newBuilder().setCallId(id))
            .build());
  }

  private void roundTrip(String peer) {
    reply(peer, send(peer), AppendResult.SUCCESS);
  }

  @Test
  void leaseLastsFromTheSendingOfTheAcknowledgedRequest() {
    assertThat(gate.leaseHeld()).isFalse();
    long id = send("b");
    pass(500);
    assertThat(gate.leaseHeld()).isFalse();
    reply("b", id, AppendResult.SUCCESS);
    assertThat(gate.leaseHeld()).isTrue();
    pass(299);
    assertThat(gate.leaseHeld()).isTrue();
    pass(1);
    assertThat(gate.leaseHeld()).isFalse();
  }

  @Test
  void oldAnswersDoNotShortenTheLeaseAndUnknownOnesDoNotExtendIt() {
    long old = send("b");
    pass(400);
    roundTrip("b");
    reply("b", old, AppendResult.SUCCESS);
    pass(500);
    assertThat(gate.leaseHeld()).isTrue();
    pass(300);
    reply("b", 77_777, AppendResult.SUCCESS);
    assertThat(gate.leaseHeld()).isFalse();
  }

  @Test
  void answerThatNamesAnotherLeaderExtendsNothing() {
    reply("b", send("b"), AppendResult.NOT_LEADER);
    assertThat(gate.leaseHeld()).isFalse();
    CompletableFuture<Outcome> read = gate.confirm();
    reply("b", send("b"), AppendResult.NOT_LEADER);
    reply("c", send("c"), AppendResult.NOT_LEADER);
    assertThat(read).isNotDone();
  }

  @Test
  void followerThatMissesEntriesStillAcceptsTheLeader() {
    reply("b", send("b"), AppendResult.INCONSISTENCY);
    assertThat(gate.leaseHeld()).isTrue();
  }

  @Test
  void fiveMembersNeedTwoAcknowledgements() {
    group.peers = List.of("a", "b", "c", "d", "e");
    roundTrip("b");
    assertThat(gate.leaseHeld()).isFalse();
    pass(300);
    roundTrip("d");
    assertThat(gate.leaseHeld()).isTrue();
    // The lease counts from the older of the two.
    pass(500);
    assertThat(gate.leaseHeld()).isFalse();
  }

  @Test
  void bothMajoritiesCountWhileMembersChange() {
    group.previous = List.of("a", "d", "e");
    roundTrip("b");
    assertThat(gate.leaseHeld()).isFalse();
    roundTrip("e");
    assertThat(gate.leaseHeld()).isTrue();
  }

  @Test
  void leaderThatIsNotAMemberNeedsAMajorityOfTheOthers() {
    group.peers = List.of("b", "c", "d");
    roundTrip("b");
    assertThat(gate.leaseHeld()).isFalse();
    roundTrip("c");
    assertThat(gate.leaseHeld()).isTrue();
  }

  @Test
  void acknowledgementsOfAnEarlierTermMeanNothing() {
    roundTrip("b");
    FollowerAcks old = follower("b");
    group.term = 6;
    assertThat(gate.leaseHeld()).isFalse();
    old.sending(5_000, now);
    gate.onAcknowledged(old, 5_000);
    assertThat(gate.leaseHeld()).isFalse();
    roundTrip("b");
    assertThat(gate.leaseHeld()).isTrue();
  }

  @Test
  void onlyAReadyLeaderAnswers() {
    roundTrip("b");
    group.ready = false;
    assertThat(gate.leaseHeld()).isFalse();
    assertThat(gate.confirm()).isCompletedWithValue(Outcome.NOT_READY);
    group.leader = false;
    assertThat(gate.confirm()).isCompletedWithValue(Outcome.NOT_LEADER);
  }

  @Test
  void aGroupOfOneNeedsNobody() {
    group.peers = List.of("a");
    assertThat(gate.leaseHeld()).isTrue();
    assertThat(gate.confirm()).isCompletedWithValue(Outcome.CONFIRMED);
  }

  @Test
  void confirmationNeedsARequestThatIsYoungerThanTheCall() {
    long early = send("b");
    pass(1);
    CompletableFuture<Outcome> read = gate.confirm();
    reply("b", early, AppendResult.SUCCESS);
    assertThat(read).isNotDone();
    pass(1);
    roundTrip("b");
    assertThat(read).isCompletedWithValue(Outcome.CONFIRMED);
  }

  @Test
  void callsShareARoundAndLateOnesStartTheNext() {
    follower("b");
    follower("c");
    List<CompletableFuture<Outcome>> first = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      first.add(gate.confirm());
    }
    assertThat(triggers).hasValue(2);
    pass(1);
    long id = send("b");
    pass(1);
    CompletableFuture<Outcome> late = gate.confirm();
    reply("b", id, AppendResult.SUCCESS);
    assertThat(first).allSatisfy(read -> assertThat(read).isCompletedWithValue(Outcome.CONFIRMED));
    assertThat(late).isNotDone();
    assertThat(triggers).hasValue(4);
    roundTrip("c");
    assertThat(late).isCompletedWithValue(Outcome.CONFIRMED);
  }

  @Test
  void callsOfALostLeadershipAreToldSo() {
    CompletableFuture<Outcome> read = gate.confirm();
    gate.tick();
    assertThat(read).isNotDone();
    group.term = 6;
    gate.tick();
    assertThat(read).isCompletedWithValue(Outcome.NOT_LEADER);
  }

  @Test
  void callsOfATermThatEndedAreNotConfirmedByTheNext() {
    CompletableFuture<Outcome> read = gate.confirm();
    group.term = 8;
    pass(1);
    roundTrip("b");
    assertThat(read).isNotDone();
    gate.tick();
    assertThat(read).isCompletedWithValue(Outcome.NOT_LEADER);
  }

  @Test
  void callsEndWhenNoMajorityAnswers() {
    CompletableFuture<Outcome> read = gate.confirm();
    pass(TIMEOUT.toMillis() - 1);
    gate.tick();
    assertThat(read).isNotDone();
    pass(1);
    gate.tick();
    assertThat(read).isCompletedWithValue(Outcome.TIMED_OUT);
  }

  @Test
  void tooManyWaitingCallsAreRefused() {
    for (int i = 0; i < ReadGate.MAX_WAITING; i++) {
      assertThat(gate.confirm().isDone()).isFalse();
    }
    assertThat(gate.confirm()).isCompletedWithValue(Outcome.OVERLOADED);
  }

  @Test
  void suspendedLeaseDoesNotCountButConfirmationDoes() {
    roundTrip("b");
    gate.suspendLease(Duration.ofSeconds(3));
    assertThat(gate.leaseHeld()).isFalse();
    CompletableFuture<Outcome> read = gate.confirm();
    pass(1);
    roundTrip("b");
    assertThat(read).isCompletedWithValue(Outcome.CONFIRMED);
    pass(2_998);
    roundTrip("b");
    assertThat(gate.leaseHeld()).isFalse();
    pass(1);
    assertThat(gate.leaseHeld()).isTrue();
  }

  @Test
  void readinessInOneTermDoesNotConfirmAReadInTheNext() {
    // Between the question and the next line of code the leadership was lost and won again.
    group.afterReady =
        () -> {
          group.term++;
          group.ready = false;
        };
    CompletableFuture<Outcome> read = gate.confirm();
    group.afterReady = () -> {};
    pass(1);
    roundTrip("b");
    assertThat(read).isNotDone();

    gate.tick();

    assertThat(read).isCompletedWithValue(Outcome.NOT_LEADER);
  }
}
