package io.silkkv.ops.bench.engine;

import io.silkkv.ops.bench.load.Phase;
import io.silkkv.ops.bench.load.data.Draw;
import io.silkkv.ops.bench.load.data.KeyChooser;
import io.silkkv.ops.bench.load.data.KeyFormat;
import io.silkkv.ops.bench.load.data.OpKind;
import io.silkkv.ops.bench.load.data.Operation;
import io.silkkv.ops.bench.load.data.OperationMix;
import io.silkkv.ops.bench.load.data.OperationSource;
import io.silkkv.ops.bench.load.data.ValueSizes;
import java.util.List;

/**
 * What is asked of an engine, and how fast.
 *
 * @param name as on the command line
 * @param phases offered rates, repeated until the run ends
 * @param recipe which operations
 * @param sizes of the values
 * @param keyFormat how keys look
 */
record Workload(
    String name, List<Phase> phases, Recipe recipe, ValueSizes sizes, KeyFormat keyFormat) {
  /** Enough draws for a mean that is the same in the second digit for every seed. */
  private static final int SIZE_SAMPLES = 20_000;

  Workload {
    phases = List.copyOf(phases);
  }

  /** Which operation has which number. */
  sealed interface Recipe {
    /** What changes in the number of keys per operation; for the size of the live data. */
    double keysPerOperation();

    /** Share (0 to 1) of the operations that write a value. */
    double putShare();
  }

  /**
   * Operations in shares.
   *
   * @param insertShare share (0 to 1) of all operations that put a new key
   * @param shares of the other operations
   */
  record Mix(double insertShare, List<OperationMix.Share> shares, KeyChooser chooser)
      implements Recipe {
    @Override
    public double keysPerOperation() {
      return insertShare;
    }

    @Override
    public double putShare() {
      double all = shares.stream().mapToDouble(OperationMix.Share::weight).sum();
      double puts =
          shares.stream()
              .filter(share -> share.kind() == OpKind.PUT || share.kind() == OpKind.RMW)
              .mapToDouble(OperationMix.Share::weight)
              .sum();
      return insertShare + (all == 0 ? 0 : (1 - insertShare) * puts / all);
    }
  }

  /**
   * A queue: an entry is appended, the first living one is looked for from the very beginning, and
   * the first one is removed. What the seek has to cross grows until compaction takes the deleted
   * entries away.
   */
  record Queue() implements Recipe {
    private static final int STEPS = 3;

    @Override
    public double keysPerOperation() {
      return 0;
    }

    @Override
    public double putShare() {
      return 1.0 / STEPS;
    }
  }

  /**
   * The operations of a run.
   *
   * @param initialKeys keys that the pre-fill has put: 0 to initialKeys - 1
   */
  OperationSource source(long seed, long initialKeys) {
    if (recipe instanceof Mix mix) {
      return new OperationMix(
          seed, Math.max(1, initialKeys), mix.insertShare(), mix.shares(), mix.chooser(), sizes);
    }
    return number -> {
      long round = number / Queue.STEPS;
      return switch ((int) (number % Queue.STEPS)) {
        case 0 -> Operation.put(initialKeys + round, sizes.size(new Draw(seed, number)));
        case 1 -> Operation.seek(0);
        default -> Operation.delete(round);
      };
    };
  }

  /** Bytes of a key and its value, on average. */
  double entryBytes(long seed) {
    double sum = 0;
    for (int i = 0; i < SIZE_SAMPLES; i++) {
      sum += sizes.size(new Draw(seed, i));
    }
    return keyFormat.key(0).length + sum / SIZE_SAMPLES;
  }

  /** How many keys make up a pre-fill of so many bytes. */
  long keysIn(long bytes, long seed) {
    return Math.round(bytes / entryBytes(seed));
  }

  /** The highest offered rate. */
  double peak() {
    return phases.stream().mapToDouble(Phase::opsPerSecond).max().orElse(0);
  }
}
