package io.silkkv.raftsm.command;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.WriteBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** Commands of every shape, over few keys so that they meet. */
public final class RandomCommands {
  private RandomCommands() {}

  public static List<Command> some(Random random, int count) {
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      commands.add(one(random));
    }
    return commands;
  }

  public static Command one(Random random) {
    SessionStamp session = null;
    if (random.nextInt(3) > 0) {
      long sequence = 1L + random.nextInt(1_000);
      session =
          new SessionStamp(
              new UUID(0, random.nextInt(5)), sequence, Math.max(0, sequence - random.nextInt(40)));
    }
    List<Condition> conditions = new ArrayList<>();
    while (random.nextInt(3) == 0) {
      conditions.add(condition(random));
    }
    WriteBatch mutations = new WriteBatch();
    while (random.nextInt(3) > 0) {
      if (random.nextInt(4) == 0) {
        mutations.delete(key(random));
      } else if (random.nextInt(8) == 0) {
        Slice start = key(random);
        mutations.deleteRange(start, Slice.utf8(start.toUtf8() + random.nextInt(3)));
      } else {
        mutations.put(key(random), value(random));
      }
    }
    return new Command(session, conditions, mutations);
  }

  public static Condition condition(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> new Condition.Absent(key(random));
      case 1 -> new Condition.Present(key(random));
      case 2 -> new Condition.VersionEquals(key(random), random.nextInt(500));
      default -> new Condition.ValueEquals(key(random), value(random));
    };
  }

  public static Slice key(Random random) {
    return Slice.utf8("key" + random.nextInt(12));
  }

  public static Slice value(Random random) {
    return Slice.utf8("v" + random.nextInt(6));
  }
}
