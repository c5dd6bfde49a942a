package io.silkkv.engine.api;

/**
 * What an engine tells its owner. Calls come from background threads, hold no engine lock, and must
 * return fast.
 */
public interface EngineListener {
  /** The engine needs its memory or the log needs the space: please call {@code rotate} soon. */
  void flushWanted();

  /** Everything up to {@code position} is now durable in files. */
  void flushed(LogPosition position);

  /**
   * A table cannot be read any more. The engine goes on: reads of the damaged part fail, all else
   * works. Called once for each table. The remedy is another copy of the data: a checkpoint of a
   * healthy replica. An owner without one need not listen: the log and the figures say it too.
   */
  default void damaged(CorruptionException cause) {}

  /** A background job failed for good; the engine refuses writes from now on. Called once. */
  void failed(EngineException cause);
}
