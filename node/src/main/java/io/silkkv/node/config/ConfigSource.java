package io.silkkv.node.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Gathers raw values per setting: file first, then environment, then {@code --set}; a later source
 * wins. Problems are collected, so that a user sees all of them at once.
 */
final class ConfigSource {
  /** Variables of the launcher, which share the prefix but are no settings. */
  private static final Set<String> LAUNCHER_VARIABLES =
      Set.of("SILKKV_JAVA_HOME", "SILKKV_JAVA_OPTS");

  private final Map<Setting, Object> values = new EnumMap<>(Setting.class);
  private final List<String> violations;

  ConfigSource(List<String> violations) {
    this.violations = violations;
  }

  void readFile(Path file) {
    try {
      Object root =
          new Load(LoadSettings.builder().setLabel(file.toString()).build())
              .loadFromString(Files.readString(file));
      if (root instanceof Map<?, ?> map) {
        flatten(file, "", map);
      } else {
        violations.add(file + " holds no settings; it must be a YAML map, e.g. 'node: {id: n1}'");
      }
    } catch (NoSuchFileException e) {
      violations.add("configuration file " + file + " does not exist");
    } catch (IOException e) {
      violations.add("cannot read configuration file " + file + ": " + e);
    } catch (YamlEngineException e) {
      violations.add(file + " is not valid YAML: " + e.getMessage());
    }
  }

  private void flatten(Path file, String prefix, Map<?, ?> map) {
    map.forEach(
        (name, value) -> {
          String key = prefix + name;
          if (Setting.ofKey(key).isEmpty() && value instanceof Map<?, ?> section) {
            flatten(file, key + ".", section);
          } else {
            put(key, value == null ? "" : value, "in " + file);
          }
        });
  }

  void readEnvironment(Map<String, String> environment) {
    environment.forEach(
        (name, value) -> {
          if (name.startsWith("SILKKV_") && !LAUNCHER_VARIABLES.contains(name)) {
            Setting.ofVariable(name)
                .ifPresentOrElse(
                    setting -> values.put(setting, value),
                    () ->
                        violations.add(
                            "unknown environment variable "
                                + name
                                + suggestion(
                                    name,
                                    Arrays.stream(Setting.values())
                                        .map(Setting::variable)
                                        .toList())));
          }
        });
  }

  /** Takes {@code key=value}. */
  void readOverride(String override) {
    int equals = override.indexOf('=');
    if (equals <= 0) {
      violations.add("--set " + override + " is not key=value, e.g. --set rpc.read-threads=2");
    } else {
      put(override.substring(0, equals), override.substring(equals + 1), "in --set");
    }
  }

  private void put(String key, Object value, String where) {
    Setting.ofKey(key)
        .ifPresentOrElse(
            setting -> values.put(setting, value),
            () ->
                violations.add(
                    "unknown setting '"
                        + key
                        + "' "
                        + where
                        + suggestion(
                            key, Arrays.stream(Setting.values()).map(Setting::key).toList())));
  }

  Map<Setting, Object> values() {
    return values;
  }

  private static String suggestion(String typed, List<String> known) {
    List<String> byDistance = new ArrayList<>(known);
    byDistance.sort(Comparator.comparingInt(candidate -> distance(typed, candidate)));
    return "; did you mean '" + byDistance.get(0) + "'?";
  }

  /** Levenshtein distance, one row at a time. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substitute = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substitute, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
