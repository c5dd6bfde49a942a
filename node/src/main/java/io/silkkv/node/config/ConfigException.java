package io.silkkv.node.config;

import java.util.List;

/** The configuration cannot be used; the message lists everything that is wrong with it. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ConfigException(List<String> violations) {
    super(
        violations.size() == 1
            ? violations.get(0)
            : violations.size() + " problems:\n  - " + String.join("\n  - ", violations));
  }
}
