package io.silkkv.node.shard;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.raftsm.command.Command;
import io.silkkv.raftsm.command.Condition;
import io.silkkv.router.ShardMap;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the shard map from the meta shard into the holder: at the start as soon as the meta shard
 * answers, later when a routing error hints at a newer map, and slowly in the background. When the
 * meta shard has no map yet, the cluster is new: the node whose replica leads the meta shard writes
 * the map of the configuration, under the condition that there is still none, so that all nodes end
 * with the same one.
 *
 * <p>All work happens on the timer's thread; {@link #refreshSoon} may be called from any thread.
 */
public final class MapBootstrap {
  /** Where the meta shard keeps the map. */
  public static final ByteString MAP_KEY = ByteString.copyFromUtf8("cluster/shard-map");

  private static final Logger LOG = LoggerFactory.getLogger(MapBootstrap.class);
  private static final long TICK_MILLIS = 100;
  private static final long WRITE_TIMEOUT_SECONDS = 5;
  private static final long IMPATIENT_NANOS = Duration.ofSeconds(10).toNanos();

  private final ShardMapHolder maps;
  private final ReplicaDirectory replicas;
  private final MetaReader meta;
  private final boolean createCluster;
  private final ScheduledExecutorService timer;
  private final LongSupplier nanoTime;
  private final long refreshNanos;

  /** Set from any thread. */
  private volatile boolean wanted;

  // Below: only used on the timer's thread.
  private boolean busy;
  private long lastReadNanos;
  private long lastWordNanos;

  /** Who creates the map of a new cluster, and how often an old one is read again. */
  public record Policy(boolean createCluster, Duration refresh) {}

  /**
   * @param timer one thread; its owner ends it
   */
  public MapBootstrap(
      ShardMapHolder maps,
      ReplicaDirectory replicas,
      MetaReader meta,
      Policy policy,
      ScheduledExecutorService timer,
      LongSupplier nanoTime) {
    this.maps = maps;
    this.replicas = replicas;
    this.meta = meta;
    this.createCluster = policy.createCluster();
    this.refreshNanos = policy.refresh().toNanos();
    this.timer = timer;
    this.nanoTime = nanoTime;
    this.lastReadNanos = nanoTime.getAsLong() - refreshNanos;
    this.lastWordNanos = nanoTime.getAsLong();
  }

  /** Begins to read, and goes on until the timer ends. */
  public void start() {
    var unused = timer.scheduleWithFixedDelay(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Reads the map with the next tick: somebody seems to know a newer one. */
  public void refreshSoon() {
    wanted = true;
  }

  private void tick() {
    long now = nanoTime.getAsLong();
    if (busy || (maps.confirmed() && !wanted && now - lastReadNanos < refreshNanos)) {
      return;
    }
    busy = true;
    wanted = false;
    lastReadNanos = now;
    read();
  }

  private void read() {
    CompletableFuture<Optional<ByteString>> value;
    try {
      value = meta.read(MAP_KEY);
    } catch (RuntimeException e) {
      // A periodic task that throws is never run again.
      value = CompletableFuture.failedFuture(e);
    }
    var unused =
        value
            .handle((found, failure) -> failure == null ? onRead(found) : cannotRead(failure))
            .thenAccept(this::onTimer);
  }

  private Runnable cannotRead(Throwable failure) {
    return () -> {
      busy = false;
      complain("the meta shard cannot be read yet: " + failure);
    };
  }

  private Runnable onRead(Optional<ByteString> value) {
    return () -> {
      busy = false;
      if (value.isPresent()) {
        take(value.get());
      } else if (createCluster) {
        create();
      } else {
        complain("the meta shard holds no shard map and this node may not create one");
      }
    };
  }

  private void take(ByteString bytes) {
    try {
      ShardMap read = ShardMap.fromProto(io.silkkv.v1.ShardMap.parseFrom(bytes));
      if (maps.update(read)) {
        LOG.info("Uses shard map version {} with {} shards", read.version(), read.shards().size());
      }
    } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
      LOG.error("The shard map in the meta shard cannot be used; the old one stays", e);
    }
  }

  /** Writes the first map if the meta shard is led from here; else its leader does. */
  private void create() {
    Replica replica = replicas.replica(ShardMap.META_SHARD_ID);
    if (replica == null || !replica.leads()) {
      complain("the meta shard holds no shard map yet; its leader will create it");
      return;
    }
    Slice key = Slice.wrap(MAP_KEY.toByteArray());
    Slice map = Slice.wrap(maps.map().toProto().toByteArray());
    Command command =
        new Command(null, List.of(new Condition.Absent(key)), new WriteBatch().put(key, map));
    var unused =
        replica
            .propose(command)
            .orTimeout(WRITE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
            .whenComplete((result, failure) -> onTimer(() -> onWritten(failure)));
    busy = true;
  }

  private void onWritten(@Nullable Throwable failure) {
    busy = false;
    if (failure != null) {
      complain("the first shard map could not be written: " + failure);
    }
    // Whoever wrote it: the next tick reads what holds.
  }

  private void onTimer(Runnable step) {
    try {
      timer.execute(step);
    } catch (RejectedExecutionException e) {
      LOG.debug("the timer has ended, and with it the reading of the shard map", e);
    }
  }

  /** Waiting for the meta shard is usual at the start and worth a word only when it lasts. */
  private void complain(String what) {
    long now = nanoTime.getAsLong();
    if (now - lastWordNanos >= IMPATIENT_NANOS) {
      lastWordNanos = now;
      LOG.warn("The shard map is not up to date: {}", what);
    }
  }
}
