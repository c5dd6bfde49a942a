package io.silkkv.engine.testkit;

import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Chance that can be repeated. Register it as an instance field:
 *
 * <pre>
 *   &#64;RegisterExtension final Seeded seeded = new Seeded();
 * </pre>
 *
 * Every test gets a new seed, or the one of {@code -Dsilkkv.seed=N}. When a test fails, its seed
 * and the options that repeat it are printed.
 */
public final class Seeded implements BeforeEachCallback, AfterTestExecutionCallback {
  private static final String PROPERTY = "silkkv.seed";

  private long seed;
  private RandomGenerator random = new SplittableRandom(0);

  @Override
  public void beforeEach(ExtensionContext context) {
    Long wanted = Long.getLong(PROPERTY);
    seed = wanted != null ? wanted : new SecureRandom().nextLong();
    random = new SplittableRandom(seed);
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      System.err.printf(
          "%s failed with seed %d; repeat it with -D%s=%d -Dtest=%s#%s%n",
          context.getDisplayName(),
          seed,
          PROPERTY,
          seed,
          context.getRequiredTestClass().getSimpleName(),
          context.getRequiredTestMethod().getName());
    }
  }

  /** The seed of this test, for sources that must not share {@link #random}. */
  public long seed() {
    return seed;
  }

  /** The random source of this test; one per test, not thread-safe. */
  public RandomGenerator random() {
    return random;
  }
}
