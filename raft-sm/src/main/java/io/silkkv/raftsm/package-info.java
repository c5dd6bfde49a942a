/**
 * Between the Raft log and the engine: applies the committed commands of one shard to its engine,
 * answers queries at an applied index, and takes and installs snapshots.
 */
@NullMarked
package io.silkkv.raftsm;

import org.jspecify.annotations.NullMarked;
