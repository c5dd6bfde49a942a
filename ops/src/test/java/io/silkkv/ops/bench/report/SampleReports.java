package io.silkkv.ops.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes pages and files of {@link SyntheticRun}, to be looked at in a browser: {@code .ci/page}
 * takes pictures of them.
 */
final class SampleReports {
  private SampleReports() {}

  public static void main(String[] args) throws IOException {
    Path dir = Files.createDirectories(Path.of(args[0]));
    HtmlPage.write(dir.resolve("burst.html"), SyntheticRun.burst());
    ReportJson.write(dir.resolve("burst.json"), SyntheticRun.burst());
    HtmlPage.write(dir.resolve("cluster.html"), SyntheticRun.cluster());
    Files.writeString(dir.resolve("burst.txt"), ResultTable.text(SyntheticRun.burst(), 120));
    Files.writeString(dir.resolve("cluster.txt"), ResultTable.text(SyntheticRun.cluster(), 80));
  }
}
