package io.silkkv.ops.bench.cluster;

import io.silkkv.ops.bench.load.data.KeyChooser;
import io.silkkv.ops.bench.load.data.KeyFormat;
import io.silkkv.ops.bench.load.data.OpKind;
import io.silkkv.ops.bench.load.data.OperationMix;
import io.silkkv.ops.bench.load.data.OperationMix.Share;
import io.silkkv.ops.bench.load.data.OperationSource;
import io.silkkv.ops.bench.load.data.ValueSizes;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The load that every system gets.
 *
 * @param inFlight most calls without an answer
 * @param valueBytes length of every value
 * @param keys how many different keys there are; all are there before anything is measured, puts
 *     overwrite them
 * @param scanLength most entries of a scan
 * @param shards how many shards the keys are spread over
 * @param rate calls per second of an open loop; 0 for a closed one
 */
public record ClusterLoad(
    int inFlight, int valueBytes, int keys, int scanLength, int shards, double rate) {

  private static final long SEED = 20_260_101L;
  private static final String KEY_PREFIX = "b/";
  private static final int HEX_DIGITS = 16;

  /** What is asked for. */
  public enum ClusterOp {
    PUT,
    GET,
    /** Half puts, half gets. */
    MIXED,
    SCAN;

    /** The name on the command line. */
    public String optionName() {
      return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The inverse of {@link #optionName}.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static ClusterOp ofOptionName(String name) {
      for (ClusterOp op : values()) {
        if (op.optionName().equals(name)) {
          return op;
        }
      }
      throw new IllegalArgumentException(
          "'" + name + "' is not an operation: choose from put, get, mixed, scan");
    }
  }

  boolean isOpen() {
    return rate > 0;
  }

  /** Keys are spread evenly over all shards, in random order. */
  static KeyFormat keyFormat() {
    return new KeyFormat.Text(KEY_PREFIX);
  }

  /** The first keys of all shards but the first, so that every shard has as many keys. */
  List<String> splitAt() {
    BigInteger space = BigInteger.ONE.shiftLeft(Long.SIZE);
    List<String> splits = new ArrayList<>();
    for (int shard = 1; shard < shards; shard++) {
      String hex =
          space.multiply(BigInteger.valueOf(shard)).divide(BigInteger.valueOf(shards)).toString(16);
      splits.add(KEY_PREFIX + "0".repeat(HEX_DIGITS - hex.length()) + hex);
    }
    return splits;
  }

  /** The operations, the same ones for every system. */
  OperationSource operations(ClusterOp op) {
    List<Share> shares =
        switch (op) {
          case PUT -> List.of(Share.of(OpKind.PUT, 1));
          case GET -> List.of(Share.of(OpKind.GET, 1));
          case MIXED -> List.of(Share.of(OpKind.PUT, 1), Share.of(OpKind.GET, 1));
          case SCAN -> List.of(Share.scans(1, scanLength, scanLength));
        };
    return new OperationMix(SEED, keys, 0, shares, new KeyChooser.Uniform(), sizes());
  }

  /** Puts every key once. */
  OperationSource fill() {
    return OperationSource.fill(SEED, sizes());
  }

  private ValueSizes sizes() {
    return new ValueSizes.Fixed(valueBytes);
  }

  /** Names the load in a report: figures of different loads must not be compared. */
  String workload(ClusterOp op, Fault fault) {
    StringBuilder name = new StringBuilder(op.optionName());
    if (op == ClusterOp.SCAN) {
      name.append(scanLength);
    }
    if (isOpen()) {
      name.append(String.format(Locale.ROOT, "-%.0f/s", rate));
    }
    name.append("-inflight").append(inFlight).append('-').append(valueBytes).append('B');
    if (shards > 1) {
      name.append('-').append(shards).append("shards");
    }
    if (fault != Fault.NONE) {
      name.append('-').append(fault.optionName());
    }
    return name.toString();
  }
}
