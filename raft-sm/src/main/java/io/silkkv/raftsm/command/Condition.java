package io.silkkv.raftsm.command;

import io.silkkv.engine.api.Slice;

/** What must be true of a key for a command to be applied. */
public sealed interface Condition {
  Slice key();

  /** The key has no value. */
  record Absent(Slice key) implements Condition {}

  /** The key has a value. */
  record Present(Slice key) implements Condition {}

  /** The key has a value that was written at this sequence. */
  record VersionEquals(Slice key, long version) implements Condition {
    /**
     * @throws IllegalArgumentException when the version is negative
     */
    public VersionEquals {
      if (version < 0) {
        throw new IllegalArgumentException("version " + version + " must not be negative");
      }
    }
  }

  /** The key has exactly this value. */
  record ValueEquals(Slice key, Slice value) implements Condition {}
}
