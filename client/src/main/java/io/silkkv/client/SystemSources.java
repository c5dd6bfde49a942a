package io.silkkv.client;

import com.google.protobuf.ByteString;
import io.silkkv.router.SuppressForbidden;
import io.silkkv.router.UuidBytes;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Time and chance, so that tests can decide both.
 *
 * @param nanoTime a clock that never runs backwards, in nanoseconds
 * @param random for jitter; used by the client's I/O thread only
 * @param sessionIds fresh session ids of 16 bytes that no other client has
 */
record SystemSources(
    LongSupplier nanoTime, RandomGenerator random, Supplier<ByteString> sessionIds) {
  @SuppressForbidden(reason = "the one place where the client reads the real clock")
  static SystemSources create() {
    return new SystemSources(
        System::nanoTime, new SplittableRandom(), () -> UuidBytes.of(UUID.randomUUID()));
  }
}
