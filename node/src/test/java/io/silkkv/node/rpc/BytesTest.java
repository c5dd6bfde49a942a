package io.silkkv.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.silkkv.engine.api.Slice;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class BytesTest {
  @Test
  void anArrayIsSharedInBothDirections() {
    ByteString bytes = ByteString.copyFromUtf8("hello world").substring(6);

    Slice slice = Bytes.slice(bytes);
    ByteString back = Bytes.byteString(slice);

    assertThat(slice.toUtf8()).isEqualTo("world");
    assertThat(Bytes.slice(back).array()).isSameAs(slice.array());
    assertThat(back).isEqualTo(bytes);
  }

  @Test
  void aByteStringInPiecesIsPutTogether() {
    ByteString left = ByteString.copyFrom(new byte[4000]);
    ByteString right = ByteString.copyFromUtf8("x".repeat(4000));
    ByteString rope = left.concat(right);

    assertThat(Bytes.slice(rope).toByteArray()).isEqualTo(rope.toByteArray());
  }

  @Test
  void otherKindsOfByteStringsAreCopied() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(3).put(new byte[] {1, 2, 3}).flip();
    ByteString direct = com.google.protobuf.UnsafeByteOperations.unsafeWrap(buffer);

    assertThat(Bytes.slice(direct).toByteArray()).containsExactly(1, 2, 3);
    assertThat(Bytes.slice(ByteString.EMPTY)).isSameAs(Slice.EMPTY);
  }
}
