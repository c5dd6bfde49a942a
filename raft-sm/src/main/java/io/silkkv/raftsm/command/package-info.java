/**
 * What is written into the Raft log: one entry holds many {@link
 * io.silkkv.raftsm.command.Command}s, in the form that {@link io.silkkv.raftsm.command.EntryCodec}
 * defines. The leader encodes a command when it is proposed, every other replica decodes it when it
 * is applied. Knows nothing about Raft.
 */
@NullMarked
package io.silkkv.raftsm.command;

import org.jspecify.annotations.NullMarked;
