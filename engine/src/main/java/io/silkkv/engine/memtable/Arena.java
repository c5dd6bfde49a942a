package io.silkkv.engine.memtable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory of one memtable: slabs that only grow in number, addressed by references. A reference
 * counts units of 8 bytes from the start of the first slab; 0 means nothing, and the first unit is
 * never handed out. One reference therefore reaches 16 GiB with 4 bytes.
 *
 * <p>One writer allocates and fills; readers follow references that the writer has published with
 * {@link #publish} and see all bytes written before.
 */
final class Arena {
  static final int UNIT_BYTES = 8;

  private static final int UNIT_SHIFT = 3;
  private static final VarHandle INTS =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final ByteBuffer[] NO_SLABS = {};

  private final SlabPool pool;
  private final int slabBytes;
  private final int slabShift;
  private final int unitMask;

  /**
   * Replaced when it must grow. An element is stored before a reference into it is published, so a
   * reader that follows a reference finds it.
   */
  private volatile ByteBuffer[] slabs = NO_SLABS;

  // Touched by the writer only.
  private int slabCount;
  private int position;

  /** Written by the writer, read by all. */
  private final AtomicLong usedBytes = new AtomicLong();

  Arena(SlabPool pool) {
    this.pool = pool;
    this.slabBytes = pool.slabBytes();
    this.slabShift = Integer.numberOfTrailingZeros(slabBytes) - UNIT_SHIFT;
    this.unitMask = (1 << slabShift) - 1;
    this.position = slabBytes;
  }

  /** Bytes taken, with padding and the unused ends of slabs. */
  long usedBytes() {
    return usedBytes.get();
  }

  /** Bytes that one allocation may have at most. */
  int maxAllocationBytes() {
    return slabBytes - UNIT_BYTES;
  }

  /** Bytes left in the current slab. */
  int remainingBytes() {
    return slabBytes - position;
  }

  /** Takes consecutive bytes with undefined content; starts a new slab when they do not fit. */
  int allocate(int bytes) {
    int padded = (bytes + UNIT_BYTES - 1) & -UNIT_BYTES;
    if (padded > remainingBytes()) {
      addSlab();
    }
    int reference = ((slabCount - 1) << slabShift) + (position >>> UNIT_SHIFT);
    position += padded;
    usedBytes.setRelease((long) (slabCount - 1) * slabBytes + position);
    return reference;
  }

  private void addSlab() {
    if (slabCount == Integer.MAX_VALUE >>> slabShift) {
      throw new IllegalStateException("memtable has grown beyond what its references reach");
    }
    ByteBuffer slab = pool.acquire();
    ByteBuffer[] current = slabs;
    if (slabCount == current.length) {
      ByteBuffer[] larger = new ByteBuffer[Math.max(8, 2 * slabCount)];
      System.arraycopy(current, 0, larger, 0, slabCount);
      larger[slabCount] = slab;
      slabs = larger;
    } else {
      current[slabCount] = slab;
    }
    position = slabCount == 0 ? UNIT_BYTES : 0;
    slabCount++;
  }

  /** The slab that a reference points into. */
  ByteBuffer slab(int reference) {
    return slabs[reference >>> slabShift];
  }

  /** Where in its slab a reference points, in bytes. */
  int offset(int reference) {
    return (reference & unitMask) << UNIT_SHIFT;
  }

  /** Stores a reference so that readers of it see everything written before. */
  static void publish(ByteBuffer slab, int offset, int reference) {
    INTS.setRelease(slab, offset, reference);
  }

  /** Reads a reference that {@link #publish} stored. */
  static int follow(ByteBuffer slab, int offset) {
    return (int) INTS.getAcquire(slab, offset);
  }

  /** Gives the slabs back. A reader that is still here fails with an index error. */
  void release() {
    ByteBuffer[] held = slabs;
    slabs = NO_SLABS;
    for (int i = 0; i < slabCount; i++) {
      pool.release(held[i]);
    }
    slabCount = 0;
  }
}
