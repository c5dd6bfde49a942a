package io.silkkv.engine.api;

import org.jspecify.annotations.Nullable;

/**
 * Which leading bytes of a key filters remember beside the whole key, so that a scan over one
 * prefix can pass by tables without it. A table keeps the rule that it was written with.
 *
 * @param kind how a prefix ends
 * @param parameter the length of a prefix, 1 to 255, or the byte that ends one (part of it); 0 for
 *     {@code NONE}
 */
public record PrefixRule(Kind kind, int parameter) {
  /** How a prefix ends. */
  public enum Kind {
    /** Keys have no prefix. */
    NONE,
    /** After so many bytes. Shorter keys have none. */
    LENGTH,
    /** With the first such byte. Keys without it have none. */
    DELIMITER
  }

  private static final int CODE_OF_LENGTH = 1 << 8;
  private static final int CODE_OF_DELIMITER = 2 << 8;

  /** Keys have no prefix. */
  public static final PrefixRule NONE = new PrefixRule(Kind.NONE, 0);

  /**
   * @throws IllegalArgumentException when the parameter does not fit the kind
   */
  public PrefixRule {
    int least = kind == Kind.LENGTH ? 1 : 0;
    int most = kind == Kind.NONE ? 0 : 255;
    if (parameter < least || parameter > most) {
      throw new IllegalArgumentException(
          "prefix rule " + kind + " takes " + least + " to " + most + ", not " + parameter);
    }
  }

  /** The first {@code length} bytes. */
  public static PrefixRule length(int length) {
    return new PrefixRule(Kind.LENGTH, length);
  }

  /** Everything up to the first delimiter, which belongs to the prefix. */
  public static PrefixRule upTo(byte delimiter) {
    return new PrefixRule(Kind.DELIMITER, delimiter & 0xff);
  }

  /** The prefix of a key, a view of it; null when it has none. */
  public @Nullable Slice of(Slice key) {
    return switch (kind) {
      case NONE -> null;
      case LENGTH -> key.length() < parameter ? null : key.slice(0, parameter);
      case DELIMITER -> upToDelimiter(key);
    };
  }

  private @Nullable Slice upToDelimiter(Slice key) {
    byte[] array = key.array();
    int end = key.offset() + key.length();
    for (int at = key.offset(); at < end; at++) {
      if (array[at] == (byte) parameter) {
        return key.slice(0, at + 1 - key.offset());
      }
    }
    return null;
  }

  /**
   * The prefix that all keys of {@code [lower, upper)} have; null when they have none in common.
   */
  public @Nullable Slice ofRange(Slice lower, Slice upper) {
    Slice prefix = of(lower);
    if (prefix == null || lower.compareTo(upper) >= 0) {
      return null;
    }
    return upper.startsWith(prefix) || isSuccessor(upper, prefix) ? prefix : null;
  }

  /** Whether no key lies between all keys with the prefix and {@code key}. */
  private static boolean isSuccessor(Slice key, Slice prefix) {
    int last = prefix.length() - 1;
    while (last >= 0 && prefix.byteAt(last) == (byte) 0xff) {
      last--;
    }
    return last >= 0
        && key.length() == last + 1
        && key.startsWith(prefix.slice(0, last))
        && key.byteAt(last) == (byte) (prefix.byteAt(last) + 1);
  }

  /** A number that stands for the rule in files. */
  public long code() {
    return switch (kind) {
      case NONE -> 0;
      case LENGTH -> CODE_OF_LENGTH + parameter;
      case DELIMITER -> CODE_OF_DELIMITER + parameter;
    };
  }

  /**
   * The rule of a {@link #code}.
   *
   * @throws IllegalArgumentException when the number is none
   */
  public static PrefixRule ofCode(long code) {
    if (code == 0) {
      return NONE;
    }
    int parameter = (int) code & 0xff;
    if (code - parameter == CODE_OF_LENGTH) {
      return new PrefixRule(Kind.LENGTH, parameter);
    }
    if (code - parameter == CODE_OF_DELIMITER) {
      return new PrefixRule(Kind.DELIMITER, parameter);
    }
    throw new IllegalArgumentException("unknown prefix rule " + code);
  }
}
