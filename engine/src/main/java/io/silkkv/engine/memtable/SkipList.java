package io.silkkv.engine.memtable;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.base.ValueKind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Internal entries in order (key ascending, sequence descending) as a skip list in an {@link
 * Arena}.
 *
 * <p>A node, addressed by the reference to its header, is
 *
 * <pre>
 *   next[height - 1] .. next[0]   int each   references of the following nodes, below the header
 *   header + 0   long   sequence * 256 + kind code
 *   header + 8   int    key length
 *   header + 12  int    value length, or its complement when the value lies in extents
 *   header + 16         key, then the value or the int reference of its first extent
 * </pre>
 *
 * and an extent is {@code int next extent, int length, bytes}. Extents let a value span slabs.
 * Nodes are never changed after publication, except for {@code next}.
 *
 * <p>Single writer, many readers, no locks: a node is filled, then linked from the lowest level up
 * with release stores; readers follow links with acquire loads. So a reader sees a node entirely or
 * not at all, and a node that it found in an upper level is complete in all levels below.
 */
final class SkipList {
  /** Levels for 4^12 entries, more than a memtable holds. */
  static final int MAX_HEIGHT = 12;

  /** No node; as a predecessor, the head of the list. */
  static final int NONE = 0;

  private static final int KEY_LENGTH = 8;
  private static final int VALUE_LENGTH = 12;
  private static final int HEADER_BYTES = 16;
  private static final int EXTENT_HEADER_BYTES = 8;
  private static final long MAX_SEQUENCE = (1L << 55) - 1;

  /** Up to this size a value lies in its node; larger ones would push the nodes apart. */
  private static final int MAX_INLINE_BYTES = 64;

  private static final VarHandle HEAD = MethodHandles.arrayElementVarHandle(int[].class);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final Arena arena;
  private final RandomGenerator random;

  /** First node per level; stored with release, loaded with acquire. */
  private final int[] head = new int[MAX_HEIGHT];

  /** Levels in use. A reader with an older value starts lower, which is slower but right. */
  private volatile int height = 1;

  /**
   * The writer's: last node before the place of insertion, per level. The head above the height.
   */
  private final int[] splice = new int[MAX_HEIGHT];

  SkipList(Arena arena, RandomGenerator random) {
    this.arena = arena;
    this.random = random;
  }

  /** Inserts an entry. Called by the writer only. */
  void insert(ValueKind kind, Slice key, long sequence, Slice value) {
    if (sequence < 0 || sequence > MAX_SEQUENCE) {
      throw new IllegalArgumentException("sequence " + sequence + " is outside 0.." + MAX_SEQUENCE);
    }
    int following = following(surround(key, sequence, splice));
    if (following != NONE && compare(following, key, sequence) == 0) {
      throw new IllegalArgumentException(
          "sequence " + sequence + " of key " + key + " is in the memtable already");
    }
    int levels = randomHeight();
    int node = writeNode(kind, key, sequence, value, levels);
    ByteBuffer slab = arena.slab(node);
    int offset = arena.offset(node);
    for (int level = 0; level < levels; level++) {
      Arena.publish(slab, nextOffset(offset, level), next(splice[level], level));
    }
    for (int level = 0; level < levels; level++) {
      link(splice[level], level, node);
    }
    if (levels > height) {
      height = levels;
    }
  }

  private int randomHeight() {
    // Two bits per level: each level is reached with probability 1/4.
    int levels = 1 + (Integer.numberOfTrailingZeros(random.nextInt()) >>> 1);
    return Math.min(levels, MAX_HEIGHT);
  }

  private int writeNode(ValueKind kind, Slice key, long sequence, Slice value, int levels) {
    int towerBytes = (levels * Integer.BYTES + Arena.UNIT_BYTES - 1) & -Arena.UNIT_BYTES;
    int headBytes = towerBytes + HEADER_BYTES + key.length();
    if (headBytes + MAX_INLINE_BYTES > arena.maxAllocationBytes()) {
      throw new IllegalArgumentException(
          "key of " + key.length() + " bytes does not fit into a memtable slab");
    }
    boolean inline = value.length() <= MAX_INLINE_BYTES;
    int tailBytes = inline ? value.length() : Integer.BYTES;
    int allocation = arena.allocateNode(headBytes + tailBytes);
    int node = allocation + towerBytes / Arena.UNIT_BYTES;
    ByteBuffer slab = arena.slab(node);
    int offset = arena.offset(node);
    slab.putLong(offset, sequence << 8 | kind.code());
    slab.putInt(offset + KEY_LENGTH, key.length());
    slab.put(offset + HEADER_BYTES, key.array(), key.offset(), key.length());
    int valueOffset = offset + HEADER_BYTES + key.length();
    if (inline) {
      slab.putInt(offset + VALUE_LENGTH, value.length());
      slab.put(valueOffset, value.array(), value.offset(), value.length());
    } else {
      slab.putInt(offset + VALUE_LENGTH, ~value.length());
      writeExtents(value, slab, valueOffset);
    }
    return node;
  }

  /** Writes a value as a chain of extents whose first reference goes to {@code linkSlab}. */
  private void writeExtents(Slice value, ByteBuffer linkSlab, int linkOffset) {
    ByteBuffer from = linkSlab;
    int at = linkOffset;
    int done = 0;
    while (done < value.length()) {
      int room = arena.valueRoomBytes() - EXTENT_HEADER_BYTES;
      if (room < 2 * EXTENT_HEADER_BYTES) {
        room = arena.maxAllocationBytes() - EXTENT_HEADER_BYTES;
      }
      int count = Math.min(room, value.length() - done);
      int extent = arena.allocateValue(EXTENT_HEADER_BYTES + count);
      from.putInt(at, extent);
      from = arena.slab(extent);
      at = arena.offset(extent);
      from.putInt(at + Integer.BYTES, count);
      from.put(at + EXTENT_HEADER_BYTES, value.array(), value.offset() + done, count);
      done += count;
    }
  }

