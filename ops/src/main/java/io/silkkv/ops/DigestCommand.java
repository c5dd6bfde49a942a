package io.silkkv.ops;

import io.silkkv.client.KvClient;
import io.silkkv.client.KvEntry;
import io.silkkv.client.KvScan;
import io.silkkv.client.ScanOptions;
import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.load.FileDigest;
import io.silkkv.ops.load.RecordDigest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** One number for everything that is stored. */
@Command(
    name = "digest",
    description =
        "Prints count and SHA-256 of all keys and values, of the cluster or of a load file.",
    mixinStandardHelpOptions = true)
final class DigestCommand implements Callable<Integer> {
  private static final int DEADLINE_SECONDS = 30;
  private static final int PAGE_BYTES = 1 << 20;

  private final Console console;

  @Mixin private Cluster cluster = new Cluster();
  @Mixin private LoadFileOptions fileOptions = new LoadFileOptions();

  @Option(
      names = "--of-file",
      paramLabel = "FILE",
      description = "Of this load file; of several lines with the same key the last counts.")
  private @Nullable Path file;

  DigestCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    RecordDigest digest = file == null ? ofCluster() : ofFile(file);
    console.out().println("count=" + digest.count() + " sha256=" + digest.hex());
    return ExitCode.OK;
  }

  private RecordDigest ofFile(Path loadFile) throws IOException {
    if (!Files.isRegularFile(loadFile)) {
      throw new OpsException(ExitCode.BAD_INPUT, "load file " + loadFile + " does not exist");
    }
    return FileDigest.of(loadFile, fileOptions.format(loadFile), fileOptions.skipUnreadable());
  }

  private RecordDigest ofCluster() {
    RecordDigest digest = new RecordDigest();
    try (KvClient client = cluster.connect(DEADLINE_SECONDS);
        KvScan scan = client.scan(ScanOptions.all().pageBytes(PAGE_BYTES))) {
      while (scan.hasNext()) {
        KvEntry entry = scan.next();
        digest.add(entry.key(), entry.value());
      }
    }
    return digest;
  }
}
