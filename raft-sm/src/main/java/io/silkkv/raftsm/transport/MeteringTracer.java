package io.silkkv.raftsm.transport;

import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerStreamTracer;

/** Feeds the meter from the streams that other peers open to this node's Raft server. */
final class MeteringTracer extends ServerStreamTracer {
  private final ReplicationMeter meter;

  private MeteringTracer(ReplicationMeter meter) {
    this.meter = meter;
  }

  static ServerStreamTracer.Factory factory(ReplicationMeter meter) {
    return new Factory() {
      @Override
      public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
        return new MeteringTracer(meter);
      }
    };
  }

  @Override
  public void inboundMessage(int sequence) {
    meter.messageReceived();
  }

  @Override
  public void inboundWireSize(long bytes) {
    meter.received(bytes);
  }

  @Override
  public void outboundWireSize(long bytes) {
    meter.replied(bytes);
  }
}
