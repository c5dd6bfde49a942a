package io.silkkv.ops.bench.engine;

import io.silkkv.ops.base.Choice;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.bench.load.data.OpKind;
import io.silkkv.ops.bench.load.data.OperationMix.Share;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Shares of operations as people write them: {@code put=50,get=45,scan=5}. Besides the kinds of
 * operations there is {@code insert}, a put of a new key.
 */
final class MixText {
  private static final String INSERT = "insert";

  private MixText() {}

  /** The shares of what is no insert. */
  static List<Share> parse(String text, int scanEntries) {
    List<Share> shares = new ArrayList<>();
    weights(text)
        .forEach(
            (name, weight) -> {
              if (weight > 0 && !name.equals(INSERT)) {
                OpKind kind = OpKind.ofJsonName(name);
                shares.add(
                    kind == OpKind.SCAN
                        ? Share.scans(weight, 1, scanEntries)
                        : Share.of(kind, weight));
              }
            });
    return shares;
  }

  /** Share (0 to 1) of the inserts. */
  static double insertShare(String text) {
    Map<String, Double> weights = weights(text);
    double sum = weights.values().stream().mapToDouble(Double::doubleValue).sum();
    return weights.getOrDefault(INSERT, 0.0) / sum;
  }

  private static Map<String, Double> weights(String text) {
    List<String> names = new ArrayList<>();
    for (OpKind kind : OpKind.values()) {
      names.add(kind.jsonName());
    }
    names.add(INSERT);
    Map<String, Double> weights = new LinkedHashMap<>();
    double sum = 0;
    for (String part : text.split(",", -1)) {
      String[] sides = part.split("=", -1);
      String name = sides[0].strip();
      if (!names.contains(name)) {
        throw Choice.unknown("--mix: operation", name, names);
      }
      double weight = sides.length == 2 ? weight(sides[1]) : -1;
      if (!(weight >= 0) || Double.isInfinite(weight) || weights.put(name, weight) != null) {
        throw new OpsException(
            ExitCode.BAD_INPUT,
            "--mix: '" + text + "' is not of the form put=50,get=50 with each operation once");
      }
      sum += weight;
    }
    if (!(sum > 0)) {
      throw new OpsException(ExitCode.BAD_INPUT, "--mix: '" + text + "' leaves nothing to do");
    }
    return weights;
  }

  private static double weight(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
