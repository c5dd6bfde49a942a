package io.silkkv.raftsm.transfer;

import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import io.silkkv.engine.io.WritableFile;
import io.silkkv.raftsm.transfer.FetchPlan.Item;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Remembers in the receiving directory what is being fetched and which files are complete, so that
 * a process that ends in the middle does not begin again. Not thread-safe.
 *
 * <pre>
 * journal = line*
 * line    = CRC32C of the text in 8 hex digits, " ", text, LF
 * text    = "plan" TAB peer TAB checkpoint TAB term TAB index TAB sequence TAB number of files
 *         | "file" TAB name TAB size       (as many as the plan says)
 *         | "done" TAB name                (the file is complete and durable)
 * </pre>
 *
 * A line that was torn by a crash, and all after it, count as absent.
 */
final class FetchJournal implements AutoCloseable {
  static final String NAME = "transfer.journal";

  private static final String TEMPORARY = "transfer.journal.new";
  private static final int MAX_BYTES = 128 * 1024 * 1024;

  private final FileSystem files;
  private final Path directory;
  private final WritableFile file;

  private FetchJournal(FileSystem files, Path directory, WritableFile file) {
    this.files = files;
    this.directory = directory;
    this.file = file;
  }

  /**
   * What an earlier fetch left.
   *
   * @param done names of complete files
   */
  record Left(FetchPlan plan, Set<String> done) {}

  /** What an earlier fetch into the directory left; null when there is nothing to go on with. */
  static @Nullable Left read(FileSystem files, Path directory) throws IOException {
    Path path = directory.resolve(NAME);
    if (!files.exists(path)) {
      return null;
    }
    List<String[]> lines = lines(files, path);
    if (lines.isEmpty() || lines.get(0).length != 7 || !lines.get(0)[0].equals("plan")) {
      return null;
    }
    String[] head = lines.get(0);
    int count = Integer.parseInt(head[6]);
    if (lines.size() < 1 + count) {
      return null;
    }
    List<Item> items = new ArrayList<>();
    for (String[] line : lines.subList(1, 1 + count)) {
      items.add(new Item(line[1], Long.parseLong(line[2])));
    }
    LogPosition position =
        new LogPosition(Long.parseLong(head[3]), Long.parseLong(head[4]), Long.parseLong(head[5]));
    Set<String> done = new HashSet<>();
    for (String[] line : lines.subList(1 + count, lines.size())) {
      done.add(line[1]);
    }
    return new Left(new FetchPlan(head[1], head[2], position, items), done);
  }

  /** Starts a journal in the place of an older one. */
  static FetchJournal begin(FileSystem files, Path directory, FetchPlan plan, Set<String> done)
      throws IOException {
    Path temporary = directory.resolve(TEMPORARY);
    if (files.exists(temporary)) {
      files.delete(temporary);
    }
    WritableFile file = files.create(temporary, IoClass.TRANSFER);
    try {
      LogPosition at = plan.position();
      StringBuilder text = new StringBuilder();
      append(
          text,
          "plan",
          plan.peerId(),
          plan.checkpointId(),
          Long.toString(at.term()),
          Long.toString(at.index()),
          Long.toString(at.sequence()),
          Integer.toString(plan.files().size()));
      for (Item item : plan.files()) {
        append(text, "file", item.name(), Long.toString(item.size()));
      }
      for (String name : done) {
        append(text, "done", name);
      }
      write(file, text);
      files.rename(temporary, directory.resolve(NAME));
      files.syncDirectory(directory);
      return new FetchJournal(files, directory, file);
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  /** A file and its name are durable. */
  void done(String name) throws IOException {
    StringBuilder text = new StringBuilder();
    append(text, "done", name);
    write(file, text);
  }

  /** Removes the journal: the directory now holds the checkpoint and nothing else. */
  void remove() throws IOException {
    files.delete(directory.resolve(NAME));
    files.syncDirectory(directory);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  private static void append(StringBuilder to, String... fields) {
    String text = String.join("\t", fields);
    to.append(checksum(text)).append(' ').append(text).append('\n');
  }

  private static void write(WritableFile file, StringBuilder text) throws IOException {
    file.write(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8)));
    file.sync();
  }

  private static List<String[]> lines(FileSystem files, Path path) throws IOException {
    List<String[]> lines = new ArrayList<>();
    String text = text(files, path);
    int start = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      String line = text.substring(start, end);
      if (line.length() < 9 || !line.substring(0, 8).equals(checksum(line.substring(9)))) {
        break;
      }
      lines.add(line.substring(9).split("\t", -1));
      start = end + 1;
    }
    return lines;
  }

  private static String text(FileSystem files, Path path) throws IOException {
    try (ReadableFile file = files.open(path)) {
      if (file.size() > MAX_BYTES) {
        return "";
      }
      byte[] bytes = new byte[(int) file.size()];
      file.read(0, ByteBuffer.wrap(bytes), IoClass.TRANSFER);
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  private static String checksum(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().toHexDigits((int) crc.getValue());
  }
}
