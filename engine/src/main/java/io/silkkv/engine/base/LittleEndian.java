package io.silkkv.engine.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Fixed-width integers in byte arrays, lowest byte first; the byte order of all engine files. */
public final class LittleEndian {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private LittleEndian() {}

  /** Four bytes from {@code at}. */
  public static int getInt(byte[] source, int at) {
    return (int) INT.get(source, at);
  }

  /** Eight bytes from {@code at}. */
  public static long getLong(byte[] source, int at) {
    return (long) LONG.get(source, at);
  }

  /** Four bytes to {@code at}. */
  public static void putInt(byte[] target, int at, int value) {
    INT.set(target, at, value);
  }

  /** Eight bytes to {@code at}. */
  public static void putLong(byte[] target, int at, long value) {
    LONG.set(target, at, value);
  }
}
