package io.silkkv.ops;

import io.silkkv.client.KvClient;
import io.silkkv.client.KvEntry;
import io.silkkv.client.KvScan;
import io.silkkv.client.ScanOptions;
import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.load.TsvText;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Single keys and ranges from the shell. */
@Command(
    name = "kv",
    description = "Reads and writes keys.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "(get | put | del | scan)")
final class KvCommand {
  private static final int DEADLINE_SECONDS = 5;

  private final Console console;

  KvCommand(Console console) {
    this.console = console;
  }

  @Command(
      name = "get",
      description = "Prints the value of a key; exit code 1 when there is none.",
      mixinStandardHelpOptions = true)
  int get(
      @Mixin Cluster cluster,
      @Option(names = "--hex", description = "Key and value are hex digits.") boolean hex,
      @Option(
              names = "--file",
              paramLabel = "FILE",
              description = "Write the value there, byte for byte.")
          @Nullable Path file,
      @Parameters(paramLabel = "KEY") String key)
      throws IOException {
    try (KvClient client = cluster.connect(DEADLINE_SECONDS)) {
      Optional<KvEntry> found = client.get(bytes(key, hex));
      if (found.isEmpty()) {
        console.err().println("not found: " + key);
        return ExitCode.NOT_FOUND;
      }
      if (file != null) {
        Files.write(file, found.get().value());
      } else if (hex) {
        console.out().println(HexFormat.of().formatHex(found.get().value()));
      } else {
        console.out().write(found.get().value());
        console.out().println();
      }
      return ExitCode.OK;
    }
  }

  @Command(name = "put", description = "Sets the value of a key.", mixinStandardHelpOptions = true)
  int put(
      @Mixin Cluster cluster,
      @Option(names = "--hex", description = "Key and value are hex digits.") boolean hex,
      @Option(
              names = "--file",
              paramLabel = "FILE",
              description = "Take the value from there; - is standard input.")
          @Nullable Path file,
      @Parameters(paramLabel = "KEY") String key,
      @Parameters(paramLabel = "VALUE", arity = "0..1") @Nullable String value)
      throws IOException {
    if ((value == null) == (file == null)) {
      throw new OpsException(ExitCode.BAD_INPUT, "give either VALUE or --file");
    }
    byte[] bytes = value == null ? content(file) : bytes(value, hex);
    try (KvClient client = cluster.connect(DEADLINE_SECONDS)) {
      console.out().println("version " + client.put(bytes(key, hex), bytes));
      return ExitCode.OK;
    }
  }

  /** What {@code del} removes. */
  static final class DelArguments {
    @Option(names = "--prefix", paramLabel = "TEXT", description = "All keys that start so.")
    private @Nullable String prefix;

    @Option(
        names = "--range",
        arity = "2",
        paramLabel = "KEY",
        description = "All keys from the first, inclusive, to the second, exclusive.")
    private String @Nullable [] range;

    @Option(names = "--hex", description = "Keys are hex digits.")
    private boolean hex;

    @Parameters(paramLabel = "KEY", arity = "0..1")
    private @Nullable String key;

    private void remove(KvClient client) {
      int given = (key == null ? 0 : 1) + (prefix == null ? 0 : 1) + (range == null ? 0 : 1);
      if (given != 1) {
        throw new OpsException(ExitCode.BAD_INPUT, "give one of KEY, --prefix and --range");
      }
      if (key != null) {
        client.delete(bytes(key, hex));
      } else if (range != null) {
        client.deleteRange(bytes(range[0], hex), bytes(range[1], hex));
      } else if (prefix != null) {
        client.deletePrefix(bytes(prefix, hex));
      }
    }
  }

  @Command(
      name = "del",
      description = "Removes a key, or all keys of a range; fine when there are none.",
      mixinStandardHelpOptions = true)
  int del(@Mixin Cluster cluster, @Mixin DelArguments arguments) {
    try (KvClient client = cluster.connect(DEADLINE_SECONDS)) {
      arguments.remove(client);
      return ExitCode.OK;
    }
  }

  /** What {@code scan} visits and prints. */
  static final class ScanArguments {
    @Option(names = "--prefix", paramLabel = "TEXT", description = "Only keys that start so.")
    private @Nullable String prefix;

    @Option(names = "--start", paramLabel = "KEY", description = "First key, inclusive.")
    private @Nullable String start;

    @Option(names = "--end", paramLabel = "KEY", description = "Last key, exclusive.")
    private @Nullable String end;

    @Option(names = "--limit", paramLabel = "N", description = "At most so many; 0 is no limit.")
    private long limit;

    @Option(names = "--reverse", description = "From the last key to the first.")
    private boolean reverse;

    @Option(names = "--keys-only", description = "Print no values.")
    private boolean keysOnly;

    @Option(names = "--count", description = "Print only how many there are.")
    private boolean count;

    @Option(names = "--hex", description = "Keys and values are hex digits.")
    private boolean hex;

    private ScanOptions toOptions() {
      if (prefix != null && (start != null || end != null)) {
        throw new OpsException(
            ExitCode.BAD_INPUT, "--prefix names a range already; leave --start and --end out");
      }
      if (limit < 0) {
        throw new OpsException(ExitCode.BAD_INPUT, "--limit must be 0 or more but is " + limit);
      }
      ScanOptions options =
          prefix == null ? ScanOptions.all() : ScanOptions.prefix(bytes(prefix, hex));
      options = start == null ? options : options.from(bytes(start, hex));
      options = end == null ? options : options.to(bytes(end, hex));
      options = reverse ? options.reversed() : options;
      options = keysOnly || count ? options.keysOnly() : options;
      return options.limit(limit);
    }
  }

  @Command(
      name = "scan",
      description = "Prints keys and values in key order, in the format that 'load' reads.",
      mixinStandardHelpOptions = true)
  int scan(@Mixin Cluster cluster, @Mixin ScanArguments arguments) throws IOException {
    ScanOptions options = arguments.toOptions();
    long count = 0;
    // Not closed: standard output is not this command's to close.
    OutputStream out = new BufferedOutputStream(console.out(), 1 << 16);
    try (KvClient client = cluster.connect(DEADLINE_SECONDS);
        KvScan scan = client.scan(options)) {
      while (scan.hasNext()) {
        KvEntry entry = scan.next();
        count++;
        if (!arguments.count) {
          print(out, entry, arguments);
        }
      }
    }
    if (arguments.count) {
      console.out().println(count);
    }
    out.flush();
    if (console.out().checkError()) {
      throw new OpsException(ExitCode.FAULT, "standard output was closed before the scan ended");
    }
    return ExitCode.OK;
  }

  private static void print(OutputStream out, KvEntry entry, ScanArguments arguments)
      throws IOException {
    if (arguments.hex) {
      out.write(ascii(HexFormat.of().formatHex(entry.key())));
      if (!arguments.keysOnly) {
        out.write('\t');
        out.write(ascii(HexFormat.of().formatHex(entry.value())));
      }
    } else {
      TsvText.write(out, entry.key());
      if (!arguments.keysOnly) {
        out.write('\t');
        TsvText.write(out, entry.value());
      }
    }
    out.write('\n');
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] bytes(String text, boolean hex) {
    if (!hex) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    try {
      return HexFormat.of().parseHex(text);
    } catch (IllegalArgumentException e) {
      throw new OpsException(
          ExitCode.BAD_INPUT, "'" + text + "' is not an even number of hex digits", e);
    }
  }

  private static byte[] content(@Nullable Path file) throws IOException {
    if (file == null || file.toString().equals("-")) {
      return System.in.readAllBytes();
    }
    return Files.readAllBytes(file);
  }
}
