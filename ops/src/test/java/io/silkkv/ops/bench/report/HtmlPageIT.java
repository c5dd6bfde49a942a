package io.silkkv.ops.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The page in a real browser: headless Chromium, Debian's package of that name. The pictures stay
 * in {@code target/page}.
 */
@Tag("browser")
class HtmlPageIT {
  private static final Path PICTURES = Path.of("target", "page").toAbsolutePath();
  private static final int WIDTH = 1_200;
  private static final int HEIGHT = 4_200;

  @TempDir private Path dir;

  /** What the reader prefers. */
  private enum Theme {
    LIGHT,
    DARK
  }

  @ParameterizedTest
  @EnumSource
  void everySystemIsDrawnInItsColorOnTheGroundThatTheReaderPrefers(Theme theme) throws Exception {
    Path picture =
        picture(SyntheticRun.burst(), "burst-" + theme.name().toLowerCase(Locale.ROOT), theme);

    BufferedImage image = ImageIO.read(picture.toFile());
    assertThat(image.getWidth()).isEqualTo(WIDTH);
    assertThat(image.getRGB(2, 2) & 0xffffff).isEqualTo(color("ground", theme));
    for (int system = 0; system < SyntheticRun.ENGINES.size(); system++) {
      // Key, chips and names alone have far fewer pixels than a line over the whole width.
      assertThat(pixels(image, color("s" + system, theme)))
          .as(SyntheticRun.ENGINES.get(system).name())
          .isGreaterThan(1_500);
    }
    assertThat(pixels(image, color("heat4", theme))).as("seconds over 1 s").isGreaterThan(1_500);
    assertThat(pixels(image, color("io-deep", theme))).as("deep bytes").isGreaterThan(10_000);
  }

  @Test
  void roundsAndInvalidRunsAreDrawnToo() throws Exception {
    Path picture = picture(SyntheticRun.cluster(), "cluster-light", Theme.LIGHT);

    BufferedImage image = ImageIO.read(picture.toFile());
    assertThat(pixels(image, color("alarm", Theme.LIGHT))).isGreaterThan(500);
  }

  @Test
  void thePointerShowsTheSecondOfAllSystemsAndAKeyHidesOne() throws Exception {
    String act =
        """
        <script>
          const svg = document.querySelectorAll("figure.chart > svg")[1];
          const box = svg.getBoundingClientRect();
          svg.dispatchEvent(new PointerEvent("pointermove",
              { clientX: box.left + box.width * 300 / 1080, clientY: box.top + 100 }));
          document.querySelectorAll(".keys button")[1].click();
        </script>
        """;
    Path page = dir.resolve("page.html");
    Files.writeString(
        page, HtmlPage.page(SyntheticRun.burst()).replace("</body>", act + "</body>"));

    String dom = Files.readString(chromium("--dump-dom", page.toUri().toString()));

    int from = dom.indexOf("<div id=\"tip\"");
    String tip = dom.substring(from, dom.indexOf("<script>", from));
    assertThat(tip).contains("second 52").doesNotContain("hidden");
    for (SyntheticRun.Behavior system : SyntheticRun.ENGINES) {
      assertThat(tip).containsPattern(">" + system.name() + "</span><span>[0-9.]+ [mµ]?s<");
    }
    // One line down each of the six charts.
    assertThat(count(dom, "class=\"cross\"")).isEqualTo(6);
    assertThat(count(dom, "class=\"system c1 off\"")).isGreaterThanOrEqualTo(6);
    assertThat(dom).doesNotContain("class=\"system c0 off\"");
  }

  @Test
  void thePageCanBePrinted() throws Exception {
    Path page = dir.resolve("page.html");
    HtmlPage.write(page, SyntheticRun.burst());
    Path pdf = Files.createDirectories(PICTURES).resolve("burst.pdf");

    chromium("--no-pdf-header-footer", "--print-to-pdf=" + pdf, page.toUri().toString());

    assertThat(Files.readString(pdf, StandardCharsets.ISO_8859_1)).startsWith("%PDF-");
    assertThat(Files.size(pdf)).isGreaterThan(20_000);
  }

  private Path picture(RunReport report, String name, Theme theme) throws Exception {
    Path page = dir.resolve(name + ".html");
    HtmlPage.write(page, report);
    Path picture = Files.createDirectories(PICTURES).resolve(name + ".png");
    chromium(
        "--hide-scrollbars",
        "--force-device-scale-factor=1",
        "--window-size=" + WIDTH + "," + HEIGHT,
        // 0 is dark, 1 is light.
        "--blink-settings=preferredColorScheme=" + (theme == Theme.DARK ? 0 : 1),
        "--screenshot=" + picture,
        page.toUri().toString());
    return picture;
  }

  /** Runs the browser and returns what it printed. */
  private Path chromium(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                browser(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--user-data-dir=" + dir.resolve("profile")));
    command.addAll(List.of(arguments));
    Path out = Files.createTempFile(dir, "out", ".txt");
    Path err = Files.createTempFile(dir, "err", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    if (!process.waitFor(120, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      fail("the browser did not end within 120 s: " + Files.readString(err));
    }
    assertThat(process.exitValue()).as(Files.readString(err)).isZero();
    return out;
  }

  private static String browser() {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
        .map(folder -> Path.of(folder, "chromium"))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseGet(() -> fail("no chromium on the PATH: apt-get install chromium"))
        .toString();
  }

  /** A color of the style sheet, as 0xRRGGBB; the light ones come first there. */
  private static int color(String name, Theme theme) throws IOException {
    String css;
    try (var in = HtmlPage.class.getResourceAsStream("page.css")) {
      css = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    List<MatchResult> found =
        Pattern.compile("--" + name + ": #([0-9a-fA-F]{6});").matcher(css).results().toList();
    return Integer.parseInt(found.get(theme == Theme.LIGHT ? 0 : 1).group(1), 16);
  }

  private static int pixels(BufferedImage image, int color) {
    int count = 0;
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        if ((image.getRGB(x, y) & 0xffffff) == color) {
          count++;
        }
      }
    }
    return count;
  }

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }
}
