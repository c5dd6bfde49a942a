package io.silkkv.ops.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProgressTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MIB = 1 << 20;

  @Test
  void theLineShowsShareRateAndTimeLeft() {
    Progress progress = new Progress(100 * MIB, 0, 0);
    assertThat(progress.line(10 * SECOND, 25 * MIB, 5_000))
        .isEqualTo("[######------------------]  25 %  5,000 records  500/s  2.5 MiB/s  ETA 0:30");
  }

  @Test
  void theRateIsThatOfTheLastSecondsOnly() {
    Progress progress = new Progress(1_000 * MIB, 0, 0);
    progress.line(10 * SECOND, 100 * MIB, 10_000);
    progress.line(20 * SECOND, 110 * MIB, 11_000);
    assertThat(progress.line(30 * SECOND, 120 * MIB, 12_000))
        .contains("100/s  1.0 MiB/s  ETA 14:40");
  }

  @Test
  void whatWasLoadedBeforeCountsForTheBarButNotForTheRate() {
    Progress progress = new Progress(100 * MIB, 50 * MIB, 0);
    assertThat(progress.line(10 * SECOND, 60 * MIB, 100)).contains(" 60 %").contains("1.0 MiB/s");
  }

  @Test
  void withoutProgressThereIsNoTimeLeftToTell() {
    assertThat(new Progress(100, 0, 0).line(SECOND, 0, 0)).endsWith("ETA --:--");
  }

  @Test
  void withoutAKnownSizeThereIsNoBar() {
    assertThat(new Progress(0, 0, 0).line(SECOND, 2 * MIB, 7))
        .isEqualTo("7 records  7/s  2.0 MiB/s");
  }

  @Test
  void manyHoursAreShownAsHours() {
    assertThat(new Progress(36_000, 0, 0).line(SECOND, 5, 1)).endsWith("ETA 1:59:59");
  }
}
