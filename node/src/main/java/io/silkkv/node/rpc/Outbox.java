package io.silkkv.node.rpc;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;

/**
 * Gathers items from any thread and sends what has gathered as one message. There is no timer: the
 * first item wakes the sender, and everything that arrives until the sender runs, or until the
 * transport takes more, travels together. So the entries that one applied log entry completes leave
 * as one message, and one wake-up pays for all of them.
 *
 * <p>Thread-safe. The caller bounds the number of items (each belongs to a call that was admitted).
 *
 * @param <T> what is sent
 */
final class Outbox<T> {
  /** Where messages go. Called by one thread at a time, though not always the same. */
  interface Transport<T> {
    /** Whether a message would be sent rather than buffered. {@link #wake} when that changes. */
    boolean ready();

    /** Sends one message; must not throw. */
    void send(List<T> items);
  }

  private final Queue<T> queue = new ConcurrentLinkedQueue<>();
  private final AtomicLong queuedBytes = new AtomicLong();

  /**
   * Reasons to look at the queue again; who moves it away from zero must drain, or have drained.
   */
  private final AtomicInteger reasons = new AtomicInteger();

  private final Executor sender;
  private final Transport<T> transport;
  private final ToIntFunction<T> size;
  private final int messageBytes;

  /**
   * @param sender runs the draining; best the thread that writes to the transport
   * @param messageBytes a message is closed when it has reached this many bytes
   */
  Outbox(Executor sender, Transport<T> transport, ToIntFunction<T> size, int messageBytes) {
    this.sender = sender;
    this.transport = transport;
    this.size = size;
    this.messageBytes = messageBytes;
  }

  /** Adds an item, and wakes the sender if nobody has yet. */
  void add(T item) {
    queuedBytes.addAndGet(size.applyAsInt(item));
    queue.add(item);
    wake();
  }

  /** Looks at the queue soon: the transport may have become ready. */
  void wake() {
    if (reasons.getAndIncrement() == 0) {
      try {
        sender.execute(this::drain);
      } catch (RejectedExecutionException e) {
        // The sender ends only with the node; its connections, and who waits at them, end too.
        queue.clear();
      }
    }
  }

  /**
   * Begins a stretch of work on the transport's own thread that will add several items: nothing is
   * sent before {@link #letGo}, unless a send was already under way.
   *
   * @return to be given to {@link #letGo}
   */
  boolean hold() {
    return reasons.getAndIncrement() == 0;
  }

  /** Ends a stretch of work: sends what has gathered. */
  void letGo(boolean held) {
    if (held) {
      drain();
    }
  }

  /** Bytes that wait to be sent. */
  long queuedBytes() {
    return queuedBytes.get();
  }

  /** Removes and returns what was never sent; for a transport that ended. */
  List<T> abandon() {
    List<T> rest = new ArrayList<>();
    for (T item = queue.poll(); item != null; item = queue.poll()) {
      queuedBytes.addAndGet(-size.applyAsInt(item));
      rest.add(item);
    }
    return rest;
  }

  private void drain() {
    int seen = reasons.get();
    do {
      while (transport.ready()) {
        List<T> items = take();
        if (items.isEmpty()) {
          break;
        }
        transport.send(items);
      }
      seen = reasons.addAndGet(-seen);
    } while (seen != 0);
  }

  private List<T> take() {
    List<T> items = new ArrayList<>();
    int bytes = 0;
    while (bytes < messageBytes) {
      T item = queue.poll();
      if (item == null) {
        break;
      }
      int itemBytes = size.applyAsInt(item);
      queuedBytes.addAndGet(-itemBytes);
      bytes += itemBytes;
      items.add(item);
    }
    return items;
  }
}
