/** What all commands share: where they print, how they end, and where time comes from. */
@NullMarked
package io.silkkv.ops.base;

import org.jspecify.annotations.NullMarked;
