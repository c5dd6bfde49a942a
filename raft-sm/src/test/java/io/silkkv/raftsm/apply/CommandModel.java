package io.silkkv.raftsm.apply;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.VersionedValue;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.api.WriteBatch.Mutation;
import io.silkkv.raftsm.command.Command;
import io.silkkv.raftsm.command.CommandResult;
import io.silkkv.raftsm.command.CommandResult.Applied;
import io.silkkv.raftsm.command.CommandResult.ConditionFailed;
import io.silkkv.raftsm.command.CommandResult.SessionExpired;
import io.silkkv.raftsm.command.Condition;
import io.silkkv.raftsm.command.LogEntry;
import io.silkkv.raftsm.command.SessionStamp;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** The same rules, written down differently: nothing is ever forgotten but what clients waived. */
final class CommandModel {
  private final TreeMap<Slice, VersionedValue> data = new TreeMap<>();
  private final Map<List<Object>, CommandResult> results = new HashMap<>();
  private final Map<UUID, Long> floors = new HashMap<>();
  private long sequence;

  Map<Slice, VersionedValue> data() {
    return data;
  }

  List<CommandResult> apply(LogEntry entry) {
    return entry.commands().stream().map(this::apply).toList();
  }

  private CommandResult apply(Command command) {
    SessionStamp session = command.session();
    if (session == null) {
      return execute(command);
    }
    if (session.sequence() < session.acknowledgedBelow()) {
      return new SessionExpired();
    }
    long floor = floors.merge(session.clientId(), session.acknowledgedBelow(), Math::max);
    if (session.sequence() < floor) {
      return new SessionExpired();
    }
    List<Object> id = List.of(session.clientId(), session.sequence());
    CommandResult known = results.get(id);
    if (known == null) {
      known = execute(command);
      results.put(id, known);
    }
    return known;
  }

  private static boolean holds(Condition condition, VersionedValue found) {
    if (condition instanceof Condition.Absent) {
      return found == null;
    } else if (condition instanceof Condition.VersionEquals v) {
      return found != null && found.version() == v.version();
    } else if (condition instanceof Condition.ValueEquals v) {
      return found != null && found.value().equals(v.value());
    }
    return found != null;
  }

  private CommandResult execute(Command command) {
    for (Condition condition : command.conditions()) {
      VersionedValue found = data.get(condition.key());
      boolean holds = holds(condition, found);
      if (!holds) {
        return new ConditionFailed(
            command.conditions().indexOf(condition), found == null ? 0 : found.version());
      }
    }
    for (Mutation mutation : command.mutations().mutations()) {
      sequence++;
      if (mutation instanceof WriteBatch.Put put) {
        data.put(put.key(), new VersionedValue(put.value(), sequence));
      } else if (mutation instanceof WriteBatch.DeleteRange range) {
        data.subMap(range.start(), range.end()).clear();
      } else {
        data.remove(mutation.key());
      }
    }
    return new Applied(sequence);
  }
}
