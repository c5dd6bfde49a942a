package io.silkkv.engine.compaction;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.version.Levels;
import io.silkkv.engine.version.TableMetadata;
import io.silkkv.engine.version.VersionEdit;
import java.util.ArrayList;
import java.util.List;

/** A described tree: tables by level, with sizes and key ranges. */
final class Tree {
  /** Base size 1000, factor 10, tables of 100, 4 tables start a merge of level 0. */
  static final CompactionOptions OPTIONS =
      new CompactionOptions(4, 1000, 10, List.of(), 100, 2500, 2, 2, 50, 1000);

  private final List<VersionEdit.Added> added = new ArrayList<>();
  private long lastNumber;

  /** Adds a table with 10 entries; later ones are newer. Returns its number. */
  long table(int level, String from, String to, long bytes) {
    return table(level, from, to, bytes, 0, 0);
  }

  long table(int level, String from, String to, long bytes, int deletions, long createdSeconds) {
    return table(level, from, to, bytes, deletions, createdSeconds, 0);
  }

  /** A table with one range deletion, which covers so many bytes of deeper levels. */
  long covering(int level, String from, String to, long bytes, long coveredBytes) {
    return table(level, from, to, bytes, 0, 0, coveredBytes);
  }

  private long table(
      int level,
      String from,
      String to,
      long bytes,
      int deletions,
      long createdSeconds,
      long coveredBytes) {
    long number = ++lastNumber;
    TableMetadata table =
        new TableMetadata(
            number,
            bytes,
            10,
            deletions,
            number * 10,
            number * 10 + 9,
            Slice.utf8(from),
            Slice.utf8(to),
            createdSeconds,
            bytes,
            new TableMetadata.Ranges(coveredBytes > 0 ? 1 : 0, false, coveredBytes));
    added.add(new VersionEdit.Added(level, table));
    return number;
  }

  /** Fills a level with tables of 100 bytes, keys {@code 0000 .. 9999} spread over them. */
  Tree filled(int level, int tables) {
    for (int i = 0; i < tables; i++) {
      int from = 10_000 * i / tables;
      int to = 10_000 * (i + 1) / tables - 1;
      table(level, String.format("%04d", from), String.format("%04d", to), 100);
    }
    return this;
  }

  Levels levels() {
    return Levels.EMPTY.apply(VersionEdit.replace(List.of(), added));
  }

  static List<Long> numbers(List<TableMetadata> tables) {
    return tables.stream().map(TableMetadata::number).toList();
  }

  /** The situation with one more job under way. */
  static Situation running(Situation now, Compaction... jobs) {
    List<Compaction> running = new ArrayList<>(now.running());
    running.addAll(List.of(jobs));
    return new Situation(
        now.levels(), running, now.damaged(), now.live(), now.nowSeconds(), now.passedOver());
  }

  static Situation at(Levels levels, long nowSeconds) {
    Situation now = Situation.of(levels);
    return new Situation(
        levels, now.running(), now.damaged(), now.live(), nowSeconds, now.passedOver());
  }
}
