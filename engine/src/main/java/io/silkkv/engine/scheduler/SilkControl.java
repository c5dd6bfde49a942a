package io.silkkv.engine.scheduler;

import io.silkkv.engine.api.IoFigures;
import io.silkkv.engine.api.SilkOptions;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.IoCounters;
import io.silkkv.engine.io.IoCounters.Direction;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the load once in a period and sets the limiter's rates by what {@link
 * BandwidthController} makes of it. One thread looks; it waits for nothing but its period and the
 * limiter's lock. Other methods may be called by any thread.
 */
final class SilkControl implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SilkControl.class);

  /** Classes that never wait and take from clients what they use. */
  private static final List<IoClass> CLIENTS =
      List.of(IoClass.CLIENT_READ, IoClass.LOG, IoClass.RECOVERY, IoClass.METADATA);

  /**
   * Classes below deeper compactions: each has this part of T for itself, or it might never end.
   */
  private static final List<IoClass> TRICKLING =
      List.of(IoClass.TRANSFER, IoClass.SCRUB, IoClass.DELETE);

  private static final int TRICKLE_PART = 100;

  /** Changes of floors and of processor shares below this part are not worth waking anybody. */
  private static final double WORTHWHILE = 0.05;

  private final SilkOptions options;
  private final IoCounters counters;
  private final CpuClock cpu;
  private final IoLimiter<PriorityLedger> limiter;
  private final LongSupplier nanoTime;
  private final BandwidthController controller;
  private final List<EngineIo> engines = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "silkkv-io-control");

  /** Totals that are counted elsewhere: bytes written to logs, bytes sent to followers. */
  private volatile LongSupplier logged = () -> 0;

  private volatile LongSupplier replicated = () -> 0;

  /** Processor time that deeper compactions have used. */
  private final AtomicLong deepCpuNanos = new AtomicLong();

  /** Written by the thread only. */
  private volatile Allotment latest;

  private final AtomicLong pauses = new AtomicLong();

  /** What the limiter works by. Confined to the thread. */
  private Allotment applied;

  SilkControl(
      SilkOptions options,
      IoCounters counters,
      CpuClock cpu,
      int processors,
      IoLimiter<PriorityLedger> limiter,
      LongSupplier nanoTime) {
    this.options = options;
    this.counters = counters;
    this.cpu = cpu;
    this.limiter = limiter;
    this.nanoTime = nanoTime;
    this.controller = new BandwidthController(options, processors);
    this.latest = controller.current();
    this.applied = latest;
    limiter.update(
        (ledger, now) -> {
          if (options.parts() != SilkOptions.Parts.BANDWIDTH_ONLY) {
            long trickle = Math.max(1, options.deviceBytesPerSecond() / TRICKLE_PART);
            TRICKLING.forEach(why -> ledger.reserve(why, trickle, now));
          }
        });
    apply(latest);
  }

  void start() {
    thread.setDaemon(true);
    thread.start();
  }

  void add(EngineIo engine) {
    engines.add(engine);
  }

  void remove(EngineIo engine) {
    engines.remove(engine);
  }

  void countTraffic(LongSupplier loggedBytes, LongSupplier replicatedBytes) {
    logged = loggedBytes;
    replicated = replicatedBytes;
  }

  long threadCpu() {
    return cpu.thread().getAsLong();
  }

  /** Processor time that the calling thread's job has used since it last asked. */
  long cpuOf(IoJob job, IoClass why) {
    long used = job.cpuSince(threadCpu());
    if (why == IoClass.DEEP) {
      deepCpuNanos.addAndGet(used);
    }
    return used;
  }

  private void run() {
    boolean healthy = true;
    while (!awaitClose()) {
      try {
        look();
        healthy = true;
      } catch (RuntimeException e) {
        // Rates stay as they are; said once, because it would come back in every period.
        if (healthy) {
          LOG.error("the I/O scheduler cannot see the load", e);
        }
        healthy = false;
      }
    }
  }

  private boolean awaitClose() {
    try {
      return closed.await(options.periodMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      // Nobody interrupts this thread but a stopping process.
      return true;
    }
  }

  /** One period's work. */
  void look() {
    Allotment before = latest;
    Allotment next = controller.look(sample());
    if (next.deepPaused() && !before.deepPaused()) {
      pauses.incrementAndGet();
    }
    latest = next;
    if (isWorthwhile(next)) {
      apply(next);
    }
  }

  private BandwidthController.Sample sample() {
    long now = nanoTime.getAsLong();
    double flushNeed = 0;
    double l0Need = 0;
    for (EngineIo engine : engines) {
      EngineDemand demand = engine.look(now);
      flushNeed += demand.flushNeed();
      l0Need += demand.l0Need();
    }
    long clients = logged.getAsLong();
    for (IoClass why : CLIENTS) {
      clients += bytes(why);
    }
    long process = cpu.process().getAsLong();
    long busy = process < 0 ? 0 : process - deepCpuNanos.get();
    return new BandwidthController.Sample(
        now, clients, bytes(IoClass.REPLICATION) + replicated.getAsLong(), busy, flushNeed, l0Need);
  }

  private long bytes(IoClass why) {
    return counters.bytes(why, Direction.READ) + counters.bytes(why, Direction.WRITE);
  }

  private boolean isWorthwhile(Allotment next) {
    return next.internalRate() != applied.internalRate()
        || next.deepPaused() != applied.deepPaused()
        || differs((double) next.flushFloor(), (double) applied.flushFloor())
        || differs((double) next.l0Floor(), (double) applied.l0Floor())
        || differs(next.deepCores(), applied.deepCores());
  }

  private static boolean differs(double next, double applied) {
    return Math.abs(next - applied) > applied * WORTHWHILE;
  }

  private void apply(Allotment next) {
    applied = next;
    limiter.update(
        (ledger, now) -> {
          ledger.setRate(next.internalRate(), now);
          if (options.parts() != SilkOptions.Parts.BANDWIDTH_ONLY) {
            ledger.reserve(IoClass.FLUSH, next.flushFloor(), now);
            ledger.reserve(IoClass.L0, next.l0Floor(), now);
            ledger.setPaused(IoClass.DEEP, next.deepPaused());
          }
          if (options.parts() == SilkOptions.Parts.ALL) {
            ledger.limitCpu(IoClass.DEEP, next.deepCores(), now);
          }
        });
  }

  IoFigures figures(String policy) {
    Allotment now = latest;
    return new IoFigures(
        policy,
        options.deviceBytesPerSecond(),
        now.clientRate(),
        now.replicationRate(),
        now.internalRate(),
        now.flushFloor(),
        now.l0Floor(),
        now.deepPaused(),
        pauses.get(),
        now.deepCores(),
        limiter.figures());
  }

  /** Ends the thread. Idempotent. */
  @Override
  public void close() {
    closed.countDown();
    boolean interrupted = false;
    while (thread.isAlive() && thread != Thread.currentThread()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
