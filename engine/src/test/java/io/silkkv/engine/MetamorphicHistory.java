package io.silkkv.engine;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.scheduler.Lane;
import io.silkkv.engine.testkit.FaultInjectingFileSystem.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Operations that mean the same whatever the engine is like. Each can be left out without making
 * the others impossible: one that refers to a view that is not open does nothing.
 */
final class MetamorphicHistory {
  private static final int KEYS = 60;
  private static final int VIEWS = 4;
  private static final List<Lane> LANES = List.of(Lane.values());
  private static final List<Operation> FAULTS =
      List.of(
          Operation.CREATE,
          Operation.WRITE,
          Operation.SYNC,
          Operation.SYNC_DIRECTORY,
          Operation.RENAME,
          Operation.OPEN,
          Operation.READ);

  /** One operation. */
  sealed interface Step {}

  record Write(WriteBatch batch) implements Step {
    @Override
    public String toString() {
      return batch.mutations().stream()
          .map(Write::brief)
          .collect(Collectors.joining(", ", "Write ", ""));
    }

    /** Values are chance: their size says enough. */
    private static String brief(WriteBatch.Mutation mutation) {
      return mutation instanceof WriteBatch.Put put
          ? "Put " + put.key() + " of " + put.value().length() + " bytes"
          : mutation.toString();
    }
  }

  /** The model takes the write, the engine does not: to test the test. */
  record LostWrite(Slice key) implements Step {}

  record Rotate() implements Step {}

  record RunJob(Lane lane) implements Step {}

  record RunAllJobs() implements Step {}

  record Get(Slice key) implements Step {}

  record OpenView(int view) implements Step {}

  record CloseView(int view) implements Step {}

  record ReadView(int view) implements Step {}

  /** A walk over a range, of a view, or of the newest state when the view is not open. */
  record Scan(int view, Slice lower, Slice upper, boolean forward, int limit) implements Step {}

  record Checkpoint() implements Step {}

  record Reopen() implements Step {}

  record Crash(long seed) implements Step {}

  /** The nth operation of a kind from now on fails, if background work gets there. */
  record Fault(Operation operation, int nth) implements Step {}

  record Seconds(int seconds) implements Step {}

  private MetamorphicHistory() {}

  static Slice key(int number) {
    byte[] key = new byte[1 + number % 4];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) ((number * 37) >> i);
    }
    return Slice.wrap(key);
  }

  static List<Step> random(RandomGenerator random, int count) {
    List<Step> steps = new ArrayList<>();
    while (steps.size() < count) {
      steps.add(step(random));
    }
    return List.copyOf(steps);
  }

  private static Step step(RandomGenerator random) {
    int choice = random.nextInt(100);
    int view = random.nextInt(VIEWS);
    if (choice < 34) {
      return new Write(batch(random));
    } else if (choice < 42) {
      return new Rotate();
    } else if (choice < 60) {
      return new RunJob(LANES.get(random.nextInt(LANES.size())));
    } else if (choice < 64) {
      return new RunAllJobs();
    } else if (choice < 70) {
      return new Get(key(random.nextInt(KEYS)));
    } else if (choice < 75) {
      return new OpenView(view);
    } else if (choice < 78) {
      return new CloseView(view);
    } else if (choice < 81) {
      return new ReadView(view);
    } else if (choice < 90) {
      Slice one = key(random.nextInt(KEYS));
      Slice other = key(random.nextInt(KEYS));
      boolean ordered = one.compareTo(other) <= 0;
      return new Scan(
          view,
          ordered ? one : other,
          ordered ? other : one,
          random.nextBoolean(),
          1 + random.nextInt(40));
    } else if (choice < 92) {
      return new Checkpoint();
    } else if (choice < 94) {
      return new Reopen();
    } else if (choice < 96) {
      return new Crash(random.nextLong());
    } else if (choice < 98) {
      return new Fault(FAULTS.get(random.nextInt(FAULTS.size())), 1 + random.nextInt(20));
    }
    return new Seconds(1 + random.nextInt(20));
  }

  private static WriteBatch batch(RandomGenerator random) {
    WriteBatch batch = new WriteBatch();
    for (int i = random.nextInt(8); i > 0; i--) {
      Slice key = key(random.nextInt(KEYS));
      int choice = random.nextInt(12);
      if (choice == 0) {
        Slice other = key(random.nextInt(KEYS));
        int order = key.compareTo(other);
        if (order != 0) {
          batch.deleteRange(order < 0 ? key : other, order < 0 ? other : key);
        }
      } else if (choice < 4) {
        batch.delete(key);
      } else {
        byte[] value = new byte[random.nextInt(6) == 0 ? 900 : random.nextInt(60)];
        random.nextBytes(value);
        batch.put(key, Slice.wrap(value));
      }
    }
    return batch;
  }
}
