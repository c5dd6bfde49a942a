package io.silkkv.ops.bench.report;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A system and the options it really ran with.
 *
 * @param options by name, sorted
 */
public record SystemFacts(String system, Map<String, String> options) {
  public SystemFacts {
    options = Collections.unmodifiableMap(new TreeMap<>(options));
  }
}
