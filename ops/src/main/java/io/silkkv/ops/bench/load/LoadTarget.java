package io.silkkv.ops.bench.load;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A system under test whose calls block until they are done: an engine in this process. Called by
 * many threads at once. A call that throws has an unknown outcome: the write may or may not happen,
 * now or later.
 */
public interface LoadTarget extends AutoCloseable {
  void put(byte[] key, byte[] value) throws Exception;

  byte @Nullable [] get(byte[] key) throws Exception;

  /**
   * Reads up to {@code limit} entries upwards from {@code start} (inclusive), and gives every one
   * of them to the sink, keys and values both, so that no system can save the reading.
   *
   * @return how many entries there were
   */
  int scan(byte[] start, int limit, EntrySink sink) throws Exception;

  void delete(byte[] key) throws Exception;

  @Override
  void close() throws IOException;
}
