package io.silkkv.node.fault;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fail-stop: after a failed log write, a failed apply or a failed flush the process ends, because
 * the rest of the cluster goes on correctly without it, and could not with a node that only seems
 * to work. Thread-safe.
 */
public final class FaultHandler {
  /** Exit code of a process that stopped itself. */
  public static final int EXIT_CODE = 70;

  private static final Logger LOG = LoggerFactory.getLogger(FaultHandler.class);

  private final AtomicReference<@Nullable String> first = new AtomicReference<>();
  private final IntConsumer end;

  /**
   * @param end ends the process with the given exit code, at once and without shutdown hooks: what
   *     they would flush can no longer be trusted
   */
  public FaultHandler(IntConsumer end) {
    this.end = end;
  }

  /** Records the fault and ends the process. Later faults are only logged. */
  public void fatal(String what, Throwable cause) {
    LOG.error("fatal: {}; this node stops, its cluster goes on without it", what, cause);
    if (first.compareAndSet(null, what + ": " + cause)) {
      end.accept(EXIT_CODE);
    }
  }

  /** The first fatal fault, null while there is none. */
  public @Nullable String fault() {
    return first.get();
  }
}
