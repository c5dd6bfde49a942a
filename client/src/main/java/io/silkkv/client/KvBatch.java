package io.silkkv.client;

import com.google.protobuf.ByteString;
import io.silkkv.v1.Condition;
import io.silkkv.v1.Mutation;
import io.silkkv.v1.WriteRequest;
import java.nio.charset.StandardCharsets;

/**
 * Changes that are made together or not at all, and the conditions under which they are made. All
 * its keys must lie in one shard. A later change of a key wins over an earlier one. Arrays are
 * copied. Not thread-safe; may be sent more than once, each time as a new write.
 */
public final class KvBatch {
  private final WriteRequest.Builder request = WriteRequest.newBuilder();

  /** An empty batch. */
  public static KvBatch create() {
    return new KvBatch();
  }

  private KvBatch() {}

  /** Sets the value of a key. */
  public KvBatch put(byte[] key, byte[] value) {
    request.addMutations(
        Mutation.newBuilder()
            .setPut(Mutation.Put.newBuilder().setKey(copy(key)).setValue(copy(value))));
    return this;
  }

  /** Sets the value of a key, both as UTF-8. */
  public KvBatch put(String key, String value) {
    return put(utf8(key), utf8(value));
  }

  /** Removes a key; fine when it is absent. */
  public KvBatch delete(byte[] key) {
    request.addMutations(
        Mutation.newBuilder().setDelete(Mutation.Delete.newBuilder().setKey(copy(key))));
    return this;
  }

  /** Removes a key, given as UTF-8. */
  public KvBatch delete(String key) {
    return delete(utf8(key));
  }

  /** Only if the key is absent. */
  public KvBatch ifAbsent(byte[] key) {
    return condition(Condition.newBuilder().setKey(copy(key)).setAbsent(true));
  }

  /** Only if the key, given as UTF-8, is absent. */
  public KvBatch ifAbsent(String key) {
    return ifAbsent(utf8(key));
  }

  /** Only if the key is present. */
  public KvBatch ifPresent(byte[] key) {
    return condition(Condition.newBuilder().setKey(copy(key)).setPresent(true));
  }

  /** Only if the key, given as UTF-8, is present. */
  public KvBatch ifPresent(String key) {
    return ifPresent(utf8(key));
  }

  /** Only if the key is present with this version. */
  public KvBatch ifVersion(byte[] key, long version) {
    return condition(Condition.newBuilder().setKey(copy(key)).setVersionEquals(version));
  }

  /** Only if the key, given as UTF-8, is present with this version. */
  public KvBatch ifVersion(String key, long version) {
    return ifVersion(utf8(key), version);
  }

  /** Only if the key is present with this value. */
  public KvBatch ifValue(byte[] key, byte[] value) {
    return condition(Condition.newBuilder().setKey(copy(key)).setValueEquals(copy(value)));
  }

  /** Only if the key is present with this value, both as UTF-8. */
  public KvBatch ifValue(String key, String value) {
    return ifValue(utf8(key), utf8(value));
  }

  /** Number of changes so far. */
  public int size() {
    return request.getMutationsCount();
  }

  /** Whether there is no change yet. */
  public boolean isEmpty() {
    return size() == 0;
  }

  /** The request without header and session. */
  WriteRequest toRequest() {
    return request.build();
  }

  private KvBatch condition(Condition.Builder condition) {
    request.addConditions(condition);
    return this;
  }

  private static ByteString copy(byte[] bytes) {
    return ByteString.copyFrom(bytes);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
