package io.silkkv.client;

import com.google.protobuf.ByteString;
import io.silkkv.router.KeyOrder;
import io.silkkv.router.KvErrors;
import io.silkkv.router.Limits;
import io.silkkv.router.NodeInfo;
import io.silkkv.router.Routing;
import io.silkkv.router.Shard;
import io.silkkv.router.ShardEpoch;
import io.silkkv.router.ShardMap;
import io.silkkv.v1.BatchGetResponse;
import io.silkkv.v1.Condition;
import io.silkkv.v1.Entry;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.GetResponse;
import io.silkkv.v1.GetShardMapResponse;
import io.silkkv.v1.Mutation;
import io.silkkv.v1.Reason;
import io.silkkv.v1.RequestHeader;
import io.silkkv.v1.ScanPage;
import io.silkkv.v1.ScanRequest;
import io.silkkv.v1.Session;
import io.silkkv.v1.ShardLeader;
import io.silkkv.v1.StreamCall;
import io.silkkv.v1.StreamReply;
import io.silkkv.v1.WriteRequest;
import io.silkkv.v1.WriteResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Nodes on loopback ports over one sorted map: routing, leaders, sessions and conditions behave as
 * a real cluster's, and a script may answer (or swallow) any call first. Guarded by its own
 * monitor.
 */
final class FakeCluster implements AutoCloseable {
  /** A script's way to let the client wait. */
  static final StreamReply.Builder NO_REPLY = StreamReply.newBuilder();

  private static final UUID CLUSTER = new UUID(7, 7);

  private final List<FakeNode> nodes = new ArrayList<>();
  private final NavigableMap<ByteString, GetResponse> data = new TreeMap<>(KeyOrder::compare);
  private final Map<String, WriteResponse> outcomes = new HashMap<>();
  private final List<Session> sessions = new ArrayList<>();
  private final Map<Long, String> leaders = new HashMap<>();
  private ShardMap map;
  private long version;
  private int applied;
  private int pageEntries = 10;
  private boolean forwarding;
  private volatile Script script = (node, call) -> null;

  /** Answers a call in the cluster's place; null leaves it to the cluster. */
  interface Script {
    StreamReply.Builder answer(FakeNode node, StreamCall call);
  }

  FakeCluster(int nodeCount, String... splitPoints) {
    List<NodeInfo> infos = new ArrayList<>();
    for (int i = 1; i <= nodeCount; i++) {
      FakeNode node = new FakeNode(this, "n" + i);
      nodes.add(node);
      infos.add(new NodeInfo(node.id(), node.address(), "", ""));
    }
    List<ByteString> points = new ArrayList<>();
    for (String point : splitPoints) {
      points.add(ByteString.copyFromUtf8(point));
    }
    map = ShardMap.initial(CLUSTER, infos, points);
    map.shards().forEach(s -> leaders.put(s.shardId(), s.replicas().get(0).nodeId()));
  }

  KvClientBuilder client() {
    return KvClient.builder().endpoints(nodes.stream().map(FakeNode::address).toList());
  }

  FakeNode node(String id) {
    return nodes.stream().filter(node -> node.id().equals(id)).findFirst().orElseThrow();
  }

  FakeNode leaderOf(String key) {
    return node(leaderId(key));
  }

  synchronized String leaderId(String key) {
    return leaders.get(map.find(ByteString.copyFromUtf8(key)).shardId());
  }

  void script(Script given) {
    script = given;
  }

  synchronized void forwarding(boolean on) {
    forwarding = on;
  }

  synchronized void pageEntries(int most) {
    pageEntries = most;
  }

  synchronized void lead(String key, String nodeId) {
    leaders.put(map.find(ByteString.copyFromUtf8(key)).shardId(), nodeId);
  }

