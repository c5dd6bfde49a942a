/**
 * The benchmark of the storage engine beside RocksDB: workloads by name, systems by name, and a
 * process of its own for each measured system, with a limit on what its device carries. Sits
 * between the command line and {@code bench.load}, whose loops drive the systems.
 */
@NullMarked
package io.silkkv.ops.bench.engine;

import org.jspecify.annotations.NullMarked;
