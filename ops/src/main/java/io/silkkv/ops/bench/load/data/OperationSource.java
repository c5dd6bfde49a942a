package io.silkkv.ops.bench.load.data;

/**
 * The operations of a workload. Which operation has which number depends on nothing but the number,
 * so that all systems get the same ones in the same order, however many threads send them.
 */
@FunctionalInterface
public interface OperationSource {
  /**
   * Operation {@code number} of the run, from 0. Thread-safe and cheap: it is called between two
   * sends.
   */
  Operation operation(long number);

  /** The same operations without the first ones, for a run that goes on where another ended. */
  default OperationSource startingAt(long first) {
    return number -> operation(first + number);
  }

  /** Puts every key once, in the order of the indexes: the pre-fill. */
  static OperationSource fill(long seed, ValueSizes sizes) {
    return number -> Operation.put(number, sizes.size(new Draw(seed, number)));
  }
}
