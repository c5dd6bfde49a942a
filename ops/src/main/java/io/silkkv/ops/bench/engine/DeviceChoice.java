package io.silkkv.ops.bench.engine;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where the data of a measured system lies.
 *
 * @param directory on the disk to measure; null for a device in memory
 * @param limitBytesPerSecond for reads and for writes; 0 for no limit
 * @param ramBytes size of the device in memory
 */
record DeviceChoice(@Nullable Path directory, long limitBytesPerSecond, long ramBytes) {
  String kind() {
    return directory == null ? "ram" : "directory";
  }
}
