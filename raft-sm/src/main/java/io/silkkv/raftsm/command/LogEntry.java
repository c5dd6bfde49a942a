package io.silkkv.raftsm.command;

import java.util.List;

/**
 * The decoded content of one Raft log entry.
 *
 * @param leaderMillis the leader's clock when it closed the entry, in milliseconds since the epoch;
 *     the only time that replicas may base decisions on
 * @param commands in the order in which they are applied
 */
public record LogEntry(long leaderMillis, List<Command> commands) {}
