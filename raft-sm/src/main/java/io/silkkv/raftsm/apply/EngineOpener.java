package io.silkkv.raftsm.apply;

import io.silkkv.engine.api.EngineListener;
import io.silkkv.engine.api.StorageEngine;
import java.nio.file.Path;

/** Opens the storage engine of a replica; a new directory gives an empty engine. */
@FunctionalInterface
public interface EngineOpener {
  /**
   * @param directory the engine's own directory
   * @param listener told about flushes and faults of this engine
   * @throws io.silkkv.engine.api.EngineException when the directory cannot be used
   */
  StorageEngine open(Path directory, EngineListener listener);
}
