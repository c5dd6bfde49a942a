/**
 * Turns log entries into engine writes. Everything here decides by the log alone, so that replicas
 * that have applied the same entries are equal. Entries come from {@code raftsm} through {@link
 * io.silkkv.raftsm.apply.ReplicaStore}; commands come decoded from {@code raftsm.command}; batches
 * go to the engine. Knows no Raft library.
 */
@NullMarked
package io.silkkv.raftsm.apply;

import org.jspecify.annotations.NullMarked;
