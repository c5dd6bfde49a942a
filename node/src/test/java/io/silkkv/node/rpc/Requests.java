package io.silkkv.node.rpc;

import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.protobuf.ByteString;
import io.silkkv.router.KvErrors;
import io.silkkv.router.Shard;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.GetRequest;
import io.silkkv.v1.Mutation;
import io.silkkv.v1.RequestHeader;
import io.silkkv.v1.ScanRequest;
import io.silkkv.v1.StreamCall;
import io.silkkv.v1.WriteRequest;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Short words for requests. */
final class Requests {
  private Requests() {}

  static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }

  static GetRequest get(String key) {
    return GetRequest.newBuilder().setKey(bytes(key)).build();
  }

  static StreamCall getCall(long id, String key) {
    return StreamCall.newBuilder().setCallId(id).setGet(get(key)).build();
  }

  static Mutation put(String key, String value) {
    return Mutation.newBuilder()
        .setPut(Mutation.Put.newBuilder().setKey(bytes(key)).setValue(bytes(value)))
        .build();
  }

  static WriteRequest write(String key, String value) {
    return WriteRequest.newBuilder().addMutations(put(key, value)).build();
  }

  static StreamCall writeCall(long id, String key, String value) {
    return StreamCall.newBuilder().setCallId(id).setWrite(write(key, value)).build();
  }

  static ScanRequest scan(String start, String end) {
    return ScanRequest.newBuilder().setStart(bytes(start)).setEnd(bytes(end)).build();
  }

  static StreamCall scanCall(long id, ScanRequest scan) {
    return StreamCall.newBuilder().setCallId(id).setScan(scan).build();
  }

  static RequestHeader header(Shard shard) {
    return RequestHeader.newBuilder()
        .setShardId(shard.shardId())
        .setEpoch(shard.epoch().toProto())
        .build();
  }

  /** The detail that a unary call failed with. */
  static ErrorDetail errorOf(ThrowingCallable call) {
    Throwable failure = catchThrowable(call);
    return KvErrors.fromStatus(failure);
  }
}
