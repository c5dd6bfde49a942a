package io.silkkv.node.storage;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Who owns a data directory. Stored as text lines, so that a person can read it:
 *
 * <pre>
 * silkkv-data-directory 1
 * cluster UUID
 * node ID
 * </pre>
 *
 * The number in the first line is the format version of the whole directory.
 *
 * @param clusterId identity of the cluster
 * @param nodeId name of the node
 */
public record Identity(UUID clusterId, String nodeId) {
  private static final String MAGIC = "silkkv-data-directory";
  private static final int FORMAT_VERSION = 1;

  String format() {
    return MAGIC + " " + FORMAT_VERSION + "\ncluster " + clusterId + "\nnode " + nodeId + "\n";
  }

  /**
   * @throws DataDirectoryException when the text is damaged or of a newer format
   */
  static Identity parse(Path file, String text) {
    Map<String, String> fields = new HashMap<>();
    for (String line : text.split("\n", -1)) {
      int space = line.indexOf(' ');
      if (space > 0) {
        fields.put(line.substring(0, space), line.substring(space + 1));
      }
    }
    try {
      int version = Integer.parseInt(fields.getOrDefault(MAGIC, ""));
      if (version > FORMAT_VERSION) {
        throw new DataDirectoryException(
            DataDirectoryException.Kind.TOO_NEW,
            file
                + " has format version "
                + version
                + ", newer than this release reads (at most "
                + FORMAT_VERSION
                + "); use a newer SilkKV");
      }
      String node = fields.getOrDefault("node", "");
      if (version == FORMAT_VERSION && !node.isEmpty()) {
        return new Identity(UUID.fromString(fields.getOrDefault("cluster", "")), node);
      }
    } catch (IllegalArgumentException e) {
      throw corrupt(file, e.toString());
    }
    throw corrupt(file, "a line is missing");
  }

  private static DataDirectoryException corrupt(Path file, String detail) {
    return new DataDirectoryException(
        DataDirectoryException.Kind.CORRUPT,
        file
            + " is damaged ("
            + detail
            + "); restore it from another file of the same name, or restore the node's directory");
  }

  @Override
  public String toString() {
    return "node " + nodeId + " of cluster " + clusterId;
  }
}