  /** Cuts the shard of a key in two there; the upper half gets a new id and the same leader. */
  synchronized void split(String key) {
    ByteString point = ByteString.copyFromUtf8(key);
    Shard old = map.find(point);
    ShardEpoch epoch = new ShardEpoch(old.epoch().rangeVersion() + 1, 1);
    long newId = map.shards().stream().mapToLong(Shard::shardId).max().orElseThrow() + 1;
    List<Shard> shards = new ArrayList<>(map.shards());
    int at = shards.indexOf(old);
    UUID group = ShardMap.groupId(CLUSTER, newId);
    shards.set(
        at, new Shard(old.shardId(), old.start(), point, epoch, old.replicas(), old.groupId()));
    shards.add(at + 1, new Shard(newId, point, old.end(), epoch, old.replicas(), group));
    leaders.put(newId, leaders.get(old.shardId()));
    map = new ShardMap(map.version() + 1, CLUSTER, map.meta(), shards, map.nodes());
  }

  synchronized void put(String key, String value) {
    data.put(ByteString.copyFromUtf8(key), entry(ByteString.copyFromUtf8(value)));
  }

  /** Writes that changed data; a repetition of one does not count. */
  synchronized int applied() {
    return applied;
  }

  /** The sessions of all write attempts that arrived. */
  synchronized List<Session> sessions() {
    return List.copyOf(sessions);
  }

  long messages() {
    return nodes.stream().mapToLong(FakeNode::messages).sum();
  }

  long calls() {
    return nodes.stream().mapToLong(FakeNode::calls).sum();
  }

  synchronized GetShardMapResponse shardMap(long knownVersion) {
    GetShardMapResponse.Builder response = GetShardMapResponse.newBuilder();
    if (knownVersion != map.version()) {
      response.setMap(map.toProto());
    }
    leaders.forEach(
        (shardId, nodeId) ->
            response.addLeaders(
                ShardLeader.newBuilder().setShardId(shardId).setNodeId(nodeId).setTerm(1)));
    return response.build();
  }

  /** Null lets the client wait. */
  StreamReply answer(FakeNode node, StreamCall call) {
    synchronized (this) {
      if (call.hasWrite()) {
        sessions.add(call.getWrite().getSession());
      }
    }
    StreamReply.Builder reply = script.answer(node, call);
    if (reply == NO_REPLY) {
      return null;
    }
    if (reply == null) {
      reply = execute(node, call);
    }
    return reply.setCallId(call.getCallId()).build();
  }

  static StreamReply.Builder error(ErrorDetail.Builder detail) {
    return StreamReply.newBuilder().setError(detail);
  }

  static StreamReply.Builder error(ErrorDetail detail) {
    return StreamReply.newBuilder().setError(detail);
  }

  synchronized StreamReply.Builder execute(FakeNode node, StreamCall call) {
    return switch (call.getCallCase()) {
      case GET -> {
        ByteString key = call.getGet().getKey();
        ErrorDetail refusal = refusal(node, call.getGet().getHeader(), key, KeyOrder.next(key));
        yield refusal != null ? error(refusal) : StreamReply.newBuilder().setGet(get(key));
      }
      case BATCH_GET -> {
        BatchGetResponse.Builder values = BatchGetResponse.newBuilder();
        for (ByteString key : call.getBatchGet().getKeysList()) {
          ErrorDetail refusal =
              refusal(node, call.getBatchGet().getHeader(), key, KeyOrder.next(key));
          if (refusal != null) {
            yield error(refusal);
          }
          values.addValues(get(key));
        }
        yield StreamReply.newBuilder().setBatchGet(values);
      }
      case WRITE -> write(node, call.getWrite());
      case SCAN -> scan(node, call.getScan());
      case CALL_NOT_SET -> error(KvErrors.badField(Reason.INVALID_ARGUMENT, "call", "empty call"));
    };
  }

  private ErrorDetail refusal(
      FakeNode node, RequestHeader header, ByteString start, ByteString end) {
    ErrorDetail stale = Routing.checkHeader(map, header, start, end);
    if (stale != null) {
      return stale;
    }
    Shard shard = map.find(start);
    String leader = leaders.get(shard.shardId());
    return node.id().equals(leader) || forwarding
        ? null
        : KvErrors.notLeader(shard.shardId(), leader);
  }

