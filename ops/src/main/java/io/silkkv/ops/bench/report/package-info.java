/**
 * What a benchmark found, for people and scripts. {@link io.silkkv.ops.bench.report.Rounds} joins
 * the measurements of the load generator into a {@link io.silkkv.ops.bench.report.RunReport}, which
 * {@link io.silkkv.ops.bench.report.ReportJson} keeps in a file, {@link
 * io.silkkv.ops.bench.report.ResultTable} prints, {@link io.silkkv.ops.bench.report.HtmlPage} draws
 * and {@link io.silkkv.ops.bench.report.Comparison} holds against an older one. Pure functions,
 * apart from {@link io.silkkv.ops.bench.report.RunProgress}, which prints while a run goes on.
 */
@NullMarked
package io.silkkv.ops.bench.report;

import org.jspecify.annotations.NullMarked;
