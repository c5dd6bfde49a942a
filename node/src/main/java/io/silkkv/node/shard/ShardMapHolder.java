package io.silkkv.node.shard;

import io.silkkv.router.ShardMap;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The shard map that this node uses now. Readers take the reference and keep it for the whole call;
 * updates swap it. A map is confirmed once it came from the meta shard: before that (the node only
 * has the map that its configuration would create) no call is served, because the cluster may have
 * been created with another one. Thread-safe.
 */
public final class ShardMapHolder {
  private final Object lock = new Object();
  private final List<Consumer<ShardMap>> listeners = new CopyOnWriteArrayList<>();

  // Written under the lock; read without it.
  private volatile ShardMap map;
  private volatile boolean confirmed;

  /**
   * @param initial what to start from
   * @param confirmed whether it once came from the meta shard, e.g. because the node kept a copy
   */
  public ShardMapHolder(ShardMap initial, boolean confirmed) {
    this.map = initial;
    this.confirmed = confirmed;
  }

  public ShardMap map() {
    return map;
  }

  /** Whether the map came from the meta shard. */
  public boolean confirmed() {
    return confirmed;
  }

  /** Called with every map that replaces another or confirms the first, one call at a time. */
  public void onUpdate(Consumer<ShardMap> listener) {
    listeners.add(listener);
  }

  /**
   * Takes a map that was read from the meta shard.
   *
   * @return whether anything changed; an older map than the current confirmed one changes nothing
   * @throws IllegalArgumentException when it is another cluster's map
   */
  public boolean update(ShardMap read) {
    synchronized (lock) {
      if (!read.clusterId().equals(map.clusterId())) {
        throw new IllegalArgumentException(
            "the meta shard holds the map of cluster "
                + read.clusterId()
                + " but this node belongs to cluster "
                + map.clusterId()
                + "; check cluster.id in its configuration");
      }
      if (confirmed && read.version() <= map.version()) {
        return false;
      }
      map = read;
      confirmed = true;
      for (Consumer<ShardMap> listener : listeners) {
        listener.accept(read);
      }
      return true;
    }
  }
}
