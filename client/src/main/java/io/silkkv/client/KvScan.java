package io.silkkv.client;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a scan, page by page; the next page is fetched while the application reads the
 * present one. Each page shows one moment of one shard, and a scan goes on when leaders change or
 * shards split. Each page has the client's deadline; {@link #hasNext} and {@link #next} throw
 * {@link KvException} when one fails. Close it when you stop before its end. Not thread-safe.
 */
public final class KvScan implements Iterator<KvEntry>, AutoCloseable {
  private final ClientCore core;
  private final ScanOptions options;
  private final long deadlineNanos;
  private Iterator<KvEntry> page = List.<KvEntry>of().iterator();
  private ScanPageOperation.@Nullable Range rest;
  private long left;
  private @Nullable ScanPageOperation prefetched;
  private boolean closed;

  KvScan(ClientCore core, ScanOptions options, long deadlineNanos) {
    this.core = core;
    this.options = options;
    this.deadlineNanos = deadlineNanos;
    this.rest = ScanPageOperation.nonEmpty(options.start(), options.end());
    this.left = options.limit() == 0 ? Long.MAX_VALUE : options.limit();
  }

  @Override
  public boolean hasNext() {
    while (!page.hasNext() && rest != null && left > 0) {
      checkOpen();
      nextPage(rest);
    }
    return page.hasNext();
  }

  @Override
  public KvEntry next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the scan is at its end");
    }
    return page.next();
  }

  /** The entries that are left, as a stream; closing the stream closes the scan. */
  public Stream<KvEntry> stream() {
    int traits = Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.IMMUTABLE;
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(this, traits), false)
        .onClose(this::close);
  }

  /** Drops what was fetched ahead. Idempotent. */
  @Override
  public void close() {
    closed = true;
    rest = null;
    page = List.<KvEntry>of().iterator();
    if (prefetched != null) {
      prefetched.future().cancel(false);
      prefetched = null;
    }
  }

  private void nextPage(ScanPageOperation.Range range) {
    ScanPageOperation ahead = prefetched;
    prefetched = null;
    ScanPageOperation.Page fetched = ahead == null ? null : await(ahead);
    if (fetched == null) {
      fetched = core.call(page(range));
    }
    page = fetched.entries().iterator();
    left -= fetched.entries().size();
    rest = left > 0 ? fetched.next() : null;
    if (rest != null) {
      prefetch(rest);
    }
  }

  /** Only while there is room: a page that does not fit now is fetched when it is needed. */
  private void prefetch(ScanPageOperation.Range range) {
    ScanPageOperation ahead = page(range);
    var future = core.submit(ahead);
    if (!future.isCompletedExceptionally()) {
      prefetched = ahead;
    }
  }

  /** The page that was fetched ahead; null when its time ran out while nobody waited for it. */
  private ScanPageOperation.@Nullable Page await(ScanPageOperation ahead) {
    try {
      return core.outcome(ahead);
    } catch (InterruptedException interrupt) {
      close();
      Thread.currentThread().interrupt();
      throw new KvException.Interrupted(false, interrupt);
    } catch (KvException.DeadlineExceeded late) {
      return null;
    }
  }

  private ScanPageOperation page(ScanPageOperation.Range range) {
    long limit = left == Long.MAX_VALUE ? 0 : left;
    return new ScanPageOperation(options, range, limit, core.deadlineAfter(deadlineNanos));
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the scan is closed");
    }
  }
}
