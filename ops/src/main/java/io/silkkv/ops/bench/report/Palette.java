package io.silkkv.ops.bench.report;

import java.util.List;

/**
 * Which color stands for what. The style sheet holds eight colors that stay apart for color-blind
 * eyes, on a light and on a dark ground; from the ninth system on they come again with dashes.
 */
final class Palette {
  /** All that a process read from its disk, for systems that do not tell classes. */
  static final String DISK_READ = "disk-read";

  /** Likewise what it wrote. */
  static final String DISK_WRITE = "disk-write";

  private static final int COLORS = 8;

  /** Classes of bytes in stacking order: what clients wait for is at the bottom. */
  private static final List<String> IO_CLASSES =
      List.of(
          "client", "log", "replication", "flush", "l0", "deep", "transfer", DISK_READ, DISK_WRITE);

  private Palette() {}

  /** CSS classes of a system's color. */
  static String color(int index) {
    String color = "c" + index % COLORS;
    return index < COLORS ? color : color + " again";
  }

  /** The CSS class of a class of bytes; unknown ones share a grey. */
  static String ioClass(String name) {
    return IO_CLASSES.contains(name) ? "io-" + name : "io-other";
  }

  /** The place in the stack; unknown classes come last. */
  static int ioOrder(String name) {
    int index = IO_CLASSES.indexOf(name);
    return index < 0 ? IO_CLASSES.size() : index;
  }
}
