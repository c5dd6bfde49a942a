package io.silkkv.raftsm.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.apache.ratis.util.TimeDuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The provider that the Raft library finds through {@code META-INF/services}; its own default keeps
 * reservoirs of samples per group. Thread-safe.
 */
public final class RaftMetricRegistries extends MetricRegistries {
  private static final Logger LOG = LoggerFactory.getLogger(RaftMetricRegistries.class);

  private static final class Counted {
    private final CountingRegistry registry;
    private int references;

    Counted(CountingRegistry registry) {
      this.registry = registry;
    }
  }

  private record Reporter(
      Consumer<RatisMetricRegistry> start, Consumer<RatisMetricRegistry> stop) {}

  @GuardedBy("this")
  private final Map<MetricRegistryInfo, Counted> registries = new HashMap<>();

  @GuardedBy("this")
  private final List<Reporter> reporters = new ArrayList<>();

  @Override
  public synchronized void clear() {
    registries.clear();
  }

  @Override
  public synchronized RatisMetricRegistry create(MetricRegistryInfo info) {
    Counted counted = registries.get(info);
    if (counted == null) {
      counted = new Counted(new CountingRegistry(info));
      registries.put(info, counted);
      for (Reporter reporter : reporters) {
        reporter.start.accept(counted.registry);
      }
    }
    counted.references++;
    return counted.registry;
  }

  @Override
  public synchronized boolean remove(MetricRegistryInfo key) {
    Counted counted = registries.get(key);
    if (counted == null || --counted.references > 0) {
      return false;
    }
    registries.remove(key);
    for (Reporter reporter : reporters) {
      reporter.stop.accept(counted.registry);
    }
    return true;
  }

  @Override
  public synchronized Optional<RatisMetricRegistry> get(MetricRegistryInfo info) {
    Counted counted = registries.get(info);
    return counted == null ? Optional.empty() : Optional.of(counted.registry);
  }

  @Override
  public synchronized Set<MetricRegistryInfo> getMetricRegistryInfos() {
    return Set.copyOf(registries.keySet());
  }

  @Override
  public synchronized Collection<RatisMetricRegistry> getMetricRegistries() {
    List<RatisMetricRegistry> all = new ArrayList<>();
    registries.values().forEach(counted -> all.add(counted.registry));
    return all;
  }

  @Override
  public synchronized void addReporterRegistration(
      Consumer<RatisMetricRegistry> reporterRegistration,
      Consumer<RatisMetricRegistry> stopReporter) {
    reporters.add(new Reporter(reporterRegistration, stopReporter));
  }

  @Override
  public void enableJmxReporter() {
    LOG.info("these metrics are read by the node, not through JMX");
  }

  @Override
  public void enableConsoleReporter(TimeDuration consoleReportRate) {
    LOG.info("these metrics are read by the node, not printed");
  }
}
