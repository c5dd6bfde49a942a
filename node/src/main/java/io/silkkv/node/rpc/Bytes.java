package io.silkkv.node.rpc;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.silkkv.engine.api.Slice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Moves keys and values between protobuf's byte strings and the engine's slices without copying:
 * both promise never to change the bytes behind them.
 */
final class Bytes {
  private Bytes() {}

  /** A slice over the same bytes. */
  static Slice slice(ByteString bytes) {
    if (bytes.isEmpty()) {
      return Slice.EMPTY;
    }
    View view = new View();
    try {
      UnsafeByteOperations.unsafeWriteTo(bytes, view);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Slice whole = view.slice;
    // A byte string in several pieces is written in several steps: then one copy is needed.
    return whole != null && whole.length() == bytes.size()
        ? whole
        : Slice.wrap(bytes.toByteArray());
  }

  /** A byte string over the same bytes. */
  static ByteString byteString(Slice slice) {
    return UnsafeByteOperations.unsafeWrap(slice.array(), slice.offset(), slice.length());
  }

  /** A byte string with its own bytes; for slices whose array is reused. */
  static ByteString copy(Slice slice) {
    return ByteString.copyFrom(slice.array(), slice.offset(), slice.length());
  }

  /** Keeps the last piece that it is given. */
  private static final class View extends ByteOutput {
    private @Nullable Slice slice;

    @Override
    public void write(byte value) {
      slice = null;
    }

    @Override
    public void write(byte[] value, int offset, int length) {
      slice = Slice.wrap(value, offset, length).copy();
    }

    @Override
    public void writeLazy(byte[] value, int offset, int length) {
      slice = Slice.wrap(value, offset, length);
    }

    @Override
    public void write(ByteBuffer value) {
      slice = Slice.copyOf(value);
    }

    @Override
    public void writeLazy(ByteBuffer value) {
      slice = Slice.copyOf(value);
    }
  }
}
