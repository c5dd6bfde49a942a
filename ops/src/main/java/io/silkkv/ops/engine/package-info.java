/**
 * Commands that look into the files of an engine. They print; the engine module's inspector knows
 * the files.
 */
@NullMarked
package io.silkkv.ops.engine;

import org.jspecify.annotations.NullMarked;
