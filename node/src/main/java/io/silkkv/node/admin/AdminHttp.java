package io.silkkv.node.admin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves {@code /livez}, {@code /readyz}, {@code /status} and {@code /metrics} on one thread of its
 * own, so that a slow scrape holds up nothing else.
 */
public final class AdminHttp implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AdminHttp.class);
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String JSON = "application/json";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  /** What one request is answered with. */
  private record Answer(int code, String type, String body) {}

  private final HttpServer server;
  private final ExecutorService thread;

  private AdminHttp(HttpServer server, ExecutorService thread) {
    this.server = server;
    this.thread = thread;
  }

  /**
   * Binds and serves.
   *
   * @param health state of the node's checks
   * @param status the node's status as JSON
   * @param metrics the node's metrics in Prometheus' text format
   */
  public static AdminHttp start(
      InetSocketAddress address,
      Supplier<Health> health,
      Supplier<String> status,
      Supplier<String> metrics)
      throws IOException {
    HttpServer server = HttpServer.create(address, 16);
    ExecutorService thread =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread created = new Thread(task, "silkkv-http");
              created.setDaemon(true);
              return created;
            });
    server.setExecutor(thread);
    serve(server, "/livez", query -> liveness(health.get()));
    serve(server, "/readyz", query -> readiness(health.get(), query.contains("verbose")));
    serve(server, "/status", query -> new Answer(200, JSON, status.get() + "\n"));
    serve(server, "/metrics", query -> new Answer(200, PROMETHEUS, metrics.get()));
    serve(
        server,
        "/",
        query -> new Answer(404, TEXT, "try /livez /readyz?verbose /status /metrics\n"));
    server.start();
    return new AdminHttp(server, thread);
  }

  private static void serve(HttpServer server, String path, Function<String, Answer> handler) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            String query = exchange.getRequestURI().getQuery();
            reply(exchange, answer(exchange, path, query == null ? "" : query, handler));
          }
        });
  }

  private static Answer answer(
      HttpExchange exchange, String path, String query, Function<String, Answer> handler) {
    if (!exchange.getRequestMethod().equals("GET") && !exchange.getRequestMethod().equals("HEAD")) {
      return new Answer(405, TEXT, "only GET and HEAD are served\n");
    }
    try {
      return handler.apply(query);
    } catch (RuntimeException e) {
      // The border of the process: the asker gets an answer, the log gets the cause.
      LOG.warn("answering {} failed", path, e);
      return new Answer(500, TEXT, "failed: " + e + "\n");
    }
  }

  private static void reply(HttpExchange exchange, Answer answer) throws IOException {
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", answer.type());
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(answer.code(), -1);
    } else {
      exchange.sendResponseHeaders(answer.code(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static Answer liveness(Health health) {
    String fault = health.fault();
    return fault == null
        ? new Answer(200, TEXT, "ok\n")
        : new Answer(503, TEXT, "fault: " + fault + "\n");
  }

  private static Answer readiness(Health health, boolean verbose) {
    StringBuilder body = new StringBuilder(health.ready() ? "ok\n" : "not ready\n");
    if (verbose || !health.ready()) {
      for (Health.Check check : health.checks()) {
        body.append(check.passed() ? "[+] " : "[-] ")
            .append(check.name())
            .append(": ")
            .append(check.detail())
            .append('\n');
      }
    }
    return new Answer(health.ready() ? 200 : 503, TEXT, body.toString());
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  @Override
  public void close() {
    server.stop(0);
    thread.shutdown();
  }
}
