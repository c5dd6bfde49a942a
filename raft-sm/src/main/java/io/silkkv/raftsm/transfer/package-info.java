/**
 * Checkpoints on their way between nodes: {@link io.silkkv.raftsm.transfer.CheckpointService} pins
 * one and streams its files, {@link io.silkkv.raftsm.transfer.CheckpointFetcher} pulls them,
 * resuming where an earlier attempt ended. Every chunk is checksummed and every byte is counted as
 * {@link io.silkkv.engine.io.IoClass#TRANSFER}.
 */
@NullMarked
package io.silkkv.raftsm.transfer;

import org.jspecify.annotations.NullMarked;
