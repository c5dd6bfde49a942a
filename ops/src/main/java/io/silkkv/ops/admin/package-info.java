/** What operators ask nodes through {@code silkkv.v1.Admin}: shard map, leaders, node status. */
@NullMarked
package io.silkkv.ops.admin;

import org.jspecify.annotations.NullMarked;
