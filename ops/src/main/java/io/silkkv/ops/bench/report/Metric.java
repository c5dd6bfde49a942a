package io.silkkv.ops.bench.report;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The figures of a result row, in the order of the file. {@link #json} is the field's name there
 * and never changes its meaning.
 */
public enum Metric {
  /** Operations that the schedule asked for, per second of it; unknown in a closed loop. */
  OFFERED_PER_S("offered_per_s", "offered", Unit.PER_SECOND, Better.NEITHER, Scope.OPERATION),
  /** Operations that ended without an error, per second. */
  OPS_PER_S("ops_per_s", "done", Unit.PER_SECOND, Better.MORE, Scope.OPERATION),
  P50_US("p50_us", "p50", Unit.MICROS, Better.LESS, Scope.OPERATION),
  P90_US("p90_us", "p90", Unit.MICROS, Better.LESS, Scope.OPERATION),
  P99_US("p99_us", "p99", Unit.MICROS, Better.LESS, Scope.OPERATION),
  P999_US("p999_us", "p99.9", Unit.MICROS, Better.LESS, Scope.OPERATION),
  P9999_US("p9999_us", "p99.99", Unit.MICROS, Better.LESS, Scope.OPERATION),
  MAX_US("max_us", "max", Unit.MICROS, Better.LESS, Scope.OPERATION),
  /** Seconds whose p99 is over ten times the median second's; see {@link BadSeconds}. */
  BAD_SECONDS("bad_seconds", "bad s", Unit.COUNT, Better.LESS, Scope.OPERATION),
  /** All times of at least 100 ms in which the operation was due and none was answered. */
  STALL_MS("stall_ms", "stalled", Unit.MILLIS, Better.LESS, Scope.OPERATION),
  /** Longest time without a success after a fault was made to happen. */
  UNAVAILABLE_MS("unavailable_ms", "unavailable", Unit.MILLIS, Better.LESS, Scope.RUN),
  /** From the fault until the rate was 80 % of the one before it again. */
  RATE_BACK_MS("rate_back_ms", "rate back", Unit.MILLIS, Better.LESS, Scope.RUN),
  /** Bytes that compaction still had to move when the load ended. */
  DEBT_BYTES_END("debt_bytes_end", "debt", Unit.BYTES, Better.LESS, Scope.RUN),
  /** Time after the load until no internal work was left. */
  DRAIN_S("drain_s", "drain", Unit.SECONDS, Better.LESS, Scope.RUN),
  /** Bytes written to the device per byte that was put. */
  WRITE_AMP("write_amp", "write amp", Unit.RATIO, Better.LESS, Scope.RUN),
  /** Bytes read from the device per byte that was got. */
  READ_AMP("read_amp", "read amp", Unit.RATIO, Better.LESS, Scope.RUN),
  /** Bytes on the device per byte of live data. */
  SPACE_AMP("space_amp", "space amp", Unit.RATIO, Better.LESS, Scope.RUN),
  CPU_S("cpu_s", "CPU", Unit.SECONDS, Better.LESS, Scope.RUN),
  RSS_PEAK_BYTES("rss_peak_bytes", "RSS peak", Unit.BYTES, Better.LESS, Scope.RUN),
  GC_PAUSE_MAX_MS("gc_pause_max_ms", "GC max", Unit.MILLIS, Better.LESS, Scope.RUN),
  SAFEPOINT_MAX_MS("safepoint_max_ms", "safepoint", Unit.MILLIS, Better.LESS, Scope.RUN),
  ERRORS("errors", "errors", Unit.COUNT, Better.LESS, Scope.OPERATION),
  /** Operations without an answer when the run ended; then high percentiles are lower bounds. */
  UNANSWERED("unanswered", "no answer", Unit.COUNT, Better.LESS, Scope.OPERATION),
  /** Reads that did not return what was written; any makes the run invalid. */
  ORACLE_MISMATCHES("oracle_mismatches", "wrong", Unit.COUNT, Better.LESS, Scope.RUN);

  private static final Map<String, Metric> BY_JSON =
      Stream.of(values()).collect(Collectors.toUnmodifiableMap(Metric::json, Function.identity()));

  private final String json;
  private final String title;
  private final Unit unit;
  private final Better better;
  private final Scope scope;

  /** Which direction is an improvement. */
  public enum Better {
    MORE,
    LESS,
    NEITHER
  }

  /** Whether the figure belongs to one operation or to the whole run with all its operations. */
  public enum Scope {
    OPERATION,
    RUN
  }

  Metric(String json, String title, Unit unit, Better better, Scope scope) {
    this.json = json;
    this.title = title;
    this.unit = unit;
    this.better = better;
    this.scope = scope;
  }

  /** The field's name in JSON. */
  public String json() {
    return json;
  }

  /** The column's heading. */
  public String title() {
    return title;
  }

  public Unit unit() {
    return unit;
  }

  public Better better() {
    return better;
  }

  public Scope scope() {
    return scope;
  }

  /**
   * Whether rounds are added up instead of being represented by their median: a fault must not
   * disappear because most rounds were without one.
   */
  boolean addsUp() {
    return this == ERRORS || this == UNANSWERED || this == ORACLE_MISMATCHES;
  }

  static Optional<Metric> ofJson(String name) {
    return Optional.ofNullable(BY_JSON.get(name));
  }
}
