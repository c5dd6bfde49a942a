package io.silkkv.ops.bench.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What SilkKV's nodes say on {@code /metrics} about the bytes that they have moved. */
final class NodeIo {
  private static final Duration LIMIT = Duration.ofMillis(500);

  /** {@code silkkv_io_bytes_total{class="flush",direction="write"} 123.0}; reads count too. */
  private static final Pattern LINE =
      Pattern.compile("silkkv_io_bytes_total\\{class=\"([a-z0-9_]+)\".*\\} ([0-9.Ee+]+)");

  private final HttpClient http = HttpClient.newHttpClient();

  /**
   * Bytes since the start of the nodes, by class of traffic, of all nodes that answer.
   *
   * @param addresses host:port of the nodes' HTTP end points
   */
  SortedMap<String, Double> read(List<String> addresses) throws InterruptedException {
    SortedMap<String, Double> sums = new TreeMap<>();
    for (String address : addresses) {
      parse(metrics(address)).forEach((name, bytes) -> sums.merge(name, bytes, Double::sum));
    }
    return sums;
  }

  /** Empty for a node that was killed or paused: the others' bytes are what there is then. */
  private String metrics(String address) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + address + "/metrics")).timeout(LIMIT).build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException e) {
      return "";
    }
  }

  /** Bytes by class in one node's answer. */
  static SortedMap<String, Double> parse(String metrics) {
    SortedMap<String, Double> bytes = new TreeMap<>();
    metrics
        .lines()
        .forEach(
            line -> {
              Matcher matcher = LINE.matcher(line);
              if (matcher.matches()) {
                // Reports have one name for what clients read, whatever the system.
                String name = matcher.group(1).equals("client_read") ? "client" : matcher.group(1);
                bytes.merge(name, Double.valueOf(matcher.group(2)), Double::sum);
              }
            });
    return bytes;
  }
}
