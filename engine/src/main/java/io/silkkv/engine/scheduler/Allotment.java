package io.silkkv.engine.scheduler;

/**
 * How a volume is shared from now on; rates in bytes per second.
 *
 * @param clientRate C: what clients, the log and replication use
 * @param replicationRate the part of it that replication uses
 * @param internalRate I: what internal work may use, 1 to T
 * @param flushFloor what of it is kept for flushes
 * @param l0Floor what of it is kept for compactions of level 0
 * @param deepPaused whether deeper compactions wait
 * @param deepCores processors that deeper compactions may keep busy
 */
record Allotment(
    long clientRate,
    long replicationRate,
    long internalRate,
    long flushFloor,
    long l0Floor,
    boolean deepPaused,
    double deepCores) {}
