package io.silkkv.node.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * Where something listens.
 *
 * @param host name or address
 * @param port 1 to 65535
 */
public record NodeAddress(String host, int port) {
  /**
   * Reads {@code host:port}.
   *
   * @throws IllegalArgumentException when the text has another shape
   */
  static NodeAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    String host = colon > 0 ? text.substring(0, colon) : "";
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      if (!host.isEmpty() && port > 0 && port <= 65535) {
        return new NodeAddress(host, port);
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(shape(text), e);
    }
    throw new IllegalArgumentException(shape(text));
  }

  private static String shape(String text) {
    return "'" + text + "' is not host:port, e.g. 127.0.0.1:7400";
  }

  /** Whether only this machine reaches it; a name that does not resolve counts as reachable. */
  boolean isLoopback() {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  public InetSocketAddress toSocketAddress() {
    return new InetSocketAddress(host, port);
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
