package io.silkkv.raftsm;

import io.silkkv.engine.api.LogPosition;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells Ratis after a flush to take a snapshot, because Ratis purges its log nowhere else. One
 * request at a time; a flush that ends meanwhile is noticed afterwards. A request that fails (the
 * replica is starting, stopping or being replaced) or changes nothing (Ratis answers "success" when
 * it sees nothing to do) is not repeated: the next flush asks again. Thread-safe, without locks.
 */
final class SnapshotTrigger implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotTrigger.class);

  private final String shard;
  private final Supplier<LogPosition> durable;
  private final BooleanSupplier wouldHelp;
  private final Supplier<CompletableFuture<Boolean>> request;
  private final AtomicBoolean underWay = new AtomicBoolean();

  /**
   * @param shard the shard, for messages
   * @param durable the newest position that a snapshot could have
   * @param wouldHelp whether Ratis should take a snapshot now
   * @param request asks Ratis for one; completes with whether Ratis was content
   */
  SnapshotTrigger(
      String shard,
      Supplier<LogPosition> durable,
      BooleanSupplier wouldHelp,
      Supplier<CompletableFuture<Boolean>> request) {
    this.shard = shard;
    this.durable = durable;
    this.wouldHelp = wouldHelp;
    this.request = request;
  }

  @Override
  public void run() {
    if (!wouldHelp.getAsBoolean() || !underWay.compareAndSet(false, true)) {
      return;
    }
    LogPosition asked = durable.get();
    CompletableFuture<Boolean> unused =
        request.get().whenComplete((content, failure) -> ended(asked, content, failure));
  }

  private void ended(LogPosition asked, @Nullable Boolean content, @Nullable Throwable failure) {
    underWay.set(false);
    if (!Boolean.TRUE.equals(content)) {
      LOG.debug("{}: Ratis takes no snapshot now", shard, failure);
    } else if (durable.get().isAfter(asked)) {
      run();
    }
  }
}
