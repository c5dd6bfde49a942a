package io.silkkv.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the launcher in a fake installation, with fake JDKs that print their arguments. */
class LauncherTest {
  private static final Path LAUNCHER = Path.of("bin", "silkkv").toAbsolutePath();

  @TempDir private Path dir;
  private Path script;

  private record Result(int exitCode, String out, String err) {}

  @BeforeEach
  void install() throws IOException {
    Path bin = Files.createDirectories(dir.resolve("dist/bin"));
    Files.createDirectories(dir.resolve("dist/lib"));
    script = bin.resolve("silkkv");
    Files.copy(LAUNCHER, script);
    assertThat(script.toFile().setExecutable(true)).isTrue();
  }

  private Path fakeJdk(String name, String version) throws IOException {
    Path home = dir.resolve(name);
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"jdk=" + name + "\" \"$@\"\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return home;
  }

  private Result run(Path launcher, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("bash", launcher.toString()));
    command.addAll(List.of(arguments));
    Path out = dir.resolve("out");
    Path err = dir.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("SILKKV_"));
    builder.environment().remove("JAVA_HOME");
    builder.environment().put("HOME", dir.toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  @Test
  void theScriptIsValidBash() throws Exception {
    Process process = new ProcessBuilder("bash", "-n", LAUNCHER.toString()).inheritIO().start();
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void theNamedJdkIsUsedAndOptionsOfTheUserComeLast() throws Exception {
    Result result =
        run(
            script,
            Map.of(
                "SILKKV_JAVA_HOME",
                fakeJdk("jdk17", "17.0.9").toString(),
                "SILKKV_JAVA_OPTS",
                "-Xmx1g -Dx=y"),
            "status",
            "--json");
    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).isZero();
    List<String> lines = result.out().lines().toList();
    assertThat(lines).startsWith("jdk=jdk17").endsWith("io.silkkv.ops.OpsMain", "status", "--json");
    assertThat(lines).containsSubsequence("-XX:TieredStopAtLevel=1", "-Xmx1g", "-Dx=y", "-cp");
    assertThat(lines).noneMatch(line -> line.contains("sun-misc-unsafe"));
  }

  @Test
  void theNewestJdkIsFoundAndGetsItsFlags() throws Exception {
    Files.createDirectories(dir.resolve(".jdks"));
    Path newest = fakeJdk("jdk99", "99.0.1");
    Files.createSymbolicLink(dir.resolve(".jdks/newest"), newest);
    Path older = fakeJdk("jdk17", "17.0.9");
    Result result =
        run(script, Map.of("JAVA_HOME", older.toString()), "node", "--config", "my file.yaml");
    assertThat(result.out().lines())
        .startsWith("jdk=jdk99")
        .contains(
            Runtime.getRuntime().availableProcessors() < 4 ? "-XX:+UseG1GC" : "-XX:+UseZGC",
            "-XX:+UseCompactObjectHeaders",
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED",
            "-Xmx256m")
        .endsWith("io.silkkv.node.NodeMain", "--config", "my file.yaml");
  }

  @Test
  void onlyTheProcessesOfAPeerSeeItsLibraries() throws Exception {
    String jdk = fakeJdk("jdk17", "17").toString();
    assertThat(classPath(jdk, "bench", "cluster", "--systems=etcd,rheakv")).doesNotContain("peers");
    assertThat(classPath(jdk, "bench-cluster-worker", "--system=silkkv")).doesNotContain("peers");
    assertThat(classPath(jdk, "bench-cluster-worker", "--system=etcd"))
        .endsWith("/lib/../peers/etcd/*");
    // RheaKV's own versions of what we use too must win.
    assertThat(classPath(jdk, "bench-cluster-worker", "--system=rheakv"))
        .contains("/peers/rheakv/*:")
        .endsWith("/lib/*");
    assertThat(classPath(jdk, "rheakv-node")).contains("/peers/rheakv/*:").endsWith("/lib/*");
  }

  private String classPath(String jdk, String... arguments) throws Exception {
    List<String> lines =
        run(script, Map.of("SILKKV_JAVA_HOME", jdk), arguments).out().lines().toList();
    return lines.get(lines.indexOf("-cp") + 1);
  }

  @Test
  void aJdkThatIsTooOldIsRefusedWithARemedy() throws Exception {
    Result result =
        run(script, Map.of("SILKKV_JAVA_HOME", fakeJdk("jdk8", "1.8.0_292").toString()), "status");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("is Java 8, but 17 or newer is needed");
  }

  @Test
  void aHomeWithoutJavaIsRefusedWithARemedy() throws Exception {
    Result result = run(script, Map.of("SILKKV_JAVA_HOME", "/nowhere"), "status");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("SILKKV_JAVA_HOME=/nowhere has no bin/java");
  }

  @Test
  void aLinkToTheLauncherFindsItsInstallation() throws Exception {
    Path link = dir.resolve("link");
    Files.createSymbolicLink(link, script);
    Result result =
        run(link, Map.of("SILKKV_JAVA_HOME", fakeJdk("jdk17", "17").toString()), "status");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).contains("dist/bin/../lib/*");
  }

  @Test
  void onlyTheWorkerOfTheEngineBenchmarkSeesRocksDb() throws Exception {
    Map<String, String> jdk = Map.of("SILKKV_JAVA_HOME", fakeJdk("jdk17", "17").toString());
    assertThat(run(script, jdk, "bench-engine-worker").out()).contains("peers/rocksdb/*");
    assertThat(run(script, jdk, "bench", "engine").out()).doesNotContain("peers/");
  }

  @Test
  void aFailedBuildIsReported() throws Exception {
    Path tools = Files.createDirectories(dir.resolve("tools"));
    Path maven = tools.resolve("mvn");
    Files.writeString(maven, "#!/bin/sh\necho broken\nexit 1\n");
    assertThat(maven.toFile().setExecutable(true)).isTrue();
    Path tree = Files.createDirectories(dir.resolve("tree/ops/bin"));
    Files.copy(LAUNCHER, tree.resolve("silkkv"));
    Files.writeString(dir.resolve("tree/pom.xml"), "<project/>");
    Result result =
        run(
            tree.resolve("silkkv"),
            Map.of(
                "SILKKV_JAVA_HOME",
                fakeJdk("jdk17", "17").toString(),
                "PATH",
                tools + ":" + System.getenv("PATH")),
            "status");
    assertThat(result.exitCode()).isEqualTo(70);
    assertThat(result.err())
        .contains("building SilkKV, once")
        .contains("broken")
        .contains("the build failed");
  }
}
