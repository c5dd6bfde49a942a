package io.silkkv.ops.bench.engine;

/**
 * All that a worker must know; the first line that it reads, as JSON.
 *
 * @param label name in the report
 * @param system the registered name
 * @param fixedRate bytes per second for systems with a fixed rate, else 0
 * @param round from 1
 * @param directory holds nothing yet
 * @param probeSeconds length of each half of the device's probe; 0 for no probe
 */
record WorkerTask(
    String label,
    String system,
    long fixedRate,
    int round,
    String directory,
    double probeSeconds,
    WorkloadOptions workload,
    EngineSettings settings,
    RunPlan plan) {}
