package io.silkkv.ops.base;

/** How a command ends; scripts rely on these numbers. */
public final class ExitCode {
  /** Done. */
  public static final int OK = 0;

  /** The key does not exist, or a check found a difference. */
  public static final int NOT_FOUND = 1;

  /** The input or the configuration is wrong: trying again changes nothing. */
  public static final int BAD_INPUT = 2;

  /** The cluster does not answer or gave up within the deadline: trying again may work. */
  public static final int UNAVAILABLE = 3;

  /** A fault of the program or of a node. */
  public static final int FAULT = 70;

  /** An address or a directory is used by another process. */
  public static final int IN_USE = 75;

  private ExitCode() {}
}
