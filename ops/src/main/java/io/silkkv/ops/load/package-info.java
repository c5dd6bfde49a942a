/**
 * Bulk loading: lines of a file become records, records become puts, many in flight; a state file
 * says how far all of it is acknowledged. Digests over records tell whether a cluster holds exactly
 * what a file says.
 */
@NullMarked
package io.silkkv.ops.load;

import org.jspecify.annotations.NullMarked;
