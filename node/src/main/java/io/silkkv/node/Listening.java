package io.silkkv.node;

import io.silkkv.node.config.NodeAddress;
import java.io.IOException;
import java.net.BindException;
import org.jspecify.annotations.Nullable;

/** Starting something that listens, with an error that names the setting to change. */
final class Listening {
  private Listening() {}

  /** Starts a part. */
  @FunctionalInterface
  interface Start<T> {
    T start() throws IOException;
  }

  /**
   * @param setting which address of {@code cluster.nodes}
   * @throws StartException when the address cannot be bound
   */
  static <T> T on(String setting, NodeAddress address, Start<T> start) throws IOException {
    try {
      return start.start();
    } catch (IOException e) {
      if (!isBindFailure(e)) {
        throw e;
      }
      throw new StartException(
          StartException.IN_USE,
          setting
              + " "
              + address
              + " cannot be used: it is in use by another process, or not an address of this"
              + " machine; stop that process, or change "
              + setting
              + " in cluster.nodes",
          e);
    }
  }

  private static boolean isBindFailure(Throwable failure) {
    for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof BindException
          || String.valueOf(cause.getClass().getSimpleName()).contains("NativeIoException")) {
        return true;
      }
    }
    return false;
  }
}
