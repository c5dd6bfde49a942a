package io.silkkv.ops.base;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Picks a value by the name that somebody typed. */
public final class Choice {
  private Choice() {}

  /**
   * The value of a name.
   *
   * @param what what is chosen, for the message
   * @throws OpsException for an unknown name; the message suggests the nearest one
   */
  public static <T> T of(String what, String name, Map<String, ? extends T> choices) {
    T found = choices.get(name);
    if (found == null) {
      throw unknown(what, name, choices.keySet());
    }
    return found;
  }

  /** The error for a name that is not among the choices. */
  public static OpsException unknown(String what, String name, Collection<String> choices) {
    String nearest = nearest(name, choices);
    return new OpsException(
        ExitCode.BAD_INPUT,
        what
            + " '"
            + name
            + "' is unknown"
            + (nearest == null ? "." : "; did you mean '" + nearest + "'?")
            + " Choices: "
            + String.join(", ", choices));
  }

  private static @Nullable String nearest(String name, Collection<String> choices) {
    String best = null;
    int least = Math.max(2, name.length() / 3) + 1;
    for (String choice : choices) {
      int distance = edits(name, choice);
      if (distance < least) {
        best = choice;
        least = distance;
      }
    }
    return best;
  }

  /** Levenshtein's distance. */
  private static int edits(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
