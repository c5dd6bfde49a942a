package io.silkkv.ops.bench.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A workload by its name and what is different from it; null leaves a thing as the workload has it.
 * Goes to the worker as it is.
 *
 * @param name one of {@link Workloads#names}
 * @param rate operations per second of the peak; everything else is scaled with it
 * @param mix shares of the kinds of operations, e.g. {@code put=50,get=45,scan=5}
 * @param keys how keys are chosen: uniform, zipfian or latest
 * @param keyBytes length of keys, 8 or more
 * @param valueBytes length of all values
 * @param scanEntries most entries of a scan
 * @param peakSeconds lengths of the peaks, one after the other
 * @param valleySeconds length of the valleys between them
 * @param valleyRate operations per second in the valleys
 */
record WorkloadOptions(
    String name,
    @Nullable Double rate,
    @Nullable String mix,
    @Nullable String keys,
    @Nullable Integer keyBytes,
    @Nullable Integer valueBytes,
    @Nullable Integer scanEntries,
    @Nullable List<Double> peakSeconds,
    @Nullable Double valleySeconds,
    @Nullable Double valleyRate) {

  /** The workload as it is. */
  static WorkloadOptions of(String name) {
    return new WorkloadOptions(name, null, null, null, null, null, null, null, null, null);
  }
}
