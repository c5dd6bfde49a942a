package io.silkkv.engine.compaction;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.version.TableMetadata;
import java.util.Comparator;
import java.util.List;

/** The keys that tables span together. */
final class KeyRange {
  private KeyRange() {}

  static Slice smallest(List<TableMetadata> tables) {
    return tables.stream()
        .map(TableMetadata::smallest)
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }

  static Slice largest(List<TableMetadata> tables) {
    return tables.stream().map(TableMetadata::largest).max(Comparator.naturalOrder()).orElseThrow();
  }
}
