package io.silkkv.raftsm;

/**
 * A member of a Raft group.
 *
 * @param peerId identifies the disk contents of a replica: a wiped disk needs a new one
 * @param raftAddress host:port of its Raft server
 */
public record PeerSpec(String peerId, String raftAddress) {}
