package io.silkkv.node.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdminHttpTest {
  private final AtomicReference<Health> health =
      new AtomicReference<>(new Health(null, List.of(new Health.Check("shard 2", true, "ok"))));
  private AdminHttp http;

  @BeforeEach
  void start() throws IOException {
    http =
        AdminHttp.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            health::get,
            () -> "{\"nodeId\": \"n1\"}",
            () -> "silkkv_up 1\n");
  }

  @AfterEach
  void stop() {
    http.close();
  }

  private HttpResponse<String> send(String method, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + http.address().getPort() + path);
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void aHealthyNodeIsLiveAndReady() throws Exception {
    assertThat(send("GET", "/livez").statusCode()).isEqualTo(200);
    assertThat(send("GET", "/readyz").body()).isEqualTo("ok\n");
    assertThat(send("GET", "/readyz?verbose").body()).contains("[+] shard 2: ok");
    assertThat(send("GET", "/metrics").body()).isEqualTo("silkkv_up 1\n");
    assertThat(send("GET", "/status").body()).contains("n1");
  }

  @Test
  void aNodeThatLagsIsLiveButNotReadyAndSaysWhy() throws Exception {
    health.set(new Health(null, List.of(new Health.Check("shard 2", false, "5 entries behind"))));
    assertThat(send("GET", "/livez").statusCode()).isEqualTo(200);
    assertThat(send("GET", "/readyz").statusCode()).isEqualTo(503);
    assertThat(send("GET", "/readyz").body()).contains("[-] shard 2: 5 entries behind");
  }

  @Test
  void aFaultIsNamedAndEndsLiveness() throws Exception {
    health.set(new Health("disk gone", List.of()));
    assertThat(send("GET", "/livez").statusCode()).isEqualTo(503);
    assertThat(send("GET", "/livez").body()).contains("disk gone");
    assertThat(send("GET", "/readyz").statusCode()).isEqualTo(503);
  }

  @Test
  void otherPathsAndMethodsAreRefused() throws Exception {
    assertThat(send("GET", "/nothing").statusCode()).isEqualTo(404);
    assertThat(send("POST", "/livez").statusCode()).isEqualTo(405);
    assertThat(send("HEAD", "/livez").statusCode()).isEqualTo(200);
  }
}
