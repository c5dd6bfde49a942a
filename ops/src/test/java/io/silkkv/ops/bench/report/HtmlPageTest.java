package io.silkkv.ops.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.silkkv.ops.bench.load.figures.Measurement;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class HtmlPageTest {

  @Test
  void thePageFetchesNothing() {
    String page = HtmlPage.page(SyntheticRun.burst());

    assertThat(page.replace("http://www.w3.org/2000/svg", ""))
        .doesNotContain("http:", "https:", "src=", "href=", "url(", "@import", "fetch(", "//cdn");
  }

  @Test
  void everyPictureIsWellFormedAndShowsEverySystem() throws Exception {
    String page = HtmlPage.page(SyntheticRun.burst());

    List<Element> charts = charts(page);
    // Ribbon, two operations, throughput, and the bandwidth of the two systems that tell.
    assertThat(charts).hasSize(6);
    for (Element latency : charts.subList(1, 3)) {
      assertThat(elements(latency, "path", "line")).hasSize(SyntheticRun.ENGINES.size());
      assertThat(elements(latency, "text", "name"))
          .extracting(Element::getTextContent)
          .containsExactlyInAnyOrderElementsOf(
              SyntheticRun.ENGINES.stream().map(SyntheticRun.Behavior::name).toList());
      assertThat(elements(latency, "text", "axis"))
          .extracting(Element::getTextContent)
          .containsExactly("latency, logarithmic scale", "seconds since the load began");
      assertThat(elements(latency, "rect", "load")).isNotEmpty();
    }
    assertThat(elements(charts.get(4), "path", "stack io-deep")).hasSize(1);
    assertThat(elements(charts.get(4), "line", "limit")).hasSize(1);
  }

  @Test
  void aDotMarksEveryBadSecond() throws Exception {
    RunReport report = SyntheticRun.burst();
    double bad =
        report.rows().stream()
            .filter(row -> row.op().equals("put"))
            .mapToDouble(row -> row.figure(Metric.BAD_SECONDS).value())
            .sum();

    Element latency = charts(HtmlPage.page(report)).get(1);

    assertThat(bad).isGreaterThan(20);
    assertThat(elements(latency, "circle", "bad")).hasSize((int) bad);
  }

  @Test
  void namesAndValuesFromOutsideCannotBecomeMarkup() throws Exception {
    String hostile = "</script><script>alert('1')</script>\"&";
    Measurement one =
        new SyntheticRun(5)
            .measure(
                new SyntheticRun.Behavior(hostile, 2_000, 7, 2, true),
                hostile,
                1,
                SyntheticRun.bursts(30));
    one = SyntheticRun.spoiled(one, hostile);
    RunReport report = Rounds.report(hostile, hostile, SyntheticRun.machine(null), List.of(one));

    String page = HtmlPage.page(report);

    assertThat(page).doesNotContain("<script>alert").contains("&lt;script&gt;alert");
    assertThat(charts(page)).hasSize(5);
  }

  @Test
  void invalidRowsAreMarkedAndTheirReasonsStandBelow() {
    String page = HtmlPage.page(SyntheticRun.cluster());

    assertThat(page)
        .contains("Some figures must not be quoted")
        .contains("not to be quoted: the generator fell behind")
        .contains("round 3: put failed: &lt;timed out&gt; after 30 s")
        .contains("rheakv · INVALID");
    assertThat(HtmlPage.page(SyntheticRun.burst())).doesNotContain("must not be quoted");
  }

  @Test
  void roundsAreShownAsMedianWithTheirRange() throws Exception {
    String page = HtmlPage.page(SyntheticRun.cluster());

    assertThat(elements(charts(page).get(1), "path", "range")).hasSize(3);
    assertThat(page).contains("Lines are the median of 3 rounds, bands their range.");
  }

  @Test
  void aRunOfHoursStaysAPageAndSaysWhatAPointStandsFor() throws Exception {
    Measurement one =
        new SyntheticRun(9)
            .measure(SyntheticRun.ENGINES.get(0), "burst", 1, SyntheticRun.bursts(7_200));
    RunReport report = Rounds.report("c", "s", SyntheticRun.machine(null), List.of(one));

    String page = HtmlPage.page(report);

    assertThat(page.length()).isLessThan(400_000);
    assertThat(page).contains("put: p99 of the worst second of every 12");
    assertThat(charts(page)).isNotEmpty();
  }

  @Test
  void aSystemThatDoesNotTellClassesIsShownAsTheOperatingSystemCountsIt() {
    Measurement one =
        new SyntheticRun(11)
            .measure(SyntheticRun.ENGINES.get(0), "burst", 1, SyntheticRun.bursts(30));
    one.ioBytesPerSecond().put("disk-read", Collections.nCopies(30, 5e6));
    one.ioBytesPerSecond().put("disk-write", Collections.nCopies(30, 50e6));

    String page = HtmlPage.page(Rounds.report("c", "s", SyntheticRun.machine(null), List.of(one)));

    assertThat(page)
        .contains("rocksdb: bandwidth of its process", "What the operating system counted")
        .contains("stack io-disk-write");
  }

  @Test
  void aRunWithoutASecondIsAPageWithoutCharts() {
    Measurement one =
        new SyntheticRun(9)
            .measure(SyntheticRun.ENGINES.get(0), "burst", 1, SyntheticRun.bursts(1));
    RunReport full = Rounds.report("c", "s", SyntheticRun.machine(null), List.of(one));
    RunReport report =
        new RunReport("c", "s", full.machine(), full.systems(), full.rows(), List.of());

    assertThat(HtmlPage.page(report)).doesNotContain("<figure").contains("rocksdb");
  }

  /** The pictures of the charts, in the order of the page. */
  private static List<Element> charts(String page) throws Exception {
    List<Element> charts = new ArrayList<>();
    Matcher svg = Pattern.compile("<svg viewBox=\"0 0 1080.*?</svg>", Pattern.DOTALL).matcher(page);
    while (svg.find()) {
      Document document =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new InputSource(new StringReader(svg.group())));
      charts.add(document.getDocumentElement());
    }
    return charts;
  }

  private static List<Element> elements(Element root, String name, String cssClass) {
    List<Element> found = new ArrayList<>();
    NodeList all = root.getElementsByTagName(name);
    for (int i = 0; i < all.getLength(); i++) {
      Element element = (Element) all.item(i);
      String css = element.getAttribute("class");
      if (css.equals(cssClass) || css.startsWith(cssClass + " ")) {
        found.add(element);
      }
    }
    return found;
  }
}
