package io.silkkv.engine.iterator;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Many sorted runs as one, in both directions. A binary heap holds the children that have a
 * position; its top is the current entry. Children in front of the list win ties, so give newer
 * runs first; a tie needs the same key and sequence in two runs, and both entries are shown.
 *
 * <p>Going forward, the top is the least entry and all others are after it; going backward, it is
 * the greatest and all others are before it. A change of direction therefore moves every other
 * child to the other side of the current entry. Not thread-safe.
 */
public final class MergingIterator implements InternalIterator {
  private final InternalIterator[] children;

  /** Key and sequence of each child that is in the heap, kept so that a comparison calls nobody. */
  private final @Nullable Slice[] keys;

  private final long[] sequences;

  /** Indexes of children with a position; a binary heap in its first {@code size} elements. */
  private final int[] heap;

  private int size;
  private boolean forward = true;

  /**
   * @param children the runs, newest first; closed with this iterator
   */
  public MergingIterator(List<? extends InternalIterator> children) {
    this.children = children.toArray(new InternalIterator[0]);
    this.keys = new Slice[this.children.length];
    this.sequences = new long[this.children.length];
    this.heap = new int[this.children.length];
  }

  @Override
  public boolean valid() {
    return size > 0;
  }

  @Override
  public void seekToFirst() {
    for (InternalIterator child : children) {
      child.seekToFirst();
    }
    rebuild(true);
  }

  @Override
  public void seekToLast() {
    for (InternalIterator child : children) {
      child.seekToLast();
    }
    rebuild(false);
  }

  @Override
  public void seek(Slice userKey, long sequence) {
    for (InternalIterator child : children) {
      child.seek(userKey, sequence);
    }
    rebuild(true);
  }

  @Override
  public void seekForPrev(Slice userKey, long sequence) {
    for (InternalIterator child : children) {
      child.seekForPrev(userKey, sequence);
    }
    rebuild(false);
  }

  @Override
  public void next() {
    int top = top();
    if (!forward) {
      turnForward(top);
      return;
    }
    children[top].next();
    replaceTop(top);
  }

  @Override
  public void prev() {
    int top = top();
    if (forward) {
      turnBackward(top);
      return;
    }
    children[top].prev();
    replaceTop(top);
  }

  /** Puts every other child on the first entry after the current one, and moves on. */
  private void turnForward(int top) {
    Slice key = key();
    long sequence = sequences[top];
    for (int i = 0; i < children.length; i++) {
      InternalIterator child = children[i];
      if (i != top) {
        child.seek(key, sequence);
        // Of two equal entries that of the child in front comes first.
        if (i < top && standsOn(child, key, sequence)) {
          child.next();
        }
      }
    }
    children[top].next();
    rebuild(true);
  }

  /** Puts every other child on the last entry before the current one, and moves on. */
  private void turnBackward(int top) {
    Slice key = key();
    long sequence = sequences[top];
    for (int i = 0; i < children.length; i++) {
      InternalIterator child = children[i];
      if (i != top) {
        child.seekForPrev(key, sequence);
        if (i > top && standsOn(child, key, sequence)) {
          child.prev();
        }
      }
    }
    children[top].prev();
    rebuild(false);
  }

  private static boolean standsOn(InternalIterator child, Slice key, long sequence) {
    return child.valid() && child.sequence() == sequence && child.key().equals(key);
  }

  private void rebuild(boolean newForward) {
    forward = newForward;
    size = 0;
    for (int i = 0; i < children.length; i++) {
      if (children[i].valid()) {
        load(i);
        heap[size++] = i;
      } else {
        keys[i] = null;
      }
    }
    for (int i = (size >>> 1) - 1; i >= 0; i--) {
      siftDown(i);
    }
  }

  private void load(int child) {
    keys[child] = children[child].key();
    sequences[child] = children[child].sequence();
  }

  private void replaceTop(int top) {
    if (children[top].valid()) {
      load(top);
    } else {
      keys[top] = null;
      heap[0] = heap[--size];
    }
    siftDown(0);
  }

  private void siftDown(int start) {
    int hole = start;
    int moving = heap[hole];
    while (true) {
      int least = 2 * hole + 1;
      if (least >= size) {
        break;
      }
      if (least + 1 < size && comesFirst(heap[least + 1], heap[least])) {
        least++;
      }
      if (!comesFirst(heap[least], moving)) {
        break;
      }
      heap[hole] = heap[least];
      hole = least;
    }
    heap[hole] = moving;
  }

  /** Whether the entry of child {@code a} is to be shown before that of {@code b}. */
  private boolean comesFirst(int a, int b) {
    int order = keyOf(a).compareTo(keyOf(b));
    if (order == 0) {
      order = Long.compare(sequences[b], sequences[a]);
    }
    if (order == 0) {
      order = Integer.compare(a, b);
    }
    return forward ? order < 0 : order > 0;
  }

  private Slice keyOf(int child) {
    Slice key = keys[child];
    if (key == null) {
      throw new IllegalStateException("child " + child + " of the merge has no position");
    }
    return key;
  }

  private int top() {
    if (size == 0) {
      throw new IllegalStateException("iterator has no position");
    }
    return heap[0];
  }

  @Override
  public Slice key() {
    return keyOf(top());
  }

  @Override
  public long sequence() {
    return sequences[top()];
  }

  @Override
  public ValueKind kind() {
    return children[top()].kind();
  }

  @Override
  public Slice value() {
    return children[top()].value();
  }

  /** Closes all children, even when one of them fails; the first failure is thrown. */
  @Override
  public void close() {
    size = 0;
    RuntimeException failure = null;
    for (InternalIterator child : children) {
      try {
        child.close();
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else if (failure != e) {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
