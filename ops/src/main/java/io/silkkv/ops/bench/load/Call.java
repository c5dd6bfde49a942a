package io.silkkv.ops.bench.load;

import io.silkkv.ops.bench.load.data.OpKind;
import io.silkkv.ops.bench.load.data.Operation;
import io.silkkv.ops.bench.load.data.Oracle;
import io.silkkv.ops.bench.load.data.ScanCheck;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One operation on its way. Its bytes are made before it is due, and its answer is judged after the
 * time was taken, so that neither is in its latency. For one thread at a time.
 */
final class Call {
  private final Operation operation;
  private final Oracle oracle;
  private final byte[] key;
  private final Oracle.@Nullable Write write;
  private Oracle.@Nullable Read read;
  private @Nullable ScanCheck scan;
  private byte @Nullable [] found;

  private Call(Operation operation, Oracle oracle, byte[] key, Oracle.@Nullable Write write) {
    this.operation = operation;
    this.oracle = oracle;
    this.key = key;
    this.write = write;
  }

  static Call prepare(Operation operation, long number, Oracle oracle) {
    Oracle.Write write =
        switch (operation.kind()) {
          case PUT, RMW -> oracle.beginPut(operation.key(), number, operation.valueBytes());
          case DELETE -> oracle.beginDelete(operation.key());
          case GET, SCAN, SEEK -> null;
        };
    return new Call(operation, oracle, oracle.key(operation.key()), write);
  }

  OpKind kind() {
    return operation.kind();
  }

  /** Runs it to its end. */
  void run(LoadTarget target) throws Exception {
    beforeSending();
    switch (operation.kind()) {
      case PUT -> target.put(key, value());
      case GET -> found = target.get(key);
      case DELETE -> target.delete(key);
      case SCAN, SEEK -> scanned(target.scan(key, operation.limit(), check()::entry));
      case RMW -> {
        found = target.get(key);
        target.put(key, value());
      }
    }
  }

  /** Sends it; the future ends when it is done. */
  CompletableFuture<?> start(AsyncLoadTarget target) {
    beforeSending();
    return switch (operation.kind()) {
      case PUT -> target.put(key, value());
      case GET -> target.get(key).thenAccept(value -> found = value);
      case DELETE -> target.delete(key);
      case SCAN, SEEK ->
          target.scan(key, operation.limit(), check()::entry).thenAccept(this::scanned);
      case RMW ->
          target
              .get(key)
              .thenCompose(
                  value -> {
                    found = value;
                    return target.put(key, value());
                  });
    };
  }

  private void beforeSending() {
    switch (operation.kind()) {
      case GET, RMW -> read = oracle.beginRead(operation.key());
      case SCAN, SEEK -> scan = oracle.beginScan(operation.key());
      case PUT, DELETE -> {}
    }
  }

  private byte[] value() {
    return write == null ? new byte[0] : write.value();
  }

  private ScanCheck check() {
    ScanCheck known = scan;
    if (known == null) {
      throw new IllegalStateException("a scan without a check");
    }
    return known;
  }

  private void scanned(int entries) {
    check().ended(entries, operation.limit());
  }

  /** It ended well: tells the oracle. */
  void judge() {
    if (write != null) {
      write.acknowledged();
    }
    if (read != null) {
      read.answered(found);
    }
  }

  /** It failed: a write may have happened or may yet. */
  void failed() {
    if (read != null) {
      read.failed();
    }
  }
}
