package io.silkkv.client;

import com.google.protobuf.ByteString;
import io.silkkv.router.Shard;
import io.silkkv.router.ShardMap;
import io.silkkv.v1.GetRequest;
import io.silkkv.v1.GetResponse;
import io.silkkv.v1.RequestHeader;
import io.silkkv.v1.StreamCall;
import io.silkkv.v1.StreamReply;
import java.util.Optional;

/** The newest value of one key. */
final class GetOperation extends Operation<Optional<KvEntry>> {
  private final ByteString key;

  GetOperation(ByteString key, long deadlineNanos) {
    super(deadlineNanos, key.size());
    this.key = key;
  }

  @Override
  Shard target(ShardMap map) {
    return map.find(key);
  }

  @Override
  void fill(StreamCall.Builder call, RequestHeader header) {
    call.setGet(GetRequest.newBuilder().setHeader(header).setKey(key));
  }

  @Override
  boolean accepts(StreamReply reply) {
    return reply.hasGet();
  }

  @Override
  Optional<KvEntry> decode(StreamReply reply) {
    return entry(key, reply.getGet());
  }

  @Override
  String what() {
    return "get";
  }

  static Optional<KvEntry> entry(ByteString key, GetResponse response) {
    return response.getFound()
        ? Optional.of(
            new KvEntry(
                key.toByteArray(), response.getValue().toByteArray(), response.getVersion()))
        : Optional.empty();
  }
}
