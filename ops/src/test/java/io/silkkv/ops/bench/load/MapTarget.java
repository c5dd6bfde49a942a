package io.silkkv.ops.bench.load;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** A correct store in memory; a test changes what it wants to go wrong. */
class MapTarget implements LoadTarget {
  final ConcurrentSkipListMap<byte[], byte[]> map =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);

  /** Before each call. */
  void served() throws Exception {}

  @Override
  public void put(byte[] key, byte[] value) throws Exception {
    served();
    map.put(key, value);
  }

  @Override
  public byte[] get(byte[] key) throws Exception {
    served();
    return map.get(key);
  }

  @Override
  public int scan(byte[] start, int limit, EntrySink sink) throws Exception {
    served();
    int count = 0;
    for (Map.Entry<byte[], byte[]> entry : map.tailMap(start).entrySet()) {
      if (count == limit) {
        break;
      }
      sink.entry(entry.getKey(), entry.getValue());
      count++;
    }
    return count;
  }

  @Override
  public void delete(byte[] key) throws Exception {
    served();
    map.remove(key);
  }

  @Override
  public void close() {}
}
