package io.silkkv.engine.version;

import io.silkkv.engine.api.CorruptionException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Tables of which a part cannot be read. They stay where they are: whoever reads the damaged part
 * gets the error, all else can be read, and no compaction takes them, because it could only fail or
 * lose data. They are known until the engine is closed; the next one finds them again. Thread-safe.
 */
public final class DamagedTables {
  private final Map<Long, CorruptionException> causes = new ConcurrentHashMap<>();
  private final Consumer<CorruptionException> found;

  /**
   * @param found told once for each table, with no lock held
   */
  public DamagedTables(Consumer<CorruptionException> found) {
    this.found = found;
  }

  /** Takes note of a table. */
  public void add(TableMetadata table, CorruptionException cause) {
    if (causes.putIfAbsent(table.number(), cause) == null) {
      found.accept(cause);
    }
  }

  /** Numbers of the tables. */
  public Set<Long> numbers() {
    return Set.copyOf(causes.keySet());
  }

  /** How many there are. */
  public int count() {
    return causes.size();
  }
}
