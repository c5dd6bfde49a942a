package io.silkkv.client;

/**
 * What became of a write.
 *
 * @param applied whether all conditions held, and so all changes were made
 * @param version when applied, the version that the last change gave to its key; else 0
 * @param failedCondition when not applied, which condition failed first, counted from 0 in the
 *     order of the {@code if...} calls; else -1
 * @param foundVersion when not applied, the version of that condition's key, 0 when it is absent
 */
public record WriteResult(boolean applied, long version, int failedCondition, long foundVersion) {
  static WriteResult applied(long version) {
    return new WriteResult(true, version, -1, 0);
  }

  static WriteResult conditionFailed(int index, long foundVersion) {
    return new WriteResult(false, 0, index, foundVersion);
  }
}
