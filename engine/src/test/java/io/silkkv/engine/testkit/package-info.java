/**
 * Twins of the engine's surroundings for tests, of this module and of others: a file system that
 * crashes, one that fails on demand, seeded chance, the contract that every file system keeps, and
 * the runner of micro-benchmarks.
 */
@NullMarked
package io.silkkv.engine.testkit;

import org.jspecify.annotations.NullMarked;
