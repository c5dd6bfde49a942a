package io.silkkv.ops.bench.load;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * When the collector of this JVM stopped all threads. The JVM tells in milliseconds, so that a
 * pause counts as up to two milliseconds longer at both ends. Thread-safe.
 */
final class JvmPauses implements AutoCloseable {
  private static final long ROUNDING_NANOS = 2_000_000;

  private final List<NotificationEmitter> emitters = new ArrayList<>();
  private final NotificationListener listener = this::heard;
  private final long jvmStartNanos;

  @GuardedBy("this")
  private final List<Pause> pauses = new ArrayList<>();

  /** On the clock. */
  private record Pause(long begin, long end) {}

  private JvmPauses(LongSupplier nanoClock) {
    this.jvmStartNanos =
        nanoClock.getAsLong()
            - TimeUnit.MILLISECONDS.toNanos(ManagementFactory.getRuntimeMXBean().getUptime());
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      // Some collectors also tell of the time in which they work beside the program.
      boolean concurrent =
          collector.getName().contains("Concurrent") || collector.getName().contains("Cycles");
      if (!concurrent && collector instanceof NotificationEmitter emitter) {
        emitters.add(emitter);
        emitter.addNotificationListener(listener, null, null);
      }
    }
  }

  /** Watches from now on. */
  static JvmPauses watch(LongSupplier nanoClock) {
    return new JvmPauses(nanoClock);
  }

  private void heard(Notification notification, Object handback) {
    if (!notification
        .getType()
        .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
      return;
    }
    GcInfo info =
        GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData())
            .getGcInfo();
    add(
        jvmStartNanos + TimeUnit.MILLISECONDS.toNanos(info.getStartTime()),
        jvmStartNanos + TimeUnit.MILLISECONDS.toNanos(info.getEndTime()));
  }

  /** A pause on the clock. */
  synchronized void add(long begin, long end) {
    pauses.add(new Pause(begin - ROUNDING_NANOS, end + ROUNDING_NANOS));
  }

  /** Whether there was a pause between two times of the clock. */
  synchronized boolean between(long from, long to) {
    for (Pause pause : pauses) {
      if (pause.begin <= to && pause.end >= from) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    for (NotificationEmitter emitter : emitters) {
      try {
        emitter.removeNotificationListener(listener);
      } catch (ListenerNotFoundException e) {
        throw new IllegalStateException("the listener of a collector is gone", e);
      }
    }
  }
}