  private GetResponse get(ByteString key) {
    return data.getOrDefault(key, GetResponse.getDefaultInstance());
  }

  private GetResponse entry(ByteString value) {
    version++;
    return GetResponse.newBuilder().setFound(true).setValue(value).setVersion(version).build();
  }

  private StreamReply.Builder write(FakeNode node, WriteRequest write) {
    ErrorDetail fault = Limits.DEFAULT.check(write);
    if (fault != null) {
      return error(fault);
    }
    ByteString first = Routing.key(write.getMutations(0));
    ErrorDetail refusal = refusal(node, write.getHeader(), first, KeyOrder.next(first));
    if (refusal != null) {
      return error(refusal);
    }
    if (Routing.route(map, write) instanceof Routing.WriteRoute.Refused refused) {
      return error(refused.error());
    }
    Session session = write.getSession();
    String id = session.getClientId().toStringUtf8() + "#" + session.getSequence();
    WriteResponse outcome = outcomes.computeIfAbsent(id, unused -> apply(write));
    return StreamReply.newBuilder().setWrite(outcome);
  }

  private WriteResponse apply(WriteRequest write) {
    for (int i = 0; i < write.getConditionsCount(); i++) {
      GetResponse found = get(write.getConditions(i).getKey());
      if (!holds(write.getConditions(i), found)) {
        return WriteResponse.newBuilder()
            .setFailedCondition(i)
            .setFoundVersion(found.getVersion())
            .build();
      }
    }
    applied++;
    for (Mutation mutation : write.getMutationsList()) {
      if (mutation.hasPut()) {
        data.put(mutation.getPut().getKey(), entry(mutation.getPut().getValue()));
      } else if (mutation.hasDeleteRange()) {
        version++;
        ByteString start = mutation.getDeleteRange().getStart();
        ByteString end = mutation.getDeleteRange().getEnd();
        data.keySet()
            .removeIf(
                key ->
                    KeyOrder.compare(key, start) >= 0
                        && (end.isEmpty() || KeyOrder.compare(key, end) < 0));
      } else {
        version++;
        data.remove(mutation.getDelete().getKey());
      }
    }
    return WriteResponse.newBuilder().setApplied(true).setVersion(version).build();
  }

  private static boolean holds(Condition condition, GetResponse found) {
    return switch (condition.getKindCase()) {
      case ABSENT -> !found.getFound();
      case PRESENT -> found.getFound();
      case VERSION_EQUALS -> found.getFound() && found.getVersion() == condition.getVersionEquals();
      case VALUE_EQUALS -> found.getFound() && found.getValue().equals(condition.getValueEquals());
      case KIND_NOT_SET -> false;
    };
  }

  private StreamReply.Builder scan(FakeNode node, ScanRequest scan) {
    ErrorDetail refusal = refusal(node, scan.getHeader(), scan.getStart(), scan.getEnd());
    if (refusal != null) {
      return error(refusal);
    }
    NavigableMap<ByteString, GetResponse> range = data.tailMap(scan.getStart(), true);
    if (!scan.getEnd().isEmpty()) {
      range = range.headMap(scan.getEnd(), false);
    }
    if (scan.getReverse()) {
      range = range.descendingMap();
    }
    long most = scan.getLimit() == 0 ? pageEntries : Math.min(pageEntries, scan.getLimit());
    ScanPage.Builder page = ScanPage.newBuilder();
    for (Map.Entry<ByteString, GetResponse> found : range.entrySet()) {
      if (page.getEntriesCount() == most) {
        page.setMore(scan.getLimit() == 0 || most < scan.getLimit());
        break;
      }
      Entry.Builder entry =
          Entry.newBuilder().setKey(found.getKey()).setVersion(found.getValue().getVersion());
      page.addEntries(scan.getKeysOnly() ? entry : entry.setValue(found.getValue().getValue()));
      page.setResumeKey(scan.getReverse() ? found.getKey() : KeyOrder.next(found.getKey()));
    }
    return StreamReply.newBuilder().setScan(page);
  }

  @Override
  public void close() {
    nodes.forEach(FakeNode::stop);
  }
}
