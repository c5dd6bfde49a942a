package io.silkkv.engine.scheduler;

/** Kinds of background work. Each has threads of its own: a flush never queues behind a merge. */
public enum Lane {
  /** Memtables to level 0. */
  FLUSH,
  /** Level 0 to level 1. */
  L0,
  /** Merges between deeper levels. */
  DEEP,
  /** Removal of obsolete files. */
  CLEANUP,
  /** Verification of tables. */
  SCRUB,
  /** Calls to the owners of engines. */
  NOTICE
}
