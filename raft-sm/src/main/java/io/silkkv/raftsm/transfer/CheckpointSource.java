package io.silkkv.raftsm.transfer;

import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.StorageEngine;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A replica that checkpoints can be taken of.
 *
 * @param engine its engine
 * @param flush makes everything applied durable, so that a checkpoint can include it
 */
public record CheckpointSource(
    StorageEngine engine, Supplier<CompletableFuture<LogPosition>> flush) {}
