/**
 * When background work of all engines of a node happens. {@link
 * io.silkkv.engine.scheduler.BackgroundJobs} decides which thread runs which job, and {@link
 * io.silkkv.engine.scheduler.IoScheduler} when the job may move its next bytes. Knows nothing of
 * what the jobs do.
 *
 * <p>Data flow of SILK: counters and engines -> SilkControl, once in a period ->
 * BandwidthController -> Allotment -> PriorityLedger; job -> ScheduledFileSystem -> IoLimiter,
 * which asks the ledger and lets the thread wait.
 */
@NullMarked
package io.silkkv.engine.scheduler;

import org.jspecify.annotations.NullMarked;
