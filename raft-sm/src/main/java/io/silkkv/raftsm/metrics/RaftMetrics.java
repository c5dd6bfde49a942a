package io.silkkv.raftsm.metrics;

import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.metrics.RatisMetricRegistry;

/** Reads the Raft library's figures of this process. */
public final class RaftMetrics {
  private RaftMetrics() {}

  /** What a sample counts. */
  public enum Kind {
    /** Grows with events; may go down only where the library says "dec". */
    COUNTER,
    /** A value of this moment. */
    GAUGE,
    /** How often something was timed. */
    TIMER_COUNT,
    /** Sum of the times in nanoseconds. */
    TIMER_NANOS,
    /** Longest time so far in nanoseconds. */
    TIMER_MAX_NANOS
  }

  /**
   * One figure.
   *
   * @param component part of the library, e.g. {@code log_worker}
   * @param member which group and peer, e.g. {@code n1@group-0001}; sometimes just the peer
   * @param name name within the component
   */
  public record Sample(String component, String member, String name, Kind kind, double value) {}

  /** All figures of this moment. Gauges are asked now; those that are no number are left out. */
  public static List<Sample> read() {
    List<Sample> samples = new ArrayList<>();
    for (RatisMetricRegistry registry : MetricRegistries.global().getMetricRegistries()) {
      if (registry instanceof CountingRegistry counting) {
        counting.addTo(samples);
      }
    }
    return samples;
  }
}
