/**
 * The threads of background work, shared by all engines of a node. Knows nothing of what the jobs
 * do; the engine asks for runs, and this package decides which thread does them and when.
 */
@NullMarked
package io.silkkv.engine.scheduler;

import org.jspecify.annotations.NullMarked;
