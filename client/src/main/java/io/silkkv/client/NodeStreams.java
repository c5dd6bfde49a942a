package io.silkkv.client;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** The streams by node address. Confined to the I/O thread. */
final class NodeStreams {
  private final Map<String, NodeStream> streams = new HashMap<>();
  private final Function<String, NodeStream> opener;

  NodeStreams(Function<String, NodeStream> opener) {
    this.opener = opener;
  }

  /** The stream to an address; made, but not connected, when it is asked for first. */
  NodeStream at(String address) {
    return streams.computeIfAbsent(address, opener);
  }

  /** Whether a call has a chance there now. */
  boolean isUsable(String address) {
    NodeStream stream = streams.get(address);
    return stream == null || stream.isUsable();
  }

  void shutdown() {
    streams.values().forEach(NodeStream::shutdown);
    streams.clear();
  }
}
