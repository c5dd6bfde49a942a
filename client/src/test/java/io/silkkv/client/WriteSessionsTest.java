package io.silkkv.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.silkkv.v1.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WriteSessionsTest {
  private final AtomicInteger made = new AtomicInteger();
  private final WriteSessions sessions =
      new WriteSessions(
          () -> ByteString.copyFromUtf8("client-id-" + (100_000 + made.incrementAndGet())));

  @Test
  void numbersStartAtOneAndGrowByOne() {
    assertThat(sessions.open(2).toProto().getSequence()).isEqualTo(1);
    assertThat(sessions.open(2).toProto().getSequence()).isEqualTo(2);
    assertThat(sessions.open(3).toProto().getSequence()).isEqualTo(1);
    assertThat(made).hasValue(2);
  }

  @Test
  void acknowledgedBelowFollowsTheLowestUnfinishedNumber() {
    WriteSessions.Ticket first = sessions.open(2);
    WriteSessions.Ticket second = sessions.open(2);
    WriteSessions.Ticket third = sessions.open(2);
    assertThat(acknowledged(third)).isEqualTo(1);
    sessions.finish(second);
    assertThat(acknowledged(third)).isEqualTo(1);
    sessions.finish(first);
    assertThat(acknowledged(third)).isEqualTo(3);
    assertThat(third.toProto().getSequence()).isEqualTo(3);
  }

  @Test
  void aFullWindowStartsAnotherSessionInsteadOfWaiting() {
    List<WriteSessions.Ticket> tickets = new ArrayList<>();
    for (int i = 0; i <= WriteSessions.WINDOW; i++) {
      tickets.add(sessions.open(2));
    }
    assertThat(made).hasValue(2);
    assertThat(tickets.get(WriteSessions.WINDOW).toProto().getSequence()).isEqualTo(1);
    tickets.forEach(sessions::finish);
    assertThat(sessions.open(2).toProto().getAcknowledgedBelow()).isEqualTo(2);
  }

  @Test
  void anExpiredSessionIsLeftOnce() {
    WriteSessions.Ticket old = sessions.open(2);
    WriteSessions.Ticket alsoOld = sessions.open(2);
    sessions.expire(old);
    Session fresh = sessions.open(2).toProto();
    assertThat(fresh.getClientId()).isNotEqualTo(old.toProto().getClientId());
    sessions.expire(alsoOld);
    assertThat(sessions.open(2).toProto().getClientId()).isEqualTo(fresh.getClientId());
  }

  @Test
  void anyOrderOfEndsKeepsTheInvariant() {
    long seed = Long.getLong("silkkv.seed", System.nanoTime());
    Random random = new Random(seed);
    List<WriteSessions.Ticket> open = new ArrayList<>();
    TreeSet<Long> unfinished = new TreeSet<>();
    for (int step = 0; step < 20_000; step++) {
      if (open.size() < 200 && random.nextBoolean()) {
        WriteSessions.Ticket ticket = sessions.open(9);
        open.add(ticket);
        unfinished.add(ticket.toProto().getSequence());
      } else if (!open.isEmpty()) {
        // Mostly the oldest, so that the window moves on.
        int index = random.nextInt(4) > 0 ? 0 : random.nextInt(open.size());
        WriteSessions.Ticket ticket = open.remove(index);
        unfinished.remove(ticket.toProto().getSequence());
        sessions.finish(ticket);
      }
      if (!open.isEmpty() && made.get() == 1) {
        assertThat(acknowledged(open.get(0))).as("seed %d", seed).isEqualTo(unfinished.first());
      }
    }
  }

  private static long acknowledged(WriteSessions.Ticket ticket) {
    return ticket.toProto().getAcknowledgedBelow();
  }
}
