package io.silkkv.ops.bench.load.data;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one key may hold, as an atomic register under concurrent reads and writes (L. Lamport: "On
 * interprocess communication", 1986). Each write has a start and, when acknowledged, an end, on a
 * clock that counts the events of this register. A write is dead for a read when another one that
 * started after its end had taken effect before the read started; a write has taken effect when it
 * is acknowledged, or when a read returned it. A read must return a write that is not dead for it.
 *
 * <p>The starts and ends lie outside of the real ones, so that a correct system is never blamed.
 * Thread-safe.
 */
final class Register {
  /** Length of what a delete leaves. */
  static final int ABSENT = -1;

  /** Writes that may still be read, more of them than a sane load has under way for one key. */
  private static final int MOST_VERSIONS = 64;

  private static final long OPEN = Long.MAX_VALUE;

  private final Values values;
  private final long key;

  @GuardedBy("this")
  private final List<Version> versions = new ArrayList<>(2);

  @GuardedBy("this")
  private final List<OpenRead> reads = new ArrayList<>(2);

  @GuardedBy("this")
  private long clock;

  /** The latest start of a write that has taken effect. */
  @GuardedBy("this")
  private long floor;

  @GuardedBy("this")
  private boolean givenUp;

  /** A write: its start is its number. */
  private static final class Version {
    private final long start;
    private final int bytes;
    private long end;

    private Version(long start, int bytes, long end) {
      this.start = start;
      this.bytes = bytes;
      this.end = end;
    }
  }

  /** A read under way. */
  final class OpenRead {
    /** The floor of the register when the read began. */
    private final long floor;

    private OpenRead(long floor) {
      this.floor = floor;
    }

    /**
     * Judges an answer, whose checksum is right if it is long enough to have one.
     *
     * @return what is wrong, null for nothing
     */
    @Nullable String answered(byte @Nullable [] value) {
      return judge(this, value);
    }

    void close() {
      closed(this);
    }
  }

  Register(Values values, long key) {
    this.values = values;
    this.key = key;
    versions.add(new Version(0, ABSENT, 0));
  }

  /**
   * @return the version that the write has to carry
   */
  synchronized long beginWrite(int bytes) {
    long start = ++clock;
    if (!givenUp) {
      versions.add(new Version(start, bytes, OPEN));
      if (versions.size() > MOST_VERSIONS) {
        givenUp = true;
        versions.clear();
      }
    }
    return start;
  }

  synchronized void acknowledged(long start) {
    long end = ++clock;
    for (Version version : versions) {
      if (version.start == start) {
        version.end = end;
      }
    }
    tookEffect(start);
  }

  synchronized OpenRead beginRead() {
    OpenRead read = new OpenRead(floor);
    reads.add(read);
    return read;
  }

  private synchronized void closed(OpenRead read) {
    reads.remove(read);
  }

  private synchronized @Nullable String judge(OpenRead read, byte @Nullable [] value) {
    reads.remove(read);
    if (givenUp) {
      return null;
    }
    boolean overwritten = false;
    // Short values of two writes may be equal: then only the older one is sure to be in effect.
    for (Version version : versions) {
      if (!matches(version, value)) {
        continue;
      }
      if (version.end >= read.floor) {
        tookEffect(version.start);
        return null;
      }
      overwritten = true;
    }
    return "read "
        + (value == null ? "nothing" : Oracle.show(value))
        + (overwritten ? ", which was overwritten before the read began" : "")
        + "; possible were "
        + possible(read.floor);
  }

  private boolean matches(Version version, byte @Nullable [] value) {
    if (value == null || version.bytes != value.length) {
      return value == null && version.bytes == ABSENT;
    }
    return value.length >= Values.HEADER_BYTES
        ? Values.version(value) == version.start
        : Arrays.equals(value, values.value(key, version.start, value.length));
  }

  /** Forgets what is dead for all reads, also for those under way. */
  @GuardedBy("this")
  private void tookEffect(long start) {
    if (start <= floor) {
      return;
    }
    floor = start;
    long oldest = floor;
    for (OpenRead read : reads) {
      oldest = Math.min(oldest, read.floor);
    }
    long dead = oldest;
    versions.removeIf(version -> version.end < dead);
  }

  @GuardedBy("this")
  private String possible(long from) {
    List<String> texts = new ArrayList<>();
    for (Version version : versions) {
      if (version.end >= from && texts.size() < 4) {
        texts.add(
            version.bytes == ABSENT
                ? "nothing"
                : "write " + version.start + " of " + version.bytes + " bytes");
      }
    }
    return String.join(", ", texts);
  }

  synchronized boolean givenUp() {
    return givenUp;
  }
}
