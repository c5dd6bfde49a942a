package io.silkkv.raftsm;

import io.silkkv.raftsm.transfer.TransferOptions;
import io.silkkv.raftsm.transport.ReadGate;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.RaftServer;
import org.awaitility.Awaitility;

/** Three Raft hosts in this process, connected over loopback, with one group of tally machines. */
final class HostCluster implements AutoCloseable {
  static final long SHARD = 2;

  private final Path directory;
  private final RaftSettings settings;
  private final ShardSpec spec;
  private final List<Integer> ports = new ArrayList<>();
  private final Map<String, RaftHost> hosts = new TreeMap<>();
  private final Map<String, TallyMachine> machines = new ConcurrentHashMap<>();
  private final List<String> fatals = new ArrayList<>();
  private final AtomicLong callId = new AtomicLong();

  HostCluster(Path directory, RaftSettings settings) throws IOException {
    this.directory = directory;
    this.settings = settings;
    List<PeerSpec> peers = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      ports.add(Ports.free());
      peers.add(new PeerSpec("n" + i, "127.0.0.1:" + ports.get(i - 1)));
    }
    spec = new ShardSpec(SHARD, new UUID(0x51, SHARD), peers);
  }

  static RaftSettings fast() {
    return RaftSettings.defaults()
        .withElectionTimeouts(Duration.ofMillis(1000), Duration.ofMillis(1500));
  }

  RaftGroupId group() {
    return RaftGroupId.valueOf(spec.groupId());
  }

  ShardSpec spec() {
    return spec;
  }

  List<String> names() {
    return spec.peers().stream().map(PeerSpec::peerId).toList();
  }

  List<String> others(String name) {
    return names().stream().filter(other -> !other.equals(name)).toList();
  }

  ReplicaServerOptions options(String name) {
    int port = ports.get(names().indexOf(name));
    return new ReplicaServerOptions(
        name,
        directory.resolve(name),
        "127.0.0.1",
        port,
        settings,
        ReplicaOptions.DEFAULT,
        TransferOptions.DEFAULT);
  }

  HostCluster startAll() throws IOException {
    for (String name : names()) {
      start(name);
    }
    return this;
  }

  RaftHost start(String name) throws IOException {
    RaftHost host =
        RaftHost.start(
            options(name),
            RaftHost.transport(settings, System::nanoTime),
            gid -> machines.compute(name, (n, old) -> new TallyMachine()),
            (what, cause) -> {
              synchronized (fatals) {
                fatals.add(name + ": " + what);
              }
            });
    hosts.put(name, host);
    host.open(spec);
    return host;
  }

  void stop(String name) {
    RaftHost host = hosts.remove(name);
    if (host != null) {
      host.close();
    }
  }

  RaftHost host(String name) {
    return hosts.get(name);
  }

  TallyMachine machine(String name) {
    return machines.get(name);
  }

  List<String> fatals() {
    synchronized (fatals) {
      return List.copyOf(fatals);
    }
  }

  RaftServer.Division division(String name) {
    try {
      return hosts.get(name).server().getDivision(group());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  ReadGate gate(String name) {
    return hosts.get(name).gate(group());
  }

  String awaitLeader() {
    return Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(20))
        .until(this::leader, name -> name != null);
  }

  private String leader() {
    return hosts.keySet().stream()
        .filter(name -> division(name).getInfo().isLeaderReady())
        .findFirst()
        .orElse(null);
  }

  RaftClientReply write(String leader, String text) throws IOException {
    return hosts
        .get(leader)
        .server()
        .submitClientRequest(
            RaftClientRequest.newBuilder()
                .setClientId(ClientId.randomId())
                .setServerId(RaftPeerId.valueOf(leader))
                .setGroupId(group())
                .setCallId(callId.incrementAndGet())
                .setMessage(Message.valueOf(text))
                .setType(RaftClientRequest.writeRequestType())
                .build());
  }

  RaftClientReply transfer(String from, String to) throws IOException {
    return hosts
        .get(from)
        .server()
        .transferLeadership(
            new TransferLeadershipRequest(
                ClientId.randomId(),
                RaftPeerId.valueOf(from),
                group(),
                callId.incrementAndGet(),
                RaftPeerId.valueOf(to),
                5_000));
  }

  @Override
  public void close() {
    hosts.values().forEach(RaftHost::close);
    hosts.clear();
  }
}
