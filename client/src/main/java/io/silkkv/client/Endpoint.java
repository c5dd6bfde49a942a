package io.silkkv.client;

/** Where a node listens. IPv6 addresses stand in brackets: {@code [::1]:7400}. */
record Endpoint(String host, int port) {
  static Endpoint parse(String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon);
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    if (host.isEmpty() || (host.indexOf(':') >= 0 && !bracketed)) {
      throw refused(text);
    }
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      if (port < 1 || port > 65535) {
        throw refused(text);
      }
      return new Endpoint(bracketed ? host.substring(1, host.length() - 1) : host, port);
    } catch (NumberFormatException notANumber) {
      throw refused(text);
    }
  }

  private static IllegalArgumentException refused(String text) {
    return new IllegalArgumentException(
        "endpoint '"
            + text
            + "' must be host:port with a port from 1 to 65535, such as 127.0.0.1:7400 or"
            + " [::1]:7400");
  }

  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
