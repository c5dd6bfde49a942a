package io.silkkv.ops.bench.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Makes one fault happen to a cluster, on a thread of its own, after a third of a round. It runs in
 * the load generator's process, so that the fault and its effect are read from one clock.
 *
 * <p>For one thread; the fields are the injector's thread's until that has ended.
 */
final class FaultInjector implements AutoCloseable {
  private final Fault fault;
  private final List<String> endpoints;
  private final List<Long> pids;
  private final ClusterTarget target;
  private final LongSupplier nanoClock;
  private final ScheduledExecutorService thread;
  private final ScheduledFuture<?> begin;
  private final ScheduledFuture<?> end;

  @GuardedBy("this")
  private int member = -1;

  @GuardedBy("this")
  private long faultNanos;

  @GuardedBy("this")
  private boolean paused;

  /**
   * @param pids of the members, in the order of the end points
   * @param seconds length of the round, which begins now
   */
  FaultInjector(
      Fault fault,
      List<String> endpoints,
      List<Long> pids,
      ClusterTarget target,
      double seconds,
      LongSupplier nanoClock) {
    this.fault = fault;
    this.endpoints = List.copyOf(endpoints);
    this.pids = List.copyOf(pids);
    this.target = target;
    this.nanoClock = nanoClock;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread created = new Thread(task, "fault");
              created.setDaemon(true);
              return created;
            });
    long third = Math.round(seconds * TimeUnit.SECONDS.toNanos(1) / 3);
    this.begin =
        thread.schedule(
            () -> {
              inject();
              return null;
            },
            third,
            TimeUnit.NANOSECONDS);
    this.end =
        thread.schedule(
            () -> {
              resume();
              return null;
            },
            2 * third,
            TimeUnit.NANOSECONDS);
  }

  private void inject() throws IOException, InterruptedException {
    int leader = endpoints.indexOf(target.leader());
    if (leader < 0) {
      throw new OpsException(ExitCode.FAULT, "the leader is none of the members " + endpoints);
    }
    synchronized (this) {
      if (fault == Fault.KILL_LEADER) {
        member = leader;
        faultNanos = nanoClock.getAsLong();
        boolean unused = process(member).destroyForcibly();
      } else {
        member = (leader + 1) % endpoints.size();
        faultNanos = nanoClock.getAsLong();
        paused = true;
        signal("STOP", pids.get(member));
      }
    }
  }

  private ProcessHandle process(int index) {
    return ProcessHandle.of(pids.get(index))
        .orElseThrow(
            () -> new OpsException(ExitCode.FAULT, endpoints.get(index) + " runs no longer"));
  }

  private synchronized void resume() throws IOException, InterruptedException {
    if (paused) {
      paused = false;
      signal("CONT", pids.get(member));
    }
  }

  private static void signal(String name, long pid) throws IOException, InterruptedException {
    int code = new ProcessBuilder("kill", "-" + name, "" + pid).inheritIO().start().waitFor();
    if (code != 0) {
      throw new IOException("kill -" + name + " " + pid + " ended with exit code " + code);
    }
  }

  /**
   * What the fault did, once the round is over.
   *
   * @throws OpsException when it could not be made to happen
   */
  FaultFigures figures(Availability availability) throws InterruptedException {
    try {
      begin.get();
      end.get();
    } catch (ExecutionException e) {
      throw new OpsException(
          ExitCode.FAULT, fault.optionName() + " did not work: " + e.getCause(), e);
    }
    synchronized (this) {
      return availability.around(member, faultNanos);
    }
  }

  /** A member that was paused goes on, whatever happened. */
  @Override
  public void close() throws IOException {
    thread.shutdownNow();
    try {
      resume();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
