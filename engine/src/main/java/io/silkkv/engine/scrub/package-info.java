/**
 * Reads all tables now and then, so that damage is found while healthy replicas still exist. The
 * engine's heartbeat asks; tables that turn out to be damaged are left to {@link
 * io.silkkv.engine.version.DamagedTables}.
 */
@NullMarked
package io.silkkv.engine.scrub;

import org.jspecify.annotations.NullMarked;
