/**
 * Keeps the tree in shape: how large levels may be, what to merge next (pure functions), the merge,
 * and the turn-taking of both on the background lanes. The engine asks for a look after every
 * change of the version.
 */
@NullMarked
package io.silkkv.engine.compaction;

import org.jspecify.annotations.NullMarked;
