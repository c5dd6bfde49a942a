package io.silkkv.raftsm.command;

/** What became of a command that the log holds. Every replica finds the same. */
public sealed interface CommandResult {
  /**
   * All conditions held and the mutations are applied.
   *
   * @param version sequence of the last mutation; for a command without mutations the sequence that
   *     the shard had reached
   */
  record Applied(long version) implements CommandResult {}

  /**
   * Nothing was applied.
   *
   * @param index the first condition that failed, from 0 on
   * @param foundVersion version of its key; 0 when the key is absent
   */
  record ConditionFailed(int index, long foundVersion) implements CommandResult {}

  /**
   * The command was not applied now, and whether it had been applied before is forgotten: the
   * client had acknowledged the sequence, or the table of results was full.
   */
  record SessionExpired() implements CommandResult {}

  /**
   * The command was not applied and is not remembered: it is the first one of its client, and the
   * shard remembers as many active clients as it can. The caller of the proposing replica sees it
   * as an overload.
   */
  record TooManyClients() implements CommandResult {}
}
