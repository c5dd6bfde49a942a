package io.silkkv.raftsm.transport;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;

/** A Ratis division as the read gate sees it. While there is none, nothing is led here. */
final class DivisionView implements GroupView {
  private record Members(RaftConfiguration of, List<String> current, List<String> previous) {}

  private final Supplier<RaftServer.@Nullable Division> lookup;

  /** The division that was found last, while it lives: a look-up per read would cost too much. */
  private volatile RaftServer.@Nullable Division found;

  /** Names of the configuration that was seen last; configurations are immutable. */
  private volatile @Nullable Members members;

  DivisionView(Supplier<RaftServer.@Nullable Division> lookup) {
    this.lookup = lookup;
  }

  private RaftServer.@Nullable Division division() {
    RaftServer.Division d = found;
    if (d == null || !d.getInfo().isAlive()) {
      d = lookup.get();
      found = d;
    }
    return d;
  }

  @Override
  public String self() {
    RaftServer.Division d = division();
    return d == null ? "" : d.getId().toString();
  }

  @Override
  public boolean leader() {
    RaftServer.Division d = division();
    return d != null && d.getInfo().isAlive() && d.getInfo().isLeader();
  }

  @Override
  public boolean leaderReady() {
    RaftServer.Division d = division();
    return d != null
        && d.getInfo().isAlive()
        && d.getInfo().isLeader()
        && d.getInfo().isLeaderReady();
  }

  @Override
  public long term() {
    RaftServer.Division d = division();
    return d == null ? -1 : d.getInfo().getCurrentTerm();
  }

  @Override
  public Collection<String> peers() {
    Members m = members();
    return m == null ? List.of() : m.current;
  }

  @Override
  public Collection<String> previousPeers() {
    Members m = members();
    return m == null ? List.of() : m.previous;
  }

  private @Nullable Members members() {
    RaftServer.Division d = division();
    if (d == null) {
      return null;
    }
    RaftConfiguration now = d.getRaftConf();
    Members m = members;
    if (m == null || m.of != now) {
      m = new Members(now, names(now.getCurrentPeers()), names(now.getPreviousPeers()));
      members = m;
    }
    return m;
  }

  private static List<String> names(Collection<RaftPeer> peers) {
    return peers.stream().map(peer -> peer.getId().toString()).toList();
  }
}
