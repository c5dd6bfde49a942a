package io.silkkv.raftsm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReturnWaitTest {
  private final ReturnWait wait = new ReturnWait();

  @Test
  void aLoneCallerNeverWaits() {
    assertThat(wait.begin(1, 0)).isFalse();
    assertThat(wait.holds(1)).isFalse();
  }

  @Test
  void theLastEighthIsNotWaitedFor() {
    assertThat(wait.begin(64, 10)).isTrue();
    assertThat(wait.holds(65)).isTrue();
    assertThat(wait.holds(66)).isFalse();
    assertThat(wait.holds(66)).as("a wait that ended does not begin again").isFalse();
  }

  @Test
  void waitsInVainBecomeRare() {
    int waits = 0;
    for (int entry = 0; entry < 10_000; entry++) {
      if (wait.begin(10, 5)) {
        waits++;
        assertThat(wait.holds(7)).isTrue();
        wait.expire(wait.number());
        assertThat(wait.holds(7)).isFalse();
      }
    }
    assertThat(waits).isBetween(10, 30);
  }

  @Test
  void callersThatComeBackAgainAreWaitedForAgain() {
    while (wait.begin(10, 0)) {
      wait.expire(wait.number());
    }
    int pause = 1;
    while (!wait.begin(10, 0)) {
      pause++;
    }
    assertThat(pause).isEqualTo(8);
    assertThat(wait.holds(9)).isFalse();
    assertThat(wait.begin(10, 0)).as("no pause after a wait that paid").isTrue();
    wait.expire(wait.number());
    for (int entry = 0; entry < 8; entry++) {
      assertThat(wait.begin(10, 0)).isFalse();
    }
    assertThat(wait.begin(10, 0)).isTrue();
  }

  @Test
  void theTimeOfAnEarlierWaitMeansNothing() {
    assertThat(wait.begin(10, 0)).isTrue();
    long first = wait.number();
    wait.end();
    assertThat(wait.begin(10, 0)).isTrue();
    wait.expire(first);
    assertThat(wait.holds(3)).isTrue();
  }
}
