package io.silkkv.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was started, to be closed in reverse order. Thread-safe; closing twice closes once. */
final class Closers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Closers.class);

  private record Named(String name, AutoCloseable part) {}

  @GuardedBy("this")
  private final Deque<Named> parts = new ArrayDeque<>();

  /** Remembers a part and returns it. */
  synchronized <T extends AutoCloseable> T add(String name, T part) {
    parts.push(new Named(name, part));
    return part;
  }

  /** Closes everything; a part that fails is logged and does not keep the others open. */
  @Override
  public void close() {
    for (Named next = pop(); next != null; next = pop()) {
      try {
        next.part().close();
      } catch (Exception e) {
        LOG.warn("closing {} failed", next.name(), e);
      }
    }
  }

  private synchronized @Nullable Named pop() {
    return parts.poll();
  }
}
