package io.silkkv.engine.version;

import io.silkkv.engine.api.CorruptionException;
import io.silkkv.engine.base.Crc32c;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import io.silkkv.engine.io.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The file that says which manifest is in use. It is written anew under another name and renamed,
 * so that a crash leaves either the old or the new one.
 *
 * <pre>
 * CURRENT := name " " crc32c(name) "\n"        the checksum as 8 lower-case hexadecimal digits
 * </pre>
 */
final class CurrentFile {
  private static final int LONGEST = 256;

  private CurrentFile() {}

  /** Points to a manifest whose content is durable. Returns when a crash cannot undo it. */
  static void write(FileSystem files, Path directory, String manifest, IoClass why)
      throws IOException {
    Path temporary = directory.resolve(FileNames.CURRENT_TEMPORARY);
    if (files.exists(temporary)) {
      files.delete(temporary);
    }
    try (WritableFile file = files.create(temporary, why)) {
      file.write(ByteBuffer.wrap(line(manifest).getBytes(StandardCharsets.US_ASCII)));
      file.sync();
    }
    // The names of the manifest and of all tables must be there before CURRENT leads to them.
    files.syncDirectory(directory);
    files.rename(temporary, directory.resolve(FileNames.CURRENT));
    files.syncDirectory(directory);
  }

  /**
   * Name of the manifest in use.
   *
   * @throws CorruptionException when the file does not follow the grammar or its checksum
   */
  static String read(FileSystem files, Path directory) throws IOException {
    Path path = directory.resolve(FileNames.CURRENT);
    try (ReadableFile file = files.open(path)) {
      if (file.size() > LONGEST) {
        throw new CorruptionException(path.toString(), -1, "it has " + file.size() + " bytes");
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
      file.read(0, bytes, IoClass.RECOVERY);
      String text = new String(bytes.array(), StandardCharsets.US_ASCII);
      int space = text.indexOf(' ');
      String name = space < 0 ? "" : text.substring(0, space);
      if (FileNames.manifestNumber(name).isEmpty() || !text.equals(line(name))) {
        throw new CorruptionException(
            path.toString(), 0, "it should name a manifest and its checksum");
      }
      return name;
    }
  }

  private static String line(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
    return String.format(Locale.ROOT, "%s %08x\n", name, Crc32c.of(bytes, 0, bytes.length));
  }
}
