package io.silkkv.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.engine.MetamorphicHistory.Step;
import io.silkkv.engine.testkit.Seeded;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * One history of operations, many engines that could hardly be more different, one answer: that of
 * a sorted map. A history that fails is made shorter for as long as it still fails, and printed.
 *
 * <p>{@code -Dsilkkv.metamorphic.histories=N} runs more of them than the few of a usual build.
 */
class MetamorphicTest {
  private static final int OPTION_SETS = 40;
  private static final int STEPS = 150;

  @RegisterExtension final Seeded seeded = new Seeded();

  @Test
  void everyEngineGivesTheAnswersOfTheModel() {
    int histories = Integer.getInteger("silkkv.metamorphic.histories", 2);
    for (int history = 0; history < histories; history++) {
      List<Step> steps = MetamorphicHistory.random(seeded.random(), STEPS);
      for (int set = 0; set < OPTION_SETS; set++) {
        EngineOptions options = randomOptions();
        Throwable failure = run(steps, options);
        if (failure != null) {
          throw new AssertionError(report(steps, options), failure);
        }
      }
    }
  }

  /** A test that cannot fail is none: the comparison must notice a write that the engine misses. */
  @Test
  void differenceIsNoticedAndTheHistoryMadeShort() {
    List<Step> steps = new ArrayList<>(MetamorphicHistory.random(seeded.random(), STEPS));
    steps.add(STEPS / 2, new MetamorphicHistory.LostWrite(MetamorphicHistory.key(7)));
    steps.add(new MetamorphicHistory.Get(MetamorphicHistory.key(7)));
    // Whatever came last for the key, the next one is different.
    steps.add(new MetamorphicHistory.LostWrite(MetamorphicHistory.key(7)));
    steps.add(new MetamorphicHistory.Get(MetamorphicHistory.key(7)));
    assertThat(run(steps, EngineFixture.TINY)).isInstanceOf(AssertionError.class);
    List<Step> left = shrink(steps, EngineFixture.TINY);
    assertThat(left).hasSize(1);
    assertThat(report(steps, EngineFixture.TINY)).contains("LostWrite", "memtableBytes");
  }

  private Throwable run(List<Step> steps, EngineOptions options) {
    try (MetamorphicRun run = new MetamorphicRun(options, seeded.seed())) {
      steps.forEach(run::step);
      run.finish();
      return null;
    } catch (AssertionError | RuntimeException e) {
      return e;
    }
  }

  private String report(List<Step> steps, EngineOptions options) {
    StringBuilder text = new StringBuilder("history seed " + seeded.seed() + "\n" + options + "\n");
    shrink(steps, options).forEach(step -> text.append(step).append('\n'));
    return text.toString();
  }

  /** Leaves out pieces, then smaller pieces, as long as the rest still fails. */
  private List<Step> shrink(List<Step> failing, EngineOptions options) {
    List<Step> left = failing;
    for (int piece = left.size() / 2; piece > 0; piece /= 2) {
      int from = 0;
      while (from < left.size()) {
        List<Step> shorter = new ArrayList<>(left.subList(0, from));
        shorter.addAll(left.subList(Math.min(left.size(), from + piece), left.size()));
        if (run(shorter, options) != null) {
          left = shorter;
        } else {
          from += piece;
        }
      }
    }
    return left;
  }

  private EngineOptions randomOptions() {
    SplittableRandom random = new SplittableRandom(seeded.random().nextLong());
    int trigger = 1 + random.nextInt(5);
    List<Integer> multipliers = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      multipliers.add(random.nextInt(3) == 0 ? 0 : 2 + random.nextInt(4));
    }
    return EngineOptions.DEFAULTS.toBuilder()
        .memtableBytes(pick(random, 1 << 10, 4 << 10, 16 << 10, 1 << 20))
        .maxWaitingMemtables(1 + random.nextInt(4))
        .blockBytes(pick(random, 64, 256, 4096))
        .bloomBitsPerKey(pick(random, 0, 4, 10))
        .targetFileBytes(pick(random, 1 << 10, 2 << 10, 8 << 10, 1 << 20))
        .l0CompactionTrigger(trigger)
        .l0StopWrites(trigger + 1 + random.nextInt(6))
        .levelBaseBytes(pick(random, 1 << 10, 4 << 10, 16 << 10, 1 << 20))
        .levelMultiplier(2 + random.nextInt(9))
        .levelMultipliers(multipliers)
        .maxJobBytes(pick(random, 1 << 10, 16 << 10, 1 << 20))
        .maxL0Jobs(1 + random.nextInt(3))
        .maxDeepJobs(1 + random.nextInt(3))
        .tombstonePercent(pick(random, 1, 50, 100))
        .fileTtlSeconds(pick(random, 0, 5, 50))
        .scrubPeriodSeconds(pick(random, 0, 10))
        .manifestRollBytes(pick(random, 1 << 10, 64 << 10))
        .build();
  }

  private static int pick(SplittableRandom random, int... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
