package io.silkkv.raftsm.metrics;

import io.silkkv.engine.api.SuppressForbidden;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.apache.ratis.metrics.LongCounter;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.apache.ratis.metrics.Timekeeper;

/** The figures of one part of the Raft library. A few dozen bytes each. Thread-safe. */
final class CountingRegistry implements RatisMetricRegistry {
  private static final class Counter implements LongCounter {
    private final LongAdder sum = new LongAdder();

    @Override
    public void inc(long n) {
      sum.add(n);
    }

    @Override
    public void dec(long n) {
      sum.add(-n);
    }

    @Override
    public long getCount() {
      return sum.sum();
    }
  }

  private static final class Timer implements Timekeeper {
    private final LongAdder count = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongAccumulator longest = new LongAccumulator(Math::max, 0);

    @Override
    @SuppressForbidden(reason = "the library creates its registries and offers no clock")
    public Context time() {
      long start = System.nanoTime();
      return () -> stopped(System.nanoTime() - start);
    }

    private long stopped(long elapsed) {
      count.increment();
      nanos.add(elapsed);
      longest.accumulate(elapsed);
      return elapsed;
    }
  }

  private final MetricRegistryInfo info;
  private final ConcurrentMap<String, Counter> counters = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Timer> timers = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Supplier<?>> gauges = new ConcurrentHashMap<>();

  CountingRegistry(MetricRegistryInfo info) {
    this.info = info;
  }

  @Override
  public Timekeeper timer(String name) {
    return timers.computeIfAbsent(name, n -> new Timer());
  }

  @Override
  public LongCounter counter(String name) {
    return counters.computeIfAbsent(name, n -> new Counter());
  }

  @Override
  public boolean remove(String name) {
    boolean removed = counters.remove(name) != null;
    removed |= timers.remove(name) != null;
    removed |= gauges.remove(name) != null;
    return removed;
  }

  @Override
  public <T> void gauge(String name, Supplier<Supplier<T>> gaugeSupplier) {
    gauges.put(name, gaugeSupplier.get());
  }

  @Override
  public MetricRegistryInfo getMetricRegistryInfo() {
    return info;
  }

  void addTo(List<RaftMetrics.Sample> samples) {
    counters.forEach(
        (name, c) -> samples.add(sample(name, RaftMetrics.Kind.COUNTER, (double) c.getCount())));
    timers.forEach(
        (name, t) -> {
          samples.add(sample(name, RaftMetrics.Kind.TIMER_COUNT, (double) t.count.sum()));
          samples.add(sample(name, RaftMetrics.Kind.TIMER_NANOS, (double) t.nanos.sum()));
          samples.add(sample(name, RaftMetrics.Kind.TIMER_MAX_NANOS, (double) t.longest.get()));
        });
    gauges.forEach(
        (name, gauge) -> {
          if (gauge.get() instanceof Number value) {
            samples.add(sample(name, RaftMetrics.Kind.GAUGE, value.doubleValue()));
          }
        });
  }

  private RaftMetrics.Sample sample(String name, RaftMetrics.Kind kind, double value) {
    return new RaftMetrics.Sample(
        info.getMetricsComponentName(), info.getPrefix(), name, kind, value);
  }
}
