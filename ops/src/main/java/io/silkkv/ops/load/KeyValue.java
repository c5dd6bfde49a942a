package io.silkkv.ops.load;

/** What a line says. */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
record KeyValue(byte[] key, byte[] value) {}
