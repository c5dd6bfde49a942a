package io.silkkv.ops.load;

import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;

/**
 * How far a load came: everything before {@code offset} is acknowledged or was passed over. Lies
 * next to the load file, and is deleted when the load is complete.
 *
 * @param clusterId cluster that was loaded
 * @param fingerprint of the beginning of the file, see {@link #fingerprint}
 * @param offset position of the first byte that may have to be loaded again
 * @param lines lines before it
 * @param loaded puts acknowledged before it
 * @param skipped unreadable lines before it
 */
public record LoadState(
    String clusterId, String fingerprint, long offset, long lines, long loaded, long skipped) {
  private static final int FINGERPRINT_BYTES = 64 << 10;
  private static final String FORMAT = "1";

  /** The state file of a load file. */
  public static Path fileFor(Path loadFile) {
    return loadFile.resolveSibling(loadFile.getFileName() + ".silkkv-load");
  }

  /** Tells load files apart without reading all of them: SHA-256 of the first 64 KiB. */
  public static String fingerprint(Path loadFile) throws IOException {
    try (InputStream in = Files.newInputStream(loadFile)) {
      byte[] head = in.readNBytes(FINGERPRINT_BYTES);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(head));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * What an earlier load left, or nothing.
   *
   * @throws OpsException when the state file is unreadable or belongs to another file or cluster
   */
  public static Optional<LoadState> read(Path loadFile, String clusterId) throws IOException {
    Path file = fileFor(loadFile);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    LoadState state;
    try {
      Properties stored = new Properties();
      stored.load(new StringReader(Files.readString(file)));
      if (!FORMAT.equals(stored.getProperty("format"))) {
        throw new IllegalArgumentException("format is " + stored.getProperty("format"));
      }
      state =
          new LoadState(
              text(stored, "cluster"),
              text(stored, "fingerprint"),
              Long.parseLong(text(stored, "offset")),
              Long.parseLong(text(stored, "lines")),
              Long.parseLong(text(stored, "loaded")),
              Long.parseLong(text(stored, "skipped")));
    } catch (IllegalArgumentException e) {
      throw refuse(file, "cannot be read (" + e.getMessage() + ")");
    }
    if (!state.clusterId.equals(clusterId)) {
      throw refuse(
          file, "is about cluster " + state.clusterId + ", but this is cluster " + clusterId);
    }
    if (!state.fingerprint.equals(fingerprint(loadFile)) || state.offset > Files.size(loadFile)) {
      throw refuse(file, "is about an earlier content of " + loadFile);
    }
    return Optional.of(state);
  }

  private static OpsException refuse(Path file, String why) {
    return new OpsException(
        ExitCode.BAD_INPUT,
        "state file " + file + " " + why + "; load everything again with --restart");
  }

  private static String text(Properties stored, String key) {
    String value = stored.getProperty(key);
    if (value == null) {
      throw new IllegalArgumentException(key + " is missing");
    }
    return value;
  }

  /** Stores it; a crash leaves the old or the new state. */
  public void write(Path loadFile) throws IOException {
    Path file = fileFor(loadFile);
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(
        draft,
        String.format(
            Locale.ROOT,
            """
        # How far 'silkkv load' came. Deleted when it is complete.
        format=%s
        cluster=%s
        fingerprint=%s
        offset=%d
        lines=%d
        loaded=%d
        skipped=%d
        """,
            FORMAT,
            clusterId,
            fingerprint,
            offset,
            lines,
            loaded,
            skipped));
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
