package io.silkkv.raftsm.apply;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.api.LogPosition;

/** What a {@link ReplicaStore} tells the state machine. Calls come from engine threads. */
public interface StoreListener {
  /** The log up to this position is not needed any more to restart this replica. */
  void flushed(LogPosition position);

  /** A file of the engine is damaged. Reads of a part of it fail, all else works. */
  void damaged(CorruptionException cause);

  /** The engine cannot go on; the replica must stop. */
  void failed(EngineException cause);
}