  private static int nextOffset(int offset, int level) {
    return offset - Integer.BYTES * (level + 1);
  }

  /** The node after {@code node} in a level; {@link #NONE} at the end. */
  private int next(int node, int level) {
    if (node == NONE) {
      return (int) HEAD.getAcquire(head, level);
    }
    return Arena.follow(arena.slab(node), nextOffset(arena.offset(node), level));
  }

  private void link(int node, int level, int target) {
    if (node == NONE) {
      HEAD.setRelease(head, level, target);
    } else {
      Arena.publish(arena.slab(node), nextOffset(arena.offset(node), level), target);
    }
  }

  /** The first node; {@link #NONE} when the list is empty. */
  int first() {
    return next(NONE, 0);
  }

  /** The last node; {@link #NONE} when the list is empty. */
  int last() {
    int node = NONE;
    for (int level = height - 1; level >= 0; level--) {
      for (int next = next(node, level); next != NONE; next = next(node, level)) {
        node = next;
      }
    }
    return node;
  }

  /** The node after another one; {@link #NONE} at the end. */
  int after(int node) {
    return next(node, 0);
  }

  /** The first node that is at or after (key, sequence) in internal order. */
  int atOrAfter(Slice key, long sequence) {
    return following(surround(key, sequence, null));
  }

  /** The last node that is before (key, sequence) in internal order. */
  int before(Slice key, long sequence) {
    return preceding(surround(key, sequence, null));
  }

  private static int preceding(long surrounding) {
    return (int) (surrounding >>> 32);
  }

  private static int following(long surrounding) {
    return (int) surrounding;
  }

  /**
   * The two nodes between which (key, sequence) is or would be inserted, in one number so that
   * nothing is allocated: see {@link #preceding} and {@link #following}.
   *
   * @param path when given, receives the preceding node of every level in use
   */
  private long surround(Slice key, long sequence, int @Nullable [] path) {
    int preceding = NONE;
    // Compared already in the level above; not to be compared again.
    int following = NONE;
    for (int level = height - 1; level >= 0; level--) {
      int next = next(preceding, level);
      while (next != following && next != NONE) {
        if (compare(next, key, sequence) >= 0) {
          following = next;
        } else {
          preceding = next;
          next = next(preceding, level);
        }
      }
      if (path != null) {
        path[level] = preceding;
      }
    }
    return (long) preceding << 32 | following;
  }

  /** Negative when the node comes before (key, sequence) in internal order. */
  private int compare(int node, Slice key, long sequence) {
    ByteBuffer slab = arena.slab(node);
    int offset = arena.offset(node);
    int order = compareKey(slab, offset, key);
    return order != 0 ? order : Long.compare(sequence, slab.getLong(offset) >>> 8);
  }

  private static int compareKey(ByteBuffer slab, int offset, Slice key) {
    byte[] array = key.array();
    int theirs = key.offset();
    int ours = offset + HEADER_BYTES;
    int length = slab.getInt(offset + KEY_LENGTH);
    int common = Math.min(length, key.length());
    int i = 0;
    for (; i + Long.BYTES <= common; i += Long.BYTES) {
      long a = slab.getLong(ours + i);
      long b = (long) LONGS.get(array, theirs + i);
      if (a != b) {
        return Long.compareUnsigned(a, b);
      }
    }
    for (; i < common; i++) {
      int difference = (slab.get(ours + i) & 0xff) - (array[theirs + i] & 0xff);
      if (difference != 0) {
        return difference;
      }
    }
    return length - key.length();
  }

  boolean hasKey(int node, Slice key) {
    return compareKey(arena.slab(node), arena.offset(node), key) == 0;
  }

  long sequence(int node) {
    return arena.slab(node).getLong(arena.offset(node)) >>> 8;
  }

  ValueKind kind(int node) {
    return ValueKind.of((int) (arena.slab(node).getLong(arena.offset(node)) & 0xff));
  }

  int keyLength(int node) {
    return arena.slab(node).getInt(arena.offset(node) + KEY_LENGTH);
  }

  int valueLength(int node) {
    int length = arena.slab(node).getInt(arena.offset(node) + VALUE_LENGTH);
    return length < 0 ? ~length : length;
  }

  /** Copies the key to the start of an array that is long enough. */
  void copyKey(int node, byte[] target) {
    arena.slab(node).get(arena.offset(node) + HEADER_BYTES, target, 0, keyLength(node));
  }

  /** Copies the value to the start of an array that is long enough. */
  void copyValue(int node, byte[] target) {
    ByteBuffer slab = arena.slab(node);
    int offset = arena.offset(node);
    int valueOffset = offset + HEADER_BYTES + slab.getInt(offset + KEY_LENGTH);
    int length = slab.getInt(offset + VALUE_LENGTH);
    if (length >= 0) {
      slab.get(valueOffset, target, 0, length);
    } else {
      copyExtents(slab.getInt(valueOffset), target, ~length);
    }
  }

  private void copyExtents(int first, byte[] target, int length) {
    int extent = first;
    int done = 0;
    while (done < length) {
      ByteBuffer slab = arena.slab(extent);
      int offset = arena.offset(extent);
      int count = slab.getInt(offset + Integer.BYTES);
      slab.get(offset + EXTENT_HEADER_BYTES, target, done, count);
      done += count;
      extent = slab.getInt(offset);
    }
  }
}
