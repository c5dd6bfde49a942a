package io.silkkv.ops.bench.cluster;

/**
 * What a fault did to the clients.
 *
 * @param member number of the member that it happened to
 * @param unavailableMillis longest time without a successful operation from the fault to the end of
 *     the round
 * @param rateBackMillis from the fault until half a second's rate was 80 % of the rate before it
 *     again; NaN when it was not in that round
 */
public record FaultFigures(int member, double unavailableMillis, double rateBackMillis) {}
