package io.silkkv.raftsm.command;

import io.silkkv.engine.api.WriteBatch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One atomic write: when all conditions hold, all mutations are applied, else none. The batch and
 * the bytes behind its slices must not change after the command was made.
 *
 * @param session makes a retry of this command harmless; null when the client does not care
 * @param conditions checked in order before anything is written
 * @param mutations edits in order; may be empty
 */
public record Command(
    @Nullable SessionStamp session, List<Condition> conditions, WriteBatch mutations) {
  public Command {
    conditions = List.copyOf(conditions);
  }

  /** A write without session and conditions. */
  public static Command of(WriteBatch mutations) {
    return new Command(null, List.of(), mutations);
  }
}
