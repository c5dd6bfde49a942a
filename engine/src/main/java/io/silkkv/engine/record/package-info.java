/**
 * Files that are logs of checksummed records. The manifest is one; nothing else is known here about
 * what the records mean. Uses {@code engine.io}; used by {@code engine.version}.
 */
@NullMarked
package io.silkkv.engine.record;

import org.jspecify.annotations.NullMarked;
