package io.silkkv.engine.api;

/** The engine, or the view that was used, is closed. */
public final class EngineClosedException extends EngineException {
  private static final long serialVersionUID = 1L;

  public EngineClosedException(String what) {
    super(what + " is closed", null);
  }
}
