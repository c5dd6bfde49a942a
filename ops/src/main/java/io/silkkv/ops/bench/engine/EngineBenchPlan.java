package io.silkkv.ops.bench.engine;

import java.util.List;

/**
 * What one call of the benchmark measures.
 *
 * @param systems in the order of their turns
 * @param workload what they are asked
 * @param settings what they are given alike
 * @param run how they are measured
 * @param device where their data lies
 * @param rounds turns of each system
 */
record EngineBenchPlan(
    List<EngineSystems.Chosen> systems,
    WorkloadOptions workload,
    EngineSettings settings,
    RunPlan run,
    DeviceChoice device,
    int rounds) {}
