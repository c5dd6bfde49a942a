package io.silkkv.raftsm;

import io.grpc.ManagedChannel;

/** How to reach the gRPC port of another node. The channels belong to the node. */
@FunctionalInterface
public interface PeerChannels {
  /**
   * The channel to the node that holds a replica.
   *
   * @throws IllegalArgumentException when no such peer is known
   */
  ManagedChannel channel(String peerId);
}
