package io.silkkv.router;

import io.silkkv.v1.Epoch;

/**
 * Counts the changes of a shard. Both counters only grow, so of two epochs of one shard one is at
 * least as new as the other.
 *
 * @param rangeVersion grows when the key range changes
 * @param membershipVersion grows when the set of replicas changes
 */
public record ShardEpoch(long rangeVersion, long membershipVersion) {
  public static final ShardEpoch FIRST = new ShardEpoch(1, 1);

  /** Checks that both counters are positive. */
  public ShardEpoch {
    if (rangeVersion < 1 || membershipVersion < 1) {
      throw new IllegalArgumentException(
          "a shard's epoch starts at 1.1 but is " + rangeVersion + "." + membershipVersion);
    }
  }

  /** Whether nothing in {@code other} is newer than here. */
  public boolean isAtLeast(ShardEpoch other) {
    return rangeVersion >= other.rangeVersion && membershipVersion >= other.membershipVersion;
  }

  /** The message form. */
  public Epoch toProto() {
    return Epoch.newBuilder()
        .setRangeVersion(rangeVersion)
        .setMembershipVersion(membershipVersion)
        .build();
  }

  /** Reads the message form. */
  public static ShardEpoch fromProto(Epoch epoch) {
    return new ShardEpoch(epoch.getRangeVersion(), epoch.getMembershipVersion());
  }

  @Override
  public String toString() {
    return rangeVersion + "." + membershipVersion;
  }
}
