package io.silkkv.raftsm.transfer;

import io.silkkv.engine.api.LogPosition;
import io.silkkv.v1.CheckpointFile;
import io.silkkv.v1.OpenCheckpointResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What is to be fetched.
 *
 * @param peerId the replica that pins the checkpoint
 * @param checkpointId its name there
 * @param position what it reflects
 * @param files its files
 */
record FetchPlan(String peerId, String checkpointId, LogPosition position, List<Item> files) {
  /** Plain names only: they become names in our own directory. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,199}");

  private static final int MAX_FILES = 1_000_000;

  record Item(String name, long size) {}

  /**
   * @throws TransferException when a name or size cannot be right
   */
  static FetchPlan of(String peerId, OpenCheckpointResponse response) {
    if (response.getFilesCount() > MAX_FILES || !plain(response.getCheckpointId())) {
      throw wrong(peerId, "its name or the number of its files");
    }
    Set<String> names = new HashSet<>();
    List<Item> items = new ArrayList<>();
    for (CheckpointFile file : response.getFilesList()) {
      if (!plain(file.getName())
          || file.getName().equals(FetchJournal.NAME)
          || file.getSize() < 0
          || !names.add(file.getName())) {
        throw wrong(peerId, "file '" + file.getName() + "' of " + file.getSize() + " bytes");
      }
      items.add(new Item(file.getName(), file.getSize()));
    }
    LogPosition position =
        new LogPosition(response.getTerm(), response.getIndex(), response.getSequence());
    return new FetchPlan(peerId, response.getCheckpointId(), position, items);
  }

  private static boolean plain(String name) {
    return NAME.matcher(name).matches();
  }

  private static TransferException wrong(String peerId, String what) {
    return new TransferException(
        "the checkpoint that " + peerId + " offers is refused: " + what, null);
  }
}
