package io.silkkv.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example in README.md, compiled and run: its lines between the two marks are the README's. */
@Timeout(60)
class ReadmeExampleTest {
  @Test
  void theExampleWorksAsPrinted() throws IOException {
    try (FakeCluster cluster = new FakeCluster(3, "m")) {
      String endpoint = cluster.node("n1").address();
      // README begin
      try (KvClient client = KvClient.builder().endpoint(endpoint).build()) {
        client.put("user:1", "Ada");
        KvEntry user = client.get("user:1").orElseThrow();

        // Only if nobody changed it meanwhile; several changes happen together or not at all.
        WriteResult result =
            client.write(
                KvBatch.create()
                    .ifVersion("user:1", user.version())
                    .put("user:1", "Ada Lovelace")
                    .put("user:2", "Grace"));
        System.out.println(result.applied() + " " + result.version());

        try (KvScan users = client.scan(ScanOptions.prefix("user:").reversed().limit(10))) {
          while (users.hasNext()) {
            KvEntry entry = users.next();
            System.out.println(entry.keyText() + " = " + entry.valueText());
          }
        }

        CompletableFuture<Optional<KvEntry>> later = client.async().get("user:2");
        later.thenAccept(found -> System.out.println(found.isPresent())).join();
      } catch (KvException failure) {
        System.err.println(failure.reason() + ", applied perhaps: " + failure.maybeApplied());
      }
      // README end
    }
    Path here = Path.of("src/test/java/io/silkkv/client/ReadmeExampleTest.java");
    String source = Files.readString(here);
    String example =
        source.substring(
            source.indexOf("// README begin\n") + "// README begin\n".length(),
            source.indexOf("      // README end"));
    assertThat(Files.readString(Path.of("README.md")))
        .contains("```java\n" + example.stripTrailing().stripIndent() + "\n```");
  }
}
