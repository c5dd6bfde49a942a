package io.silkkv.engine.api;

/** What memory alone (memtables and cached blocks) can say about a key. */
public sealed interface Probe {
  /** The newest version of the key is a value that is in memory. */
  record Found(VersionedValue value) implements Probe {}

  /** The key has no value: its newest version is a deletion, or no part can hold it. */
  record Absent() implements Probe {}

  /** Memory does not decide; files must be asked. */
  record Unknown() implements Probe {}
}
