package io.silkkv.engine.scheduler;

/**
 * How full one engine is at one moment.
 *
 * @param writtenBytes bytes written to its memtables since it was opened; only grows
 * @param unflushedBytes size of the memtables that are closed and not yet durable
 * @param roomBytes what still fits into the active memtable before it wants to be flushed
 * @param l0Fill tables of level 0, as a multiple of the number that starts a compaction
 */
public record EngineLoad(long writtenBytes, long unflushedBytes, long roomBytes, double l0Fill) {}
