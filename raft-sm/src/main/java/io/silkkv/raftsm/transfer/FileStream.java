package io.silkkv.raftsm.transfer;

import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import io.silkkv.raftsm.transport.ReplicationMeter;
import io.silkkv.v1.FileChunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends one file from an offset to its end. Reads only while the receiver has room, so that a slow
 * receiver costs one chunk of memory. Steps run one at a time on the reader threads: the counter of
 * wishes is the lock.
 */
final class FileStream {
  private static final Logger LOG = LoggerFactory.getLogger(FileStream.class);

  private final Pin pin;
  private final String name;
  private final long size;
  private final ReadableFile file;
  private final ServerCallStreamObserver<FileChunk> receiver;
  private final Executor readers;
  private final ReplicationMeter meter;
  private final LongSupplier nanoTime;
  private final int chunkBytes;

  /** Calls to step() that have not been answered by a step yet. */
  private final AtomicInteger wishes = new AtomicInteger();

  // Both belong to the running step.
  private long offset;
  private boolean ended;

  FileStream(
      Pin pin,
      String name,
      ReadableFile file,
      long offset,
      ServerCallStreamObserver<FileChunk> receiver,
      CheckpointService.Environment environment) {
    this.pin = pin;
    this.name = name;
    this.size = file.size();
    this.file = file;
    this.offset = offset;
    this.receiver = receiver;
    this.readers = environment.readers();
    this.meter = environment.meter();
    this.nanoTime = environment.nanoTime();
    this.chunkBytes = environment.options().chunkBytes();
  }

  /** The receiver may have room, or may have gone: send what fits. */
  void wake() {
    if (wishes.getAndIncrement() == 0) {
      try {
        readers.execute(this::run);
      } catch (RejectedExecutionException stopping) {
        receiver.onError(
            Status.UNAVAILABLE.withDescription("this node is stopping").asRuntimeException());
      }
    }
  }

  private void run() {
    int seen;
    do {
      seen = wishes.get();
      step();
    } while (wishes.addAndGet(-seen) > 0);
  }

  private void step() {
    while (!ended && (receiver.isReady() || receiver.isCancelled() || pin.released())) {
      try {
        if (receiver.isCancelled()) {
          end();
        } else if (pin.released()) {
          end();
          receiver.onError(CheckpointService.unknown(pin.id().toString()));
        } else if (offset == size) {
          end();
          receiver.onCompleted();
        } else {
          send();
        }
      } catch (IOException | RuntimeException e) {
        LOG.warn("cannot read {} of checkpoint {} at {}", name, pin.id(), offset, e);
        end();
        receiver.onError(
            Status.INTERNAL
                .withDescription("cannot read " + name + " at offset " + offset + ": " + e)
                .withCause(e)
                .asRuntimeException());
      }
    }
  }

  private void send() throws IOException {
    byte[] bytes = new byte[(int) Math.min(chunkBytes, size - offset)];
    file.read(offset, ByteBuffer.wrap(bytes), IoClass.TRANSFER);
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    receiver.onNext(
        FileChunk.newBuilder()
            .setOffset(offset)
            .setData(UnsafeByteOperations.unsafeWrap(bytes))
            .setCrc32C((int) crc.getValue())
            .build());
    meter.checkpointSent(bytes.length);
    offset += bytes.length;
    pin.used(nanoTime.getAsLong());
  }

  private void end() {
    if (ended) {
      return;
    }
    ended = true;
    pin.removeReader(this);
    try {
      file.close();
    } catch (IOException e) {
      LOG.warn("closing {} of checkpoint {} failed", name, pin.id(), e);
    }
  }
}
