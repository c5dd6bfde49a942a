package io.silkkv.ops.bench.cluster;

import java.util.Locale;

/** What happens to a cluster in the middle of a round. */
public enum Fault {
  NONE,
  /** SIGKILL to the member that leads; it is started again after the round. */
  KILL_LEADER,
  /** SIGSTOP to a member that follows, and SIGCONT after another third of the round. */
  PAUSE_FOLLOWER;

  /** The name on the command line. */
  public String optionName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The inverse of {@link #optionName}.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static Fault ofOptionName(String name) {
    for (Fault fault : values()) {
      if (fault.optionName().equals(name)) {
        return fault;
      }
    }
    throw new IllegalArgumentException(
        "'" + name + "' is not a fault: choose from none, kill-leader, pause-follower");
  }
}
