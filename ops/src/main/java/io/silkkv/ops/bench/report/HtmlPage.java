package io.silkkv.ops.bench.report;

import io.silkkv.ops.bench.report.MachineFacts.DeviceFacts;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A report as one page that needs nothing else: the pictures are SVG in the text, style and script
 * are inside, and nothing is fetched. Without the script only the values under the pointer and the
 * choice of systems are missing.
 */
public final class HtmlPage {
  private HtmlPage() {}

  /** Writes the page, replacing the file. */
  public static void write(Path file, RunReport report) throws IOException {
    Files.writeString(file, page(report), StandardCharsets.UTF_8);
  }

  static String page(RunReport report) {
    String title = "SilkKV benchmark: " + String.join(", ", report.workloads());
    Markup page = new Markup().raw("<!DOCTYPE html>\n");
    page.open("html", "lang", "en").open("head").raw("<meta charset=\"utf-8\">");
    page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
    page.raw("<meta name=\"color-scheme\" content=\"light dark\">");
    page.element("title", title);
    page.raw("<style>\n" + resource("page.css") + "</style>").close("head").open("body");
    page.open("main");
    header(page, report);
    for (String workload : report.workloads()) {
      workload(page, report, new WorkloadView(report, workload));
    }
    footer(page, report);
    page.close("main").open("div", "id", "tip", "hidden", "hidden").close("div");
    page.raw("\n<script>\n" + resource("page.js") + "</script>\n");
    return page.close("body").close("html").raw("\n").toString();
  }

  private static void header(Markup page, RunReport report) {
    List<String> systems = report.rows().stream().map(Row::system).distinct().toList();
    page.open("header");
    page.element("p", "SilkKV benchmark", "class", "eyebrow");
    page.element("h1", String.join(" · ", report.workloads()));
    StringBuilder lede = new StringBuilder();
    int rounds = report.rows().stream().mapToInt(Row::rounds).max().orElse(1);
    lede.append(systems.size() == 1 ? "One system" : systems.size() + " systems")
        .append(rounds > 1 ? ", in turns for " + rounds + " rounds" : "")
        .append(rounds == 1 && systems.size() > 1 ? ", one after the other" : "")
        .append(", on ")
        .append(report.machine().cores())
        .append(report.machine().cores() == 1 ? " processor" : " processors");
    DeviceFacts device = report.machine().device();
    if (device != null && !Double.isNaN(device.limitBytesPerSecond())) {
      lede.append(" and a device limited to ")
          .append(HtmlTables.pretty(Unit.BYTES_PER_SECOND, device.limitBytesPerSecond()));
    }
    page.element(
        "p",
        lede.append(". Started ").append(report.started()).append('.').toString(),
        "class",
        "lede");
    if (!report.valid()) {
      page.element(
          "p",
          "Some figures must not be quoted: their rows are marked, and the reasons stand below"
              + " them.",
          "class",
          "alarm");
    }
    page.open("div", "class", "keys", "role", "group", "aria-label", "Systems");
    for (int i = 0; i < systems.size(); i++) {
      page.open(
              "button",
              "type",
              "button",
              "data-system",
              i,
              "aria-pressed",
              "true",
              "class",
              Palette.color(i))
          .raw("<svg viewBox=\"0 0 22 10\"><path class=\"line\" d=\"M1 5h20\"/></svg>")
          .text(systems.get(i))
          .close("button");
    }
    page.close("div").close("header");
  }

  private static void workload(Markup page, RunReport report, WorkloadView view) {
    DeviceFacts device = report.machine().device();
    Charts charts = new Charts(view);
    page.open("section");
    if (report.workloads().size() > 1) {
      page.element("h2", view.workload());
    }
    boolean seen = view.seconds().total() > 0;
    if (seen) {
      page.raw(charts.ribbon());
    }
    page.element(
        "h3",
        view.rounds() == 1
            ? "Figures of the whole run"
            : "Figures: median of " + view.rounds() + " rounds, range below");
    page.raw(HtmlTables.latencies(view));
    page.raw(HtmlTables.complaints(view));
    if (seen) {
      view.operations().forEach(op -> page.raw(charts.latency(op)));
      page.raw(charts.rate());
      page.raw(charts.bandwidths(device == null ? Double.NaN : device.limitBytesPerSecond()));
    }
    page.element("h3", "What it cost");
    page.raw(HtmlTables.costs(view));
    page.element("h3", "How the load generator and its checks did");
    page.raw(HtmlTables.generator(view));
    page.close("section");
  }

  private static void footer(Markup page, RunReport report) {
    page.open("section").element("h2", "How to read this");
    page.raw(resource("reading.html"));
    page.element("h2", "Command").element("pre", report.command());
    page.element("h2", "Machine").raw(HtmlTables.machine(report.machine()));
    page.element("h2", "Effective options");
    page.raw(HtmlTables.options(report.systems())).close("section");
  }

  /** A part of the page that lies beside this class. */
  private static String resource(String name) {
    try (InputStream in = HtmlPage.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the program was built without " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
