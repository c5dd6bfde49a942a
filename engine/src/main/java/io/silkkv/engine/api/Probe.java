package io.silkkv.engine.api;

/** What memory alone can say about a key. */
public sealed interface Probe {
  /** The newest version of the key is a value that is in memory. */
  record Found(VersionedValue value) implements Probe {}

  /** The newest version of the key is a deletion that is in memory. */
  record Deleted() implements Probe {}

  /** Memory does not decide; files must be asked. */
  record Unknown() implements Probe {}
}
