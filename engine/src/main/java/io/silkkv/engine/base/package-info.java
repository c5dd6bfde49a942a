/**
 * The small words of the engine: kinds and order of internal entries, variable-length integers,
 * checksums, file names. Used by every other package, uses only {@code engine.api}.
 */
@NullMarked
package io.silkkv.engine.base;

import org.jspecify.annotations.NullMarked;
