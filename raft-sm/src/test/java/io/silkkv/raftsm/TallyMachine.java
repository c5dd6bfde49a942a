package io.silkkv.raftsm;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;

/** The smallest state machine: counts the entries it applied. */
final class TallyMachine extends BaseStateMachine {
  private final AtomicLong applied = new AtomicLong();
  private final AtomicInteger snapshotRequests = new AtomicInteger();

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
    var entry = transaction.getLogEntry();
    applied.incrementAndGet();
    updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
    return CompletableFuture.completedFuture(Message.EMPTY);
  }

  @Override
  public CompletableFuture<TermIndex> notifyInstallSnapshotFromLeader(
      RoleInfoProto role, TermIndex firstAvailable) {
    snapshotRequests.incrementAndGet();
    return CompletableFuture.completedFuture(null);
  }

  int snapshotRequests() {
    return snapshotRequests.get();
  }

  long applied() {
    return applied.get();
  }
}
