package io.silkkv.engine.api;

/**
 * A value and the version of its key.
 *
 * @param value the bytes; stay valid for as long as the holder likes
 * @param version sequence of the mutation that wrote it
 */
public record VersionedValue(Slice value, long version) {}
