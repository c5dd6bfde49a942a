package io.silkkv.ops.bench;

import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Three etcd processes with etcd's own defaults. For one thread. */
final class EtcdCluster implements AutoCloseable {
  private static final int NODES = 3;
  private static final Duration START_LIMIT = Duration.ofSeconds(30);
  private static final long POLL_MILLIS = 100;

  private final Path root;
  private final int basePort;
  private final LongSupplier nanoClock;
  private final List<Process> processes = new ArrayList<>();

  EtcdCluster(Path root, int basePort, LongSupplier nanoClock) {
    this.root = root;
    this.basePort = basePort;
    this.nanoClock = nanoClock;
  }

  /**
   * The first {@code etcd} on the PATH.
   *
   * @throws OpsException when there is none
   */
  static Path binary(String path) {
    for (String directory : path.split(File.pathSeparator, -1)) {
      Path candidate = Path.of(directory, "etcd");
      if (!directory.isEmpty() && Files.isExecutable(candidate)) {
        return candidate;
      }
    }
    throw new OpsException(
        ExitCode.BAD_INPUT,
        "etcd is not on the PATH. Install it, e.g. 'apt-get install etcd-server', and stop the"
            + " service that the package may have started");
  }

  void start(Path binary) throws IOException, InterruptedException {
    List<String> members = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      members.add("e" + i + "=http://" + peer(i));
    }
    for (int i = 0; i < NODES; i++) {
      Path log = Files.createDirectories(root.resolve("e" + i)).resolve("etcd.log");
      processes.add(
          new ProcessBuilder(
                  binary.toString(),
                  "--name=e" + i,
                  "--data-dir=" + root.resolve("e" + i).resolve("data"),
                  "--listen-client-urls=http://" + client(i),
                  "--advertise-client-urls=http://" + client(i),
                  "--listen-peer-urls=http://" + peer(i),
                  "--initial-advertise-peer-urls=http://" + peer(i),
                  "--initial-cluster=" + String.join(",", members),
                  "--initial-cluster-state=new")
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start());
    }
    long deadline = nanoClock.getAsLong() + START_LIMIT.toNanos();
    HttpClient http = HttpClient.newHttpClient();
    for (int i = 0; i < NODES; i++) {
      while (!healthy(http, i)) {
        boolean ended = processes.get(i).waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
        if (ended || nanoClock.getAsLong() > deadline) {
          throw new OpsException(
              ExitCode.UNAVAILABLE,
              "etcd number " + i + " did not start; see " + root.resolve("e" + i + "/etcd.log"));
        }
      }
    }
  }

  private boolean healthy(HttpClient http, int index) throws InterruptedException {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://" + client(index) + "/health"))
              .timeout(Duration.ofSeconds(2))
              .build();
      return http.send(request, HttpResponse.BodyHandlers.ofString()).body().contains("true");
    } catch (IOException e) {
      // Not listening yet: that is the answer.
      return false;
    }
  }

  /** host:port of all members. */
  List<String> endpoints() {
    List<String> endpoints = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      endpoints.add(client(i));
    }
    return endpoints;
  }

  private String client(int index) {
    return "127.0.0.1:" + (basePort + 10 * index);
  }

  private String peer(int index) {
    return "127.0.0.1:" + (basePort + 10 * index + 1);
  }

  /** Kills the processes: their data is thrown away. */
  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
  }
}
