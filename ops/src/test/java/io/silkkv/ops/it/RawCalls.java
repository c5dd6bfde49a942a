package io.silkkv.ops.it;

import com.google.protobuf.ByteString;
import io.grpc.StatusRuntimeException;
import io.silkkv.v1.Condition;
import io.silkkv.v1.GetRequest;
import io.silkkv.v1.GetResponse;
import io.silkkv.v1.Mutation;
import io.silkkv.v1.Session;
import io.silkkv.v1.WriteRequest;
import io.silkkv.v1.WriteResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** Calls as they are on the wire, for what a client does not let a test do. */
final class RawCalls {
  private final TestCluster cluster;

  RawCalls(TestCluster cluster) {
    this.cluster = cluster;
  }

  /** The value that one node answers with; empty when it does not answer in time, or refuses. */
  Optional<String> tryGet(String nodeId, String key, Duration deadline) {
    try {
      GetResponse response =
          cluster
              .raw(nodeId, deadline)
              .get(GetRequest.newBuilder().setKey(ByteString.copyFromUtf8(key)).build());
      return Optional.of(response.getValue().toStringUtf8());
    } catch (StatusRuntimeException e) {
      // Refused or too late: both are an answer here.
      return Optional.empty();
    }
  }

  /** Asks again until one node gives an answer; the request stays the same. */
  WriteResponse write(String nodeId, WriteRequest request) {
    return TestCluster.within(Duration.ofSeconds(30))
        .until(() -> cluster.raw(nodeId, Duration.ofSeconds(5)).write(request), r -> true);
  }

  /** A conditional put in a session. */
  static WriteRequest put(
      UUID client, long sequence, Condition condition, String key, String value) {
    return WriteRequest.newBuilder()
        .setSession(
            Session.newBuilder()
                .setClientId(
                    ByteString.copyFrom(
                        ByteBuffer.allocate(16)
                            .putLong(client.getMostSignificantBits())
                            .putLong(client.getLeastSignificantBits())
                            .flip()))
                .setSequence(sequence)
                .setAcknowledgedBelow(1))
        .addConditions(condition)
        .addMutations(
            Mutation.newBuilder()
                .setPut(
                    Mutation.Put.newBuilder()
                        .setKey(ByteString.copyFromUtf8(key))
                        .setValue(ByteString.copyFromUtf8(value))))
        .build();
  }

  static Condition absent(String key) {
    return Condition.newBuilder().setKey(ByteString.copyFromUtf8(key)).setAbsent(true).build();
  }

  static Condition version(String key, long version) {
    return Condition.newBuilder()
        .setKey(ByteString.copyFromUtf8(key))
        .setVersionEquals(version)
        .build();
  }
}
