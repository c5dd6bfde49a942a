package io.silkkv.ops.load;

import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster's digest should be when it holds exactly what a load file says: of several lines
 * with the same key, the last counts. Keys are sorted in memory; values stay in the file.
 */
public final class FileDigest {
  /** Where a line lies. */
  private record Place(long start, int length) {}

  private FileDigest() {}

  /**
   * @param skipUnreadable as {@code load --on-error skip} would
   * @throws OpsException for an unreadable line that is not to be skipped
   */
  public static RecordDigest of(Path file, LoadFormat format, boolean skipUnreadable)
      throws IOException {
    TreeMap<byte[], Place> places = new TreeMap<>(Arrays::compareUnsigned);
    try (LoadReader reader = new LoadReader(Files.newInputStream(file), format, 0, 0);
        FileChannel channel = FileChannel.open(file)) {
      long start = 0;
      for (@Nullable LoadLine line = reader.next(); line != null; line = reader.next()) {
        if (line instanceof LoadLine.Entry entry) {
          places.put(entry.key(), new Place(start, Math.toIntExact(entry.endOffset() - start)));
        } else if (line instanceof LoadLine.Unreadable bad && !skipUnreadable) {
          throw new OpsException(
              ExitCode.BAD_INPUT,
              file
                  + " line "
                  + bad.number()
                  + ": "
                  + bad.reason()
                  + ". Mend it, or pass over such lines with --on-error skip");
        }
        start = line.endOffset();
      }
      RecordDigest digest = new RecordDigest();
      for (Map.Entry<byte[], Place> entry : places.entrySet()) {
        digest.add(entry.getKey(), value(channel, format, entry.getValue(), file));
      }
      return digest;
    }
  }

  private static byte[] value(FileChannel channel, LoadFormat format, Place place, Path file)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(place.length());
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, place.start() + bytes.position()) < 0) {
        throw new IOException(file + " became shorter while it was read");
      }
    }
    try (LoadReader line = new LoadReader(new ByteArrayInputStream(bytes.array()), format, 0, 0)) {
      if (line.next() instanceof LoadLine.Entry entry) {
        return entry.value();
      }
      throw new IOException(file + " changed while it was read");
    }
  }
}
