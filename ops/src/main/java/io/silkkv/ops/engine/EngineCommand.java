package io.silkkv.ops.engine;

import io.silkkv.engine.EngineInspector;
import io.silkkv.engine.EngineOptions;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.api.EngineStats;
import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.base.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Looks into the files of a replica's engine. The work is done by {@link EngineInspector}. */
@Command(
    name = "engine",
    description = "Looks into the files of a stopped node or of a checkpoint; changes nothing.",
    mixinStandardHelpOptions = true)
public final class EngineCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  private EngineCommand() {}

  /** The group with its commands. */
  public static CommandLine commandLine(Console console) {
    return new CommandLine(new EngineCommand())
        .addSubcommand(new Verify(console))
        .addSubcommand(new Stats(console))
        .addSubcommand(new DumpTable(console))
        .addSubcommand(new DumpManifest(console));
  }

  @Override
  public void run() {
    CommandLine group = Objects.requireNonNull(spec).commandLine();
    throw new ParameterException(
        group, "name a command: " + String.join(", ", group.getSubcommands().keySet()));
  }

  private static Path directory(@Nullable Path given) {
    Path path = Objects.requireNonNull(given);
    if (!Files.isDirectory(path)) {
      throw new OpsException(ExitCode.BAD_INPUT, path + " is not a directory");
    }
    return path;
  }

  private static Path file(@Nullable Path given) {
    Path path = Objects.requireNonNull(given);
    if (!Files.isRegularFile(path)) {
      throw new OpsException(ExitCode.BAD_INPUT, "there is no file " + path);
    }
    return path;
  }

  private static OpsException damaged(EngineException cause) {
    return new OpsException(ExitCode.NOT_FOUND, String.valueOf(cause.getMessage()), cause);
  }

  /** Reads everything. */
  @Command(
      name = "verify",
      description = "Reads and checks every table of an engine directory. Exit code 1: damage.",
      mixinStandardHelpOptions = true)
  private static final class Verify implements Callable<Integer> {
    private final Console console;

    @Parameters(paramLabel = "DIR", description = "The directory with the file CURRENT.")
    private @Nullable Path directory;

    Verify(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException {
      List<EngineInspector.Problem> problems =
          EngineInspector.local().verify(directory(directory), this::show);
      if (console.interactive()) {
        console.err().println();
      }
      for (EngineInspector.Problem problem : problems) {
        console.out().println("damaged " + problem.file() + ": " + problem.message());
      }
      console.out().println(problems.isEmpty() ? "ok" : "damaged files: " + problems.size());
      return problems.isEmpty() ? ExitCode.OK : ExitCode.NOT_FOUND;
    }

    private void show(EngineInspector.Progress progress) {
      String line =
          String.format(
              Locale.ROOT,
              "%d of %d tables, %s of %s MiB, %s",
              progress.tables(),
              progress.allTables(),
              mebibytes(progress.bytes()),
              mebibytes(progress.allBytes()),
              progress.file());
      if (console.interactive()) {
        console.err().print("\r" + line);
        console.err().flush();
      } else if (progress.tables() == progress.allTables()) {
        console.err().println(line);
      }
    }
  }

  /** Figures per level. */
  @Command(
      name = "stats",
      description = "Prints files, bytes, compression and deletions of each level.",
      mixinStandardHelpOptions = true)
  private static final class Stats implements Callable<Integer> {
    private final Console console;

    @Parameters(paramLabel = "DIR", description = "The directory with the file CURRENT.")
    private @Nullable Path directory;

    Stats(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException {
      EngineInspector.Summary summary;
      try {
        summary = EngineInspector.local().summary(directory(directory), EngineOptions.DEFAULTS);
      } catch (EngineException e) {
        throw damaged(e);
      }
      Table table =
          new Table("level", "files", "MiB", "of MiB", "entries", "deletions", "raw/stored");
      for (EngineStats.Level level : summary.levels()) {
        table.row(
            "L" + level.level() + (level.level() == summary.baseLevel() ? " base" : ""),
            level.files(),
            mebibytes(level.bytes()),
            level.targetBytes() == 0 ? "-" : mebibytes(level.targetBytes()),
            level.entries(),
            level.deletions(),
            ratio(level));
      }
      console.out().print(table);
      console
          .out()
          .println(
              summary.manifest()
                  + ": flushed up to term "
                  + summary.flushed().term()
                  + ", index "
                  + summary.flushed().index()
                  + ", sequence "
                  + summary.flushed().sequence()
                  + "; attachment of "
                  + summary.attachmentBytes()
                  + " bytes");
      return ExitCode.OK;
    }

    private static String ratio(EngineStats.Level level) {
      return level.bytes() == 0 || level.rawBytes() == 0
          ? "-"
          : String.format(Locale.ROOT, "%.2f", (double) level.rawBytes() / level.bytes());
    }
  }

  private static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f", bytes / 1048576.0);
  }

  /** One table. */
  @Command(
      name = "dump-sst",
      description = "Prints the properties and the entries of a table.",
      mixinStandardHelpOptions = true)
  private static final class DumpTable implements Callable<Integer> {
    private final Console console;

    @Parameters(paramLabel = "FILE", description = "A file NNNNNN.sst.")
    private @Nullable Path file;

    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "100",
        description = "Most entries to print (default: ${DEFAULT-VALUE}).")
    private long limit;

    DumpTable(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException {
      if (limit < 0) {
        throw new OpsException(ExitCode.BAD_INPUT, "--limit must be 0 or more but is " + limit);
      }
      try {
        EngineInspector.local().dumpTable(file(file), limit, console.out()::println);
      } catch (EngineException e) {
        throw damaged(e);
      }
      return ExitCode.OK;
    }
  }

  /** One manifest. */
  @Command(
      name = "dump-manifest",
      description = "Prints the edits of a manifest.",
      mixinStandardHelpOptions = true)
  private static final class DumpManifest implements Callable<Integer> {
    private final Console console;

    @Parameters(paramLabel = "FILE", description = "A file MANIFEST-NNNNNN.")
    private @Nullable Path file;

    DumpManifest(Console console) {
      this.console = console;
    }

    @Override
    public Integer call() throws IOException {
      try {
        EngineInspector.local().dumpManifest(file(file), console.out()::println);
      } catch (EngineException e) {
        throw damaged(e);
      }
      return ExitCode.OK;
    }
  }
}
