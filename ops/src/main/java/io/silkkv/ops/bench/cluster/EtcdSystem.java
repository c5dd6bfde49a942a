package io.silkkv.ops.bench.cluster;

import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * etcd with its own defaults, but for the space that it may fill: it keeps every version of every
 * key, and would refuse writes in the middle of a long run.
 */
final class EtcdSystem implements ClusterSystem {
  private static final long POLL_MILLIS = 100;
  private static final int PORTS_PER_MEMBER = 10;
  private static final long QUOTA_BYTES = 8L << 30;

  private final Path binary;
  private final int basePort;
  private final LongSupplier nanoClock;
  private final Path root;
  private final List<MemberProcess> members = new ArrayList<>();

  EtcdSystem(Path binary, Path root, int basePort, LongSupplier nanoClock) {
    this.binary = binary;
    this.root = root;
    this.basePort = basePort;
    this.nanoClock = nanoClock;
    for (int i = 0; i < MEMBERS; i++) {
      members.add(
          new MemberProcess(
              "etcd number " + i, directory(i).resolve("etcd.log"), ProcessBuilder::new));
    }
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
        "etcd is not on the PATH. Install it with 'apt-get install etcd-server' (and stop the"
            + " service that the package starts: 'service etcd stop'), or leave etcd out of"
            + " --systems");
  }

  @Override
  public String name() {
    return "etcd";
  }

  @Override
  public void start() throws IOException, InterruptedException {
    for (int i = 0; i < MEMBERS; i++) {
      members.get(i).start(command(i));
    }
    for (int i = 0; i < MEMBERS; i++) {
      awaitHealthy(i);
    }
  }

  private List<String> command(int index) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < MEMBERS; i++) {
      all.add("e" + i + "=http://" + peer(i));
    }
    return List.of(
        binary.toString(),
        "--name=e" + index,
        "--data-dir=" + directory(index).resolve("data"),
        "--listen-client-urls=http://" + client(index),
        "--advertise-client-urls=http://" + client(index),
        "--listen-peer-urls=http://" + peer(index),
        "--initial-advertise-peer-urls=http://" + peer(index),
        "--initial-cluster=" + String.join(",", all),
        // Ignored by a member that has its data already.
        "--initial-cluster-state=new",
        "--quota-backend-bytes=" + QUOTA_BYTES);
  }

  private void awaitHealthy(int index) throws IOException, InterruptedException {
    long deadline = nanoClock.getAsLong() + START_LIMIT.toNanos();
    HttpClient http = HttpClient.newHttpClient();
    while (!healthy(http, index)) {
      boolean ended = members.get(index).endedWithin(POLL_MILLIS);
      if (ended || nanoClock.getAsLong() > deadline) {
        throw new OpsException(
            ExitCode.UNAVAILABLE,
            members.get(index).name() + " did not start: " + members.get(index).lastWords());
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

  @Override
  public List<String> endpoints() {
    List<String> endpoints = new ArrayList<>();
    for (int i = 0; i < MEMBERS; i++) {
      endpoints.add(client(i));
    }
    return endpoints;
  }

  @Override
  public long pid(int member) {
    return members.get(member).pid();
  }

  @Override
  public void kill(int member) throws InterruptedException {
    members.get(member).kill();
  }

  @Override
  public void restart(int member) throws IOException, InterruptedException {
    members.get(member).start(command(member));
    awaitHealthy(member);
  }

  @Override
  public SortedMap<String, String> facts() {
    SortedMap<String, String> facts = new TreeMap<>();
    facts.put("version", version());
    facts.put("members", String.valueOf(MEMBERS));
    facts.put("shards", "1 (etcd has no others)");
    facts.put("quota_backend_bytes", String.valueOf(QUOTA_BYTES));
    facts.put("settings", "defaults but the quota");
    facts.put("log_fsync", "true");
    return facts;
  }

  private String version() {
    try {
      Process process =
          new ProcessBuilder(binary.toString(), "--version").redirectErrorStream(true).start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().findFirst().orElse("unknown");
    } catch (IOException e) {
      throw new OpsException(ExitCode.FAULT, binary + " --version does not run: " + e, e);
    }
  }

  private Path directory(int index) {
    return root.resolve("e" + index);
  }

  private String client(int index) {
    return "127.0.0.1:" + (basePort + PORTS_PER_MEMBER * index);
  }

  private String peer(int index) {
    return "127.0.0.1:" + (basePort + PORTS_PER_MEMBER * index + 1);
  }

  @Override
  public void close() {
    members.forEach(MemberProcess::destroy);
  }
}
