/**
 * What a measurement found, as plain records: made by the load generator and by the process that
 * holds the system, consumed by the report.
 */
@NullMarked
package io.silkkv.ops.bench.load.figures;

import org.jspecify.annotations.NullMarked;
