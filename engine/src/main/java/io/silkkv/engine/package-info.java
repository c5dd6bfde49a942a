/**
 * Keys and values on disk: the storage engine that raft-sm applies committed commands to and reads
 * from. It knows nothing of networks, consensus or shards.
 */
@NullMarked
package io.silkkv.engine;

import org.jspecify.annotations.NullMarked;
