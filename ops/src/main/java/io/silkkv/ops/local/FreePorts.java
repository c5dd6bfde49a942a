package io.silkkv.ops.local;

import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * Finds ports for clusters that nobody has to find again. Another process may take a port between
 * the look and the use; then the node says so and the command can be run again.
 */
public final class FreePorts {
  private static final int STEP = 100;
  private static final int TRIES = 200;

  private FreePorts() {}

  /**
   * A base port from {@code first} upwards whose following ports are free.
   *
   * @param count ports that must be free
   */
  public static int from(int first, int count) {
    for (int base = first; base < first + STEP * TRIES && base + count < 32_768; base += STEP) {
      if (allFree(base, count)) {
        return base;
      }
    }
    throw new OpsException(
        ExitCode.IN_USE,
        "found no " + count + " free ports in a row from " + first + " upwards on 127.0.0.1");
  }

  private static boolean allFree(int base, int count) {
    for (int port = base; port < base + count; port++) {
      try (ServerSocket socket = new ServerSocket()) {
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      } catch (IOException e) {
        // In use: that is the answer.
        return false;
      }
    }
    return true;
  }
}
