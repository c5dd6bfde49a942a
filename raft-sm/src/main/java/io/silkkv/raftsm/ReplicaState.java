package io.silkkv.raftsm;

import org.jspecify.annotations.Nullable;

/**
 * What a replica knows of itself at one moment; the parts are read one after the other.
 *
 * @param role its part in the Raft group
 * @param ready whether it leads and has applied everything that earlier leaders committed
 * @param term current Raft term
 * @param leaderPeerId who leads; null when unknown
 * @param committedIndex last log entry that is known to be committed
 * @param appliedIndex last log entry that is in the engine
 * @param flushedIndex last log entry that is in the engine's files
 * @param logStartIndex first log entry that is still kept
 * @param sequence sequence of the newest mutation
 * @param sessions clients whose writes are remembered
 * @param replayedEntries entries of the log that were applied again when this process started
 * @param installedCheckpoints checkpoints that replaced the engine since this process started
 * @param proposedCommands commands that this replica put into the log since this process started
 * @param proposedEntries log entries that they shared
 */
public record ReplicaState(
    Role role,
    boolean ready,
    long term,
    @Nullable String leaderPeerId,
    long committedIndex,
    long appliedIndex,
    long flushedIndex,
    long logStartIndex,
    long sequence,
    int sessions,
    long replayedEntries,
    long installedCheckpoints,
    long proposedCommands,
    long proposedEntries) {

  /** Part in a Raft group. */
  public enum Role {
    LEADER,
    FOLLOWER,
    CANDIDATE,
    LISTENER,
    /** Not taking part yet or any more. */
    STOPPED
  }
}
