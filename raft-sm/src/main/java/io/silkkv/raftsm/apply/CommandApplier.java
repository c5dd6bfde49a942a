package io.silkkv.raftsm.apply;

import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.engine.api.VersionedValue;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.api.WriteBatch.Mutation;
import io.silkkv.raftsm.command.Command;
import io.silkkv.raftsm.command.CommandResult;
import io.silkkv.raftsm.command.CommandResult.Applied;
import io.silkkv.raftsm.command.CommandResult.ConditionFailed;
import io.silkkv.raftsm.command.Condition;
import io.silkkv.raftsm.command.LogEntry;
import io.silkkv.raftsm.command.SessionStamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides what the commands of an entry do and writes it to the engine as one batch. The outcome
 * depends on the entries so far and on nothing else. Not thread-safe: guarded by the mutex of
 * {@link ReplicaStore}.
 */
final class CommandApplier {
  private final StorageEngine engine;
  private final SessionTable sessions;

  CommandApplier(StorageEngine engine, SessionTable sessions) {
    this.engine = engine;
    this.sessions = sessions;
  }

  /** One result per command, in order. */
  List<CommandResult> apply(LogEntry entry, long term, long index) {
    sessions.advance(term, entry.leaderMillis());
    Pending pending = new Pending(engine.applied().sequence(), hasConditions(entry.commands()));
    List<CommandResult> results = new ArrayList<>(entry.commands().size());
    for (Command command : entry.commands()) {
      results.add(apply(command, pending));
    }
    engine.write(pending.batch, new LogPosition(term, index, pending.sequence));
    return results;
  }

  /** Notes an entry that holds no commands of ours. */
  void skip(long term, long index) {
    engine.write(new WriteBatch(), new LogPosition(term, index, engine.applied().sequence()));
  }

  private CommandResult apply(Command command, Pending pending) {
    SessionStamp session = command.session();
    if (session == null) {
      return execute(command, pending);
    }
    CommandResult known = sessions.begin(session);
    if (known != null) {
      return known;
    }
    CommandResult result = execute(command, pending);
    sessions.record(session, result);
    return result;
  }

  private CommandResult execute(Command command, Pending pending) {
    List<Condition> conditions = command.conditions();
    for (int i = 0; i < conditions.size(); i++) {
      Condition condition = conditions.get(i);
      VersionedValue found = pending.find(condition.key(), engine);
      if (!holds(condition, found)) {
        return new ConditionFailed(i, found == null ? 0 : found.version());
      }
    }
    for (Mutation mutation : command.mutations().mutations()) {
      pending.add(mutation);
    }
    return new Applied(pending.sequence);
  }

  private static boolean holds(Condition condition, @Nullable VersionedValue found) {
    if (condition instanceof Condition.Absent) {
      return found == null;
    }
    if (found == null) {
      return false;
    }
    if (condition instanceof Condition.VersionEquals equals) {
      return found.version() == equals.version();
    }
    if (condition instanceof Condition.ValueEquals equals) {
      return found.value().equals(equals.value());
    }
    return true;
  }

  private static boolean hasConditions(List<Command> commands) {
    for (Command command : commands) {
      if (!command.conditions().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** What earlier commands of the same entry will have written when the entry is applied. */
  private static final class Pending {
    private final WriteBatch batch = new WriteBatch();
    // Kept only when a condition of the entry may ask for it.
    private final @Nullable Map<Slice, Edit> overlay;
    private final List<WriteBatch.DeleteRange> ranges = new ArrayList<>();
    private long sequence;

    /** The newest state of a key; no value means that it was removed. */
    private record Edit(@Nullable VersionedValue value) {}

    Pending(long sequence, boolean track) {
      this.sequence = sequence;
      this.overlay = track ? new HashMap<>() : null;
    }

    void add(Mutation mutation) {
      batch.add(mutation);
      sequence++;
      if (overlay == null) {
        return;
      }
      if (mutation instanceof WriteBatch.DeleteRange range) {
        overlay.keySet().removeIf(key -> isIn(key, range));
        ranges.add(range);
      } else {
        Edit edit =
            new Edit(
                mutation instanceof WriteBatch.Put put
                    ? new VersionedValue(put.value(), sequence)
                    : null);
        overlay.put(mutation.key(), edit);
      }
    }

    @Nullable VersionedValue find(Slice key, StorageEngine engine) {
      Edit edit = overlay == null ? null : overlay.get(key);
      if (edit != null) {
        return edit.value();
      }
      // What was written after a range was deleted is in the overlay.
      return ranges.stream().anyMatch(range -> isIn(key, range)) ? null : engine.get(key);
    }

    private static boolean isIn(Slice key, WriteBatch.DeleteRange range) {
      return key.compareTo(range.start()) >= 0 && key.compareTo(range.end()) < 0;
    }
  }
}
