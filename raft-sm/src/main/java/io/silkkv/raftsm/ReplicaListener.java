package io.silkkv.raftsm;

/** How replicas report what the process cannot survive. */
@FunctionalInterface
public interface ReplicaListener {
  /**
   * The disk, the log or the state of a replica can no longer be trusted. The receiver ends the
   * process; going on would answer wrongly or hang. Called from any thread, perhaps more than once.
   *
   * @param what which replica failed at what
   * @param cause the failure
   */
  void fatal(String what, Throwable cause);
}
