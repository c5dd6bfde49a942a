package io.silkkv.client;

import com.google.protobuf.ByteString;
import io.silkkv.router.Routing;
import io.silkkv.router.Shard;
import io.silkkv.router.ShardMap;
import io.silkkv.v1.BatchGetRequest;
import io.silkkv.v1.RequestHeader;
import io.silkkv.v1.StreamCall;
import io.silkkv.v1.StreamReply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The newest values of several keys, in their order. Keys of several shards, or very many, are
 * asked for by parts, which are batch gets themselves.
 */
final class BatchGetOperation extends Operation<List<Optional<KvEntry>>> {
  /** Keys of one message: keeps replies of usual values well below the message limit. */
  static final int KEYS_PER_CALL = 256;

  private final List<ByteString> keys;
  private final @Nullable BatchGetOperation parent;
  private final List<Optional<KvEntry>> merged;
  private boolean inOneShard = true;
  private int openParts;
  private @Nullable Throwable partFailure;

  BatchGetOperation(List<ByteString> keys, long deadlineNanos, int weight) {
    this(keys, deadlineNanos, weight, null);
  }

  private BatchGetOperation(
      List<ByteString> keys, long deadlineNanos, int weight, @Nullable BatchGetOperation parent) {
    super(deadlineNanos, weight);
    this.keys = keys;
    this.parent = parent;
    this.merged = new ArrayList<>(Collections.nCopies(keys.size(), Optional.empty()));
  }

  @Override
  Shard target(ShardMap map) {
    Shard shard = map.find(keys.get(0));
    inOneShard = keys.stream().allMatch(shard::contains);
    return shard;
  }

  @Override
  boolean namesShard() {
    return inOneShard;
  }

  @Override
  void fill(StreamCall.Builder call, RequestHeader header) {
    call.setBatchGet(BatchGetRequest.newBuilder().setHeader(header).addAllKeys(keys));
  }

  @Override
  boolean accepts(StreamReply reply) {
    return reply.hasBatchGet() && reply.getBatchGet().getValuesCount() == keys.size();
  }

  @Override
  List<Optional<KvEntry>> decode(StreamReply reply) {
    List<Optional<KvEntry>> entries = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      entries.add(GetOperation.entry(keys.get(i), reply.getBatchGet().getValues(i)));
    }
    return entries;
  }

  @Override
  String what() {
    return "batch get of " + keys.size() + " keys";
  }

  @Override
  @Nullable List<Operation<List<Optional<KvEntry>>>> split(ShardMap map) {
    List<Routing.KeyGroup> groups = Routing.groupByShard(map, keys);
    if (groups.size() == 1 && keys.size() <= KEYS_PER_CALL) {
      return null;
    }
    List<List<Integer>> parts = new ArrayList<>();
    for (Routing.KeyGroup group : groups) {
      List<Integer> positions = group.positions();
      for (int from = 0; from < positions.size(); from += KEYS_PER_CALL) {
        parts.add(positions.subList(from, Math.min(from + KEYS_PER_CALL, positions.size())));
      }
    }
    return parts(parts);
  }

  @Override
  @Nullable List<Operation<List<Optional<KvEntry>>>> splitSmaller() {
    if (keys.size() < 2) {
      return null;
    }
    List<Integer> positions = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      positions.add(i);
    }
    int middle = keys.size() / 2;
    return parts(List.of(positions.subList(0, middle), positions.subList(middle, keys.size())));
  }

  @Override
  @Nullable BatchGetOperation parent() {
    return parent;
  }

  @Override
  @Nullable Runnable partEnded() {
    Throwable failure = partFailure;
    if (failure != null) {
      return () -> future().completeExceptionally(failure);
    }
    return openParts > 0 ? null : () -> future().complete(merged);
  }

  private List<Operation<List<Optional<KvEntry>>>> parts(List<List<Integer>> positionsOfParts) {
    openParts = positionsOfParts.size();
    List<Operation<List<Optional<KvEntry>>>> parts = new ArrayList<>();
    for (List<Integer> positions : positionsOfParts) {
      List<ByteString> partKeys = positions.stream().map(keys::get).toList();
      // The bytes of the keys are already counted by this call.
      BatchGetOperation part = new BatchGetOperation(partKeys, deadlineNanos(), 0, this);
      var unused =
          part.future().whenComplete((entries, failure) -> absorb(positions, entries, failure));
      parts.add(part);
    }
    return parts;
  }

  /** On the I/O thread, which completes the futures of parts itself. */
  private void absorb(
      List<Integer> positions,
      @Nullable List<Optional<KvEntry>> entries,
      @Nullable Throwable failure) {
    openParts--;
    if (entries == null) {
      partFailure = failure;
      return;
    }
    for (int i = 0; i < positions.size(); i++) {
      merged.set(positions.get(i), entries.get(i));
    }
  }
}
