package io.silkkv.ops.bench.cluster;

import com.alipay.sofa.jraft.rpc.RpcServer;
import com.alipay.sofa.jraft.rpc.impl.BoltRaftRpcFactory;
import com.alipay.sofa.jraft.rpc.impl.BoltRpcServer;
import com.alipay.sofa.jraft.util.Endpoint;
import com.alipay.sofa.jraft.util.SPI;
import org.jspecify.annotations.Nullable;

/**
 * JRaft's RPC, bound to the address that it was given. JRaft's own factory passes only the port on,
 * so that a benchmark would listen to the whole network. JRaft finds this class as a service.
 */
@SPI(name = "silkkv-loopback", priority = 10)
public final class RheaLoopbackRpc extends BoltRaftRpcFactory {

  @Override
  public RpcServer createRpcServer(
      Endpoint endpoint, @Nullable ConfigHelper<RpcServer> configuration) {
    RpcServer server =
        new BoltRpcServer(
            new com.alipay.remoting.rpc.RpcServer(endpoint.getIp(), endpoint.getPort(), true));
    if (configuration != null) {
      configuration.config(server);
    }
    return server;
  }
}
