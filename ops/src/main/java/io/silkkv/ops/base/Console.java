package io.silkkv.ops.base;

import java.io.PrintStream;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The world as a command sees it.
 *
 * @param out results; what a script reads
 * @param err progress and problems
 * @param interactive whether a person watches {@code err}, so that a line may be redrawn
 * @param nanoClock monotonic nanoseconds
 * @param environment environment variables
 */
public record Console(
    PrintStream out,
    PrintStream err,
    boolean interactive,
    LongSupplier nanoClock,
    Map<String, String> environment) {}
