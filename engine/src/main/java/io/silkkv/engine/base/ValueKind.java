package io.silkkv.engine.base;

/** What an internal entry says about its key. The codes are part of the file format. */
public enum ValueKind {
  DELETE(0),
  PUT(1);

  private final int code;

  ValueKind(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  /**
   * @throws IllegalArgumentException for a code that no kind has
   */
  public static ValueKind of(int code) {
    return switch (code) {
      case 0 -> DELETE;
      case 1 -> PUT;
      default -> throw new IllegalArgumentException("unknown value kind " + code);
    };
  }
}
