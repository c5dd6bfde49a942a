package io.silkkv.raftsm;

import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** Carries a proposal through Ratis within this process. */
record EntryMessage(Proposal proposal) implements Message {
  @Override
  public ByteString getContent() {
    return UnsafeByteOperations.unsafeWrap(proposal.bytes());
  }

  @Override
  public int size() {
    return proposal.bytes().length;
  }
}
