package io.silkkv.ops;

import io.silkkv.ops.load.LoadFormat;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How a load file is to be read; the same for loading and for its digest. */
final class LoadFileOptions {
  @Option(
      names = "--format",
      paramLabel = "tsv|jsonl",
      converter = FormatName.class,
      description = "Format of the file (default: jsonl for .jsonl, .ndjson and .json, else tsv).")
  private @Nullable LoadFormat format;

  @Option(
      names = "--on-error",
      paramLabel = "stop|skip",
      converter = OnErrorName.class,
      description = "What to do at a line that cannot be used (default: stop).")
  private @Nullable OnError onError;

  /** What happens at a line that cannot be used. */
  private enum OnError {
    STOP,
    SKIP
  }

  LoadFormat format(Path file) {
    return format == null ? LoadFormat.ofName(String.valueOf(file.getFileName())) : format;
  }

  boolean skipUnreadable() {
    return onError == OnError.SKIP;
  }

  /** Names of formats, in lower case. */
  static final class FormatName implements ITypeConverter<LoadFormat> {
    @Override
    public LoadFormat convert(String text) {
      return choose(LoadFormat.class, text, "tsv and jsonl");
    }
  }

  /** Names of choices, in lower case. */
  static final class OnErrorName implements ITypeConverter<OnError> {
    @Override
    public OnError convert(String text) {
      return choose(OnError.class, text, "stop and skip");
    }
  }

  private static <E extends Enum<E>> E choose(Class<E> type, String text, String choices) {
    try {
      return Enum.valueOf(type, text.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("'" + text + "' is unknown: choices are " + choices);
    }
  }
}
