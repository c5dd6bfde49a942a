package io.silkkv.ops.bench.load.data;

/**
 * One operation, before its key and value are bytes.
 *
 * @param key index of the key, from 0; {@link KeyFormat} makes bytes of it
 * @param valueBytes length of the value of a put, else 0
 * @param limit most entries of a scan (1 for a seek), else 0
 */
public record Operation(OpKind kind, long key, int valueBytes, int limit) {
  public static Operation put(long key, int valueBytes) {
    return new Operation(OpKind.PUT, key, valueBytes, 0);
  }

  public static Operation get(long key) {
    return new Operation(OpKind.GET, key, 0, 0);
  }

  public static Operation delete(long key) {
    return new Operation(OpKind.DELETE, key, 0, 0);
  }

  public static Operation scan(long key, int limit) {
    return new Operation(OpKind.SCAN, key, 0, limit);
  }

  public static Operation seek(long key) {
    return new Operation(OpKind.SEEK, key, 0, 1);
  }

  public static Operation readModifyWrite(long key, int valueBytes) {
    return new Operation(OpKind.RMW, key, valueBytes, 0);
  }
}
