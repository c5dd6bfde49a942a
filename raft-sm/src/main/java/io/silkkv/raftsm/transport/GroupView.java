package io.silkkv.raftsm.transport;

import java.util.Collection;

/**
 * What a {@link ReadGate} asks about its Raft group: the border to the Raft library. Thread-safe.
 */
interface GroupView {
  /** This node's peer id. */
  String self();

  /** Whether this node leads the group, as far as it knows. */
  boolean leader();

  /** Whether it leads and has applied an entry of its own term. */
  boolean leaderReady();

  /** The current term. */
  long term();

  /** Voting members. */
  Collection<String> peers();

  /** Voting members of the configuration that is being replaced; empty when none is. */
  Collection<String> previousPeers();
}
