package io.silkkv.raftsm;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;

/**
 * Ports that a test may bind again after it closed them. They lie below those that outgoing
 * connections get, or a connection might take the port of a server that is being restarted.
 */
final class Ports {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int LOWEST = 10_000;
  private static final int HIGHEST = 32_000;

  private Ports() {}

  static int free() throws IOException {
    while (true) {
      int port = LOWEST + RANDOM.nextInt(HIGHEST - LOWEST);
      try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      } catch (BindException taken) {
        // Try the next one.
      }
    }
  }
}
