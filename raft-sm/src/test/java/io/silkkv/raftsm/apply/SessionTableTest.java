package io.silkkv.raftsm.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.raftsm.command.CommandResult;
import io.silkkv.raftsm.command.CommandResult.Applied;
import io.silkkv.raftsm.command.CommandResult.ConditionFailed;
import io.silkkv.raftsm.command.CommandResult.SessionExpired;
import io.silkkv.raftsm.command.CommandResult.TooManyClients;
import io.silkkv.raftsm.command.EntryFormatException;
import io.silkkv.raftsm.command.SessionStamp;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SessionTableTest {
  private static final UUID ALICE = new UUID(1, 1);
  private static final UUID BOB = new UUID(2, 2);
  private static final long TERM = 7;

  private final SessionTable table = new SessionTable(SessionOptions.DEFAULT);

  @Test
  void aRetryGetsTheFirstResult() {
    assertThat(run(table, stamp(ALICE, 1, 1), new Applied(10))).isEqualTo(new Applied(10));
    assertThat(run(table, stamp(ALICE, 2, 1), new ConditionFailed(0, 3)))
        .isEqualTo(new ConditionFailed(0, 3));

    assertThat(run(table, stamp(ALICE, 1, 1), new Applied(99))).isEqualTo(new Applied(10));
    assertThat(run(table, stamp(ALICE, 2, 1), new Applied(99)))
        .isEqualTo(new ConditionFailed(0, 3));
    assertThat(run(table, stamp(BOB, 1, 1), new Applied(11))).isEqualTo(new Applied(11));
  }

  @Test
  void anAcknowledgedSequenceIsExpired() {
    run(table, stamp(ALICE, 1, 1), new Applied(10));
    run(table, stamp(ALICE, 2, 2), new Applied(11));

    assertThat(run(table, stamp(ALICE, 1, 1), new Applied(99))).isInstanceOf(SessionExpired.class);
    assertThat(table.resultCount()).isEqualTo(1);
  }

  @Test
  void aSequenceBelowItsOwnAcknowledgementIsExpired() {
    assertThat(run(table, stamp(ALICE, 4, 5), new Applied(1))).isInstanceOf(SessionExpired.class);
    assertThat(table.size()).isZero();
  }

  @Test
  void sequencesMayArriveInAnyOrder() {
    run(table, stamp(ALICE, 7, 3), new Applied(1));
    run(table, stamp(ALICE, 4, 3), new Applied(2));
    run(table, stamp(ALICE, 3, 2), new Applied(3));

    assertThat(run(table, stamp(ALICE, 4, 3), new Applied(99))).isEqualTo(new Applied(2));
    assertThat(run(table, stamp(ALICE, 7, 3), new Applied(99))).isEqualTo(new Applied(1));
    assertThat(run(table, stamp(ALICE, 2, 2), new Applied(4))).isInstanceOf(SessionExpired.class);
  }

  @Test
  void anIdleSessionIsForgottenByTheClockOfTheLog() {
    long now = pass(table, 1_000_000, Duration.ofMinutes(1));
    run(table, stamp(ALICE, 1, 1), new Applied(1));
    now = pass(table, now, Duration.ofMinutes(59));
    run(table, stamp(BOB, 1, 1), new Applied(2));
    now = pass(table, now, Duration.ofMinutes(1).minusMillis(1));
    assertThat(table.size()).isEqualTo(2);

    pass(table, now, Duration.ofMillis(1));

    assertThat(table.size()).isEqualTo(1);
    assertThat(run(table, stamp(BOB, 1, 1), new Applied(99))).isEqualTo(new Applied(2));
    assertThat(table.resultCount()).isEqualTo(1);
  }

  @Test
  void aClockThatIsSetOrBelongsToAnotherLeaderDoesNotEndSessions() {
    long day = Duration.ofDays(1).toMillis();
    table.advance(TERM, day);
    run(table, stamp(ALICE, 1, 1), new Applied(1));

    // 23 leaders one day apart, and 10 times the clock of one is set back and forth.
    for (int term = 1; term < 24; term++) {
      table.advance(TERM + term, term % 2 == 0 ? 0 : 2 * day);
    }
    for (int round = 0; round < 10; round++) {
      table.advance(TERM + 23, 0);
      table.advance(TERM + 23, day);
    }

    assertThat(run(table, stamp(ALICE, 1, 1), new Applied(99))).isEqualTo(new Applied(1));
  }

  @Test
  void aNewClientTakesThePlaceOfOneThatWasIdleForFiveMinutes() {
    SessionTable three = new SessionTable(new SessionOptions(Duration.ofHours(1), 3, 10, 100));
    for (int client = 1; client <= 3; client++) {
      run(three, stamp(new UUID(0, client), 1, 1), new Applied(client));
    }
    long now = pass(three, 0, Duration.ofMinutes(5).minusMillis(1));
    run(three, stamp(new UUID(0, 1), 1, 1), new Applied(99));

    assertThat(run(three, stamp(new UUID(0, 4), 1, 1), new Applied(4)))
        .isInstanceOf(TooManyClients.class);
    pass(three, now, Duration.ofMillis(1));
    assertThat(run(three, stamp(new UUID(0, 4), 1, 1), new Applied(4))).isEqualTo(new Applied(4));

    assertThat(three.size()).isEqualTo(3);
    assertThat(three.resultCount()).isEqualTo(3);
    for (int known : new int[] {1, 3, 4}) {
      assertThat(run(three, stamp(new UUID(0, known), 1, 1), new Applied(99)))
          .isEqualTo(new Applied(known));
    }
  }

  @Test
  void theLowestSequencesOfAClientMakeRoom() {
    SessionTable small = new SessionTable(new SessionOptions(Duration.ofHours(1), 3, 4, 100));
    for (int sequence = 1; sequence <= 6; sequence++) {
      run(small, stamp(ALICE, sequence, 1), new Applied(sequence));
    }

    assertThat(small.resultCount()).isEqualTo(4);
    assertThat(run(small, stamp(ALICE, 2, 1), new Applied(99))).isInstanceOf(SessionExpired.class);
    assertThat(run(small, stamp(ALICE, 3, 1), new Applied(99))).isEqualTo(new Applied(3));
  }

  @Test
  void theClientWithMostOutcomesMakesRoomForTheOthers() {
    SessionTable small = new SessionTable(new SessionOptions(Duration.ofHours(1), 100, 8, 64));
    run(small, stamp(ALICE, 1, 1), new Applied(1));
    for (int client = 0; client < 20; client++) {
      for (int sequence = 1; sequence <= 8; sequence++) {
        run(small, stamp(new UUID(0, client), sequence, 1), new Applied(sequence));
        assertThat(small.resultCount()).isLessThanOrEqualTo(64);
      }
    }

    assertThat(small.size()).isEqualTo(21);
    assertThat(run(small, stamp(ALICE, 1, 1), new Applied(99))).isEqualTo(new Applied(1));
    assertThat(run(small, stamp(new UUID(0, 0), 1, 1), new Applied(99)))
        .isInstanceOf(SessionExpired.class);
  }

  @Test
  void theFormatOfTheTableDoesNotChange() {
    table.advance(TERM, 1_000);
    table.advance(TERM, 2_000);
    run(table, stamp(ALICE, 5, 4), new Applied(300));
    table.advance(TERM, 2_128);
    run(table, stamp(BOB, 1, 1), new ConditionFailed(2, 7));
    run(table, stamp(BOB, 3, 1), new Applied(0));

    String expected =
        "01" // version
            + "e808" // log millis
            + "07" // clock term
            + "d010" // clock millis
            + "02" // sessions
            + "00000000000000010000000000000001"
            + "8001" // idle millis
            + "04" // floor
            + "01" // results
            + "01" // sequence 5
            + "01ac02"
            + "00000000000000020000000000000002"
            + "00"
            + "01"
            + "02"
            + "00" // sequence 1
            + "020207"
            + "02" // sequence 3
            + "0100";
    assertThat(HexFormat.of().formatHex(table.encode())).isEqualTo(expected);
    assertThat(
            SessionTable.decode(HexFormat.of().parseHex(expected), SessionOptions.DEFAULT).encode())
        .isEqualTo(table.encode());
  }

  @Test
  void aTableThatIsStoredAndReadAtEveryPointBehavesTheSame() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    SessionOptions options = new SessionOptions(Duration.ofSeconds(20), 6, 5, 20);
    SessionTable kept = new SessionTable(options);
    SessionTable reread = new SessionTable(options);
    long now = 0;
    for (int step = 0; step < 5_000; step++) {
      now += random.nextInt(2_000);
      long sequence = 1L + random.nextInt(30) + step / 100;
      SessionStamp stamp =
          stamp(
              new UUID(0, random.nextInt(9)),
              sequence,
              Math.max(0, sequence - random.nextInt(12) + 1));
      CommandResult fresh =
          random.nextBoolean() ? new Applied(step) : new ConditionFailed(step % 3, step);
      int term = 1 + step / 1_000;
      kept.advance(term, now);
      reread.advance(term, now);

      assertThat(run(reread, stamp, fresh)).as("seed %d", seed).isEqualTo(run(kept, stamp, fresh));

      assertThat(reread.encode()).as("seed %d", seed).isEqualTo(kept.encode());
      reread = SessionTable.decode(reread.encode(), options);
      assertThat(reread.size()).isEqualTo(kept.size());
      assertThat(reread.resultCount()).isEqualTo(kept.resultCount());
    }
  }

  @Test
  void aDamagedTableIsRefused() {
    run(table, stamp(ALICE, 5, 4), new Applied(300));
    run(table, stamp(BOB, 1, 1), new ConditionFailed(2, 7));
    byte[] bytes = table.encode();
    for (int length = 1; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> SessionTable.decode(cut, SessionOptions.DEFAULT))
          .as("cut to %d bytes", length)
          .isInstanceOf(EntryFormatException.class)
          .hasMessageContaining("session table");
    }
    Random random = new Random(7);
    for (int round = 0; round < 5_000; round++) {
      byte[] changed = bytes.clone();
      changed[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      try {
        SessionTable.decode(changed, SessionOptions.DEFAULT);
      } catch (EntryFormatException expected) {
        assertThat(expected).hasMessageContaining("session table");
      }
    }
  }

  @Test
  void aTableOfANewerReleaseIsNamed() {
    byte[] bytes = table.encode();
    bytes[0] = 9;
    assertThatThrownBy(() -> SessionTable.decode(bytes, SessionOptions.DEFAULT))
        .hasMessageContaining("format version 9")
        .hasMessageContaining("use a newer SilkKV");
  }

  /** Lets time pass, as entries of one leader do. */
  private static long pass(SessionTable table, long now, Duration time) {
    long end = now + time.toMillis();
    table.advance(TERM, now);
    for (long next = now; next < end; ) {
      next = Math.min(end, next + 30_000);
      table.advance(TERM, next);
    }
    return end;
  }

  private static SessionStamp stamp(UUID client, long sequence, long acknowledgedBelow) {
    return new SessionStamp(client, sequence, acknowledgedBelow);
  }

  /** Answers as the applier would, with {@code fresh} as the result of a command that must run. */
  private static CommandResult run(SessionTable table, SessionStamp stamp, CommandResult fresh) {
    CommandResult known = table.begin(stamp);
    if (known != null) {
      return known;
    }
    table.record(stamp, fresh);
    return fresh;
  }
}
