/**
 * Keeps the tree in shape: what to merge next (a pure function of the shape), the merge itself, and
 * the turn-taking of both on the background lanes. The engine asks for a look after every change of
 * the version.
 */
@NullMarked
package io.silkkv.engine.compaction;

import org.jspecify.annotations.NullMarked;
