package io.silkkv.raftsm;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells Ratis after a flush to take a snapshot, because Ratis purges its log nowhere else. One
 * request at a time; a flush that ends meanwhile is noticed afterwards. A request that fails (the
 * replica is starting, stopping or being replaced) is not repeated: the next flush asks again.
 * Thread-safe, without locks.
 */
final class SnapshotTrigger implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotTrigger.class);
  private static final long TIMEOUT_MILLIS = 60_000;

  private final KvStateMachine machine;
  private final ClientId clientId = ClientId.randomId();
  private final AtomicLong callId = new AtomicLong();
  private final AtomicBoolean underWay = new AtomicBoolean();

  SnapshotTrigger(KvStateMachine machine) {
    this.machine = machine;
  }

  @Override
  public void run() {
    RaftServer server = machine.getServer().getNow(null);
    if (server == null || !machine.snapshotWouldHelp() || !underWay.compareAndSet(false, true)) {
      return;
    }
    SnapshotManagementRequest request =
        SnapshotManagementRequest.newCreate(
            clientId,
            server.getId(),
            machine.getGroupId(),
            callId.incrementAndGet(),
            TIMEOUT_MILLIS,
            1);
    CompletableFuture<RaftClientReply> unused =
        server.snapshotManagementAsync(request).whenComplete(this::ended);
  }

  private void ended(@Nullable RaftClientReply reply, @Nullable Throwable failure) {
    underWay.set(false);
    if (failure == null && reply != null && reply.isSuccess()) {
      run();
    } else {
      LOG.debug("{}: Ratis takes no snapshot now: {}", machine, reply, failure);
    }
  }
}
