package io.silkkv.raftsm.transport;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;

/**
 * gRPC with SilkKV's log appender. The Raft library loads this class by the name that is set as
 * {@code raft.rpc.type}, so it must stay public with a public constructor.
 */
public final class SilkRpcType implements RpcType {
  @Override
  public String name() {
    return SilkRpcType.class.getName();
  }

  @Override
  public RpcFactory newFactory(Parameters parameters) {
    return new SilkGrpcFactory(parameters);
  }
}
