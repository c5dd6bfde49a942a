package io.silkkv.engine.testkit;

import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs JMH benchmarks. A build calls each once, so that none rots; a person names those to measure
 * by the system property {@value #PROPERTY}, a regular expression.
 */
public final class MicroBenchmarks {
  /** Which benchmarks to measure; absent in a build. */
  public static final String PROPERTY = "micro";

  private MicroBenchmarks() {}

  /**
   * Calls every benchmark of a module once, or measures those that the property names.
   *
   * @param home the module's package; the class path may hold benchmarks of other modules
   * @throws RunnerException when one fails, or a build finds none
   */
  public static void run(String home) throws RunnerException {
    String measured = System.getProperty(PROPERTY);
    String all = "^" + Pattern.quote(home) + "\\.";
    OptionsBuilder options = new OptionsBuilder();
    options.shouldFailOnError(true);
    if (measured == null) {
      // The lock keeps measurements apart; a build may run beside one.
      System.setProperty("jmh.ignoreLock", "true");
      options
          .include(all)
          .mode(Mode.SingleShotTime)
          .forks(0)
          .warmupIterations(0)
          .measurementIterations(1)
          .verbosity(VerboseMode.SILENT);
    } else {
      options
          .include(all + ".*(" + measured + ")")
          // Instead of the options of the tests, which check assertions.
          .jvmArgs("-Xms1g", "-Xmx1g")
          .forks(2)
          .warmupIterations(3)
          .warmupTime(TimeValue.seconds(1))
          .measurementIterations(5)
          .measurementTime(TimeValue.seconds(1));
    }
    try {
      var unused = new Runner(options.build()).run();
    } catch (NoBenchmarksException none) {
      // What a person names may lie in another module.
      if (measured == null) {
        throw none;
      }
    }
  }
}
