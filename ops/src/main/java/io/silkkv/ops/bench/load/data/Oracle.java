package io.silkkv.ops.bench.load.data;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Knows what reads may return, whatever the order in which a correct system ran what was under way
 * at the same time. Every read value of at least 20 bytes is checked for being whole and belonging
 * to its key; a sample of the keys is checked for lost and stale writes too, with a {@link
 * Register} each. Reports only what no order explains: a write of unknown outcome may show now,
 * later or never.
 *
 * <p>It sees only what goes through it: it must be as old as the data, and all writers must use it.
 * Thread-safe.
 */
public final class Oracle {
  /** Some 200 bytes each. */
  private static final int MOST_REGISTERS = 100_000;

  private static final int MOST_MESSAGES = 5;

  private final KeyFormat keys;
  private final Values values;
  private final int sampleOneIn;
  private final ConcurrentHashMap<Long, Register> registers = new ConcurrentHashMap<>();
  private final LongAdder checked = new LongAdder();
  private final LongAdder sampledReads = new LongAdder();
  private final LongAdder mismatches = new LongAdder();
  private final AtomicBoolean deleted = new AtomicBoolean();
  private volatile long presentKeys;

  @GuardedBy("messages")
  private final List<String> messages = new ArrayList<>();

  /**
   * @param sampleOneIn one of so many keys is in the sample: 1 is all, 64 costs next to nothing. At
   *     most 100,000 keys are in it
   */
  public Oracle(KeyFormat keys, Values values, int sampleOneIn) {
    if (sampleOneIn < 1) {
      throw new IllegalArgumentException("one key in " + sampleOneIn + ": at least 1 is needed");
    }
    this.keys = keys;
    this.values = values;
    this.sampleOneIn = sampleOneIn;
  }

  /**
   * The keys 0 to {@code keyCount} - 1 have all been put, with success: from now on a read that
   * does not find one of them is a mismatch, in the sample or not. The first delete of any key ends
   * this.
   */
  public void alwaysPresent(long keyCount) {
    presentKeys = keyCount;
  }

  /** The bytes of a key. */
  public byte[] key(long index) {
    return keys.key(index);
  }

  /** A write between its start and its outcome. */
  public static final class Write {
    private final byte[] value;
    private final @Nullable Register register;
    private final long version;

    Write(byte[] value, @Nullable Register register, long version) {
      this.value = value;
      this.register = register;
      this.version = version;
    }

    /** What to put; empty for a delete. */
    public byte[] value() {
      return value;
    }

    /**
     * The system said that it is done. Not calling this means that the outcome is unknown: the
     * write may take effect at any time, or never.
     */
    public void acknowledged() {
      if (register != null) {
        register.acknowledged(version);
      }
    }
  }

  /** A read between its start and its answer. */
  public final class Read {
    private final long key;
    private final Register.@Nullable OpenRead open;

    private Read(long key, Register.@Nullable OpenRead open) {
      this.key = key;
      this.open = open;
    }

    /** The answer; null for a key that is not there. */
    public void answered(byte @Nullable [] value) {
      check(key, open, value);
    }

    /** There was no answer. */
    public void failed() {
      if (open != null) {
        open.close();
      }
    }
  }

  /**
   * A put is about to be sent.
   *
   * @param number of the operation; makes the value differ from those of other puts of the key
   */
  public Write beginPut(long key, long number, int bytes) {
    Register register = register(key);
    if (register == null) {
      return new Write(values.value(key, number, bytes), null, 0);
    }
    long version = register.beginWrite(bytes);
    return new Write(values.value(key, version, bytes), register, version);
  }

  /** A delete is about to be sent. */
  public Write beginDelete(long key) {
    if (!deleted.get()) {
      deleted.set(true);
    }
    Register register = register(key);
    long version = register == null ? 0 : register.beginWrite(Register.ABSENT);
    return new Write(new byte[0], register, version);
  }

  /** A read is about to be sent. */
  public Read beginRead(long key) {
    Register register = register(key);
    return new Read(key, register == null ? null : register.beginRead());
  }

  /**
   * A scan is about to be sent. Its entries are checked for order and for being whole, not for
   * being stale.
   */
  public ScanCheck beginScan(long key) {
    return new ScanCheck(this, keys.key(key));
  }

  private @Nullable Register register(long key) {
    if (Long.remainderUnsigned(Bits.mix(~key), sampleOneIn) != 0) {
      return null;
    }
    Register known = registers.get(key);
    if (known != null || registers.mappingCount() >= MOST_REGISTERS) {
      return known;
    }
    return registers.computeIfAbsent(key, index -> new Register(values, index));
  }

  private void check(long key, Register.@Nullable OpenRead open, byte @Nullable [] value) {
    if (value != null && value.length >= Values.HEADER_BYTES && !Values.belongs(value, key)) {
      checked.increment();
      if (open != null) {
        open.close();
      }
      mismatch(key, "read a value that is damaged or belongs to another key: " + show(value));
      return;
    }
    if (open == null) {
      if (value == null && key < presentKeys && !deleted.get()) {
        checked.increment();
        mismatch(key, "was put and is not there");
      } else if (value != null && value.length >= Values.HEADER_BYTES) {
        checked.increment();
      }
      return;
    }
    checked.increment();
    sampledReads.increment();
    String fault = open.answered(value);
    if (fault != null) {
      mismatch(key, fault);
    }
  }

  /** An entry of a scan whose key is in order. */
  void checkEntry(byte[] key, byte[] value) {
    long index = keys.index(key);
    if (index < 0) {
      mismatch(index, "a scan found a key that was never put: " + show(key));
    } else if (value.length >= Values.HEADER_BYTES) {
      checked.increment();
      if (!Values.belongs(value, index)) {
        mismatch(index, "a scan found a value that is damaged or of another key: " + show(value));
      }
    }
  }

  void mismatch(long key, String message) {
    mismatches.increment();
    synchronized (messages) {
      if (messages.size() < MOST_MESSAGES) {
        messages.add("key " + key + ": " + message);
      }
    }
  }

  /** What was found so far. */
  public OracleFigures figures() {
    long givenUp = registers.values().stream().filter(Register::givenUp).count();
    synchronized (messages) {
      return new OracleFigures(
          checked.sum(), sampledReads.sum(), mismatches.sum(), List.copyOf(messages), givenUp);
    }
  }

  /** The first bytes in hexadecimal. */
  static String show(byte[] bytes) {
    StringBuilder text = new StringBuilder(bytes.length + " bytes ");
    for (byte b : Arrays.copyOf(bytes, Math.min(bytes.length, 24))) {
      text.append(Character.forDigit((b >> 4) & 15, 16)).append(Character.forDigit(b & 15, 16));
    }
    return text.append(bytes.length > 24 ? "..." : "").toString();
  }
}
