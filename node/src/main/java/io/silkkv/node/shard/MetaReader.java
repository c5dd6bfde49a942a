package io.silkkv.node.shard;

import com.google.protobuf.ByteString;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Reads a key of the meta shard, linearizably, wherever its leader is. The future always completes:
 * with the value, empty when there is none, or with a failure, e.g. while no leader is known.
 */
@FunctionalInterface
public interface MetaReader {
  CompletableFuture<Optional<ByteString>> read(ByteString key);
}
