package io.silkkv.engine.memtable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory of one memtable: slabs that only grow in number, addressed by references. A reference
 * counts units of 8 bytes from the start of the first slab; 0 means nothing, and the first unit is
 * never handed out. One reference therefore reaches 16 GiB with 4 bytes.
 *
 * <p>Nodes and values are filled into different slabs: a search touches many nodes and at most one
 * value, and nodes that lie close together cost fewer cache and page-table misses.
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
  private final Region nodes = new Region();
  private final Region values = new Region();

  // Written by the writer, read by all.
  private final AtomicLong usedBytes = new AtomicLong();
  private final AtomicLong heldBytes = new AtomicLong();

  Arena(SlabPool pool) {
    this.pool = pool;
    this.slabBytes = pool.slabBytes();
    this.slabShift = Integer.numberOfTrailingZeros(slabBytes) - UNIT_SHIFT;
    this.unitMask = (1 << slabShift) - 1;
  }

  /** Bytes taken, with padding and the unused ends of slabs that are full. */
  long usedBytes() {
    return usedBytes.get();
  }

  /** Bytes of the slabs: what a release gives back. */
  long heldBytes() {
    return heldBytes.get();
  }

  /** Bytes that one allocation may have at most. */
  int maxAllocationBytes() {
    return slabBytes - UNIT_BYTES;
  }

  /** Takes consecutive bytes for a node, with undefined content. */
  int allocateNode(int bytes) {
    return nodes.allocate(bytes);
  }

  /** Takes consecutive bytes for a part of a value, with undefined content. */
  int allocateValue(int bytes) {
    return values.allocate(bytes);
  }

  /** Bytes that the next part of a value can have without a new slab; a multiple of the unit. */
  int valueRoomBytes() {
    return values.roomBytes;
  }

  /** The slab that one sort of things is filled into. */
  private final class Region {
    /** Reference of the next free unit. */
    private int next;

    private int roomBytes;

    int allocate(int bytes) {
      int padded = (bytes + UNIT_BYTES - 1) & -UNIT_BYTES;
      if (padded > roomBytes) {
        int slab = addSlab();
        int skipped = slab == 0 ? UNIT_BYTES : 0;
        next = (slab << slabShift) + (skipped >>> UNIT_SHIFT);
        roomBytes = slabBytes - skipped;
      }
      int reference = next;
      next += padded >>> UNIT_SHIFT;
      roomBytes -= padded;
      usedBytes.setRelease((long) slabCount * slabBytes - nodes.roomBytes - values.roomBytes);
      return reference;
    }
  }

  /** Returns the index of the new slab. */
  private int addSlab() {
    if (slabCount == Integer.MAX_VALUE >>> slabShift) {
      throw new IllegalStateException("memtable has grown beyond what its references reach");
    }
    ByteBuffer slab = pool.acquire(slabCount);
    ByteBuffer[] current = slabs;
    if (slabCount == current.length) {
      ByteBuffer[] larger = Arrays.copyOf(current, Math.max(8, 2 * slabCount));
      larger[slabCount] = slab;
      slabs = larger;
    } else {
      current[slabCount] = slab;
    }
    slabCount++;
    heldBytes.setRelease((long) slabCount * slabBytes);
    return slabCount - 1;
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
