package io.silkkv.ops.bench.load.figures;

import io.silkkv.ops.bench.load.data.OpKind;

/**
 * The operations of one kind that were due in one second (closed loop: that ended in it). Who asks
 * in that second waits as these latencies say; so a stall of two seconds shows in the seconds in
 * which it was, however late the answers came.
 *
 * @param second from 0, since the start of the measured phase
 * @param count operations in the latency figures
 * @param finished operations of this kind, due whenever, that were answered well in this second:
 *     the throughput line
 * @param errors operations due in this second (closed loop: that ended in it) that failed
 * @param p50 nanoseconds, as all latencies; 0 when the count is 0
 */
public record SecondFigures(
    int second, OpKind op, long count, long finished, long errors, long p50, long p99, long max) {
  /** The same with another count of answers. */
  public SecondFigures withFinished(long answers) {
    return new SecondFigures(second, op, count, answers, errors, p50, p99, max);
  }
}
