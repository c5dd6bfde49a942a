package io.silkkv.engine.scheduler;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.LongSupplier;

/**
 * Processor time used so far, in nanoseconds.
 *
 * @param process of all threads of this process; below 0 when the system does not tell
 * @param thread of the calling thread
 */
public record CpuClock(LongSupplier process, LongSupplier thread) {
  /** The clocks of the virtual machine. */
  public static CpuClock system() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    boolean known = threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled();
    if (known
        && ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system) {
      return new CpuClock(system::getProcessCpuTime, threads::getCurrentThreadCpuTime);
    }
    return unknown();
  }

  /** Clocks that tell nothing: processor time is not limited then. */
  public static CpuClock unknown() {
    return new CpuClock(() -> -1, () -> 0);
  }
}
