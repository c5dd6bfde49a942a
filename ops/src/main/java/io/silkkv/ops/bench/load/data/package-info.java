/**
 * What is asked of a system under test: operations as a pure function of their number, keys, values
 * that can be recognised again, and the oracle that knows what a read may return. Nothing here
 * knows time or systems.
 */
@NullMarked
package io.silkkv.ops.bench.load.data;

import org.jspecify.annotations.NullMarked;
