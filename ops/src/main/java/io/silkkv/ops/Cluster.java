package io.silkkv.ops;

import io.silkkv.client.KvClient;
import io.silkkv.client.KvException;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Options of every command that talks to a running cluster. */
final class Cluster {
  @Option(
      names = "--endpoint",
      paramLabel = "HOST:PORT",
      split = ",",
      description = "A node of the cluster; one is enough (default 127.0.0.1:7400).")
  private List<String> endpoints = new ArrayList<>();

  @Option(
      names = "--deadline",
      paramLabel = "SECONDS",
      description = "How long a call may take with all its attempts (default: 5, load: 60).")
  private double deadlineSeconds;

  List<String> endpoints() {
    return endpoints.isEmpty() ? List.of("127.0.0.1:7400") : List.copyOf(endpoints);
  }

  /** How long a call may take. */
  Duration deadline(int defaultSeconds) {
    double seconds = deadlineSeconds == 0 ? defaultSeconds : deadlineSeconds;
    if (!(seconds > 0 && seconds <= 86_400)) {
      throw new OpsException(
          ExitCode.BAD_INPUT,
          "--deadline is " + seconds + " seconds, but must be more than 0 and at most 86400");
    }
    return Duration.ofMillis((long) Math.ceil(seconds * 1000));
  }

  /** A client; the caller closes it. */
  KvClient connect(int defaultSeconds) {
    try {
      return KvClient.builder().endpoints(endpoints()).deadline(deadline(defaultSeconds)).build();
    } catch (IllegalArgumentException e) {
      throw new OpsException(ExitCode.BAD_INPUT, "--endpoint: " + e.getMessage(), e);
    }
  }

  /** How a command ends after a failed call. */
  static OpsException explain(KvException failure) {
    if (failure instanceof KvException.InvalidRequest) {
      return new OpsException(ExitCode.BAD_INPUT, String.valueOf(failure.getMessage()), failure);
    }
    return new OpsException(
        ExitCode.UNAVAILABLE,
        failure.getMessage()
            + (failure.maybeApplied() ? "; the write may have been applied" : "")
            + ". 'silkkv status' shows what is up, 'silkkv up' starts a cluster here, --endpoint"
            + " names another node",
        failure);
  }
}
