package io.silkkv.engine.io;

/** Why a byte moves. The order is the order of importance. */
public enum IoClass {
  /** The Raft log: measured, never throttled. */
  LOG,
  /** A get or scan of a client: measured, never throttled. */
  CLIENT_READ,
  /** Catch-up reads and log shipping to followers: measured, never throttled. */
  REPLICATION,
  /** Opening files and replaying edits while a replica starts: measured, never throttled. */
  RECOVERY,
  /** Manifests: small, and written under a lock. Measured, never throttled. */
  METADATA,
  /** Memtable to L0. */
  FLUSH,
  /** L0 into the first sorted level, and merges within L0. */
  L0,
  /** Compaction between sorted levels. */
  DEEP,
  /** Checkpoints on their way to another node. */
  TRANSFER,
  /** Background verification. */
  SCRUB,
  /** Removal of obsolete files. */
  DELETE;

  /** Whether the I/O scheduler may let such bytes wait. */
  public boolean isThrottled() {
    return compareTo(FLUSH) >= 0;
  }
}
