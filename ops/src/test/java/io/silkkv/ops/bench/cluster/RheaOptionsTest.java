package io.silkkv.ops.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.option.ReadOnlyOption;
import com.alipay.sofa.jraft.rhea.options.RegionEngineOptions;
import com.alipay.sofa.jraft.rhea.options.RegionRouteTableOptions;
import com.alipay.sofa.jraft.rhea.options.RheaKVStoreOptions;
import com.alipay.sofa.jraft.rpc.RaftRpcFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class RheaOptionsTest {
  private static final List<String> MEMBERS =
      List.of("127.0.0.1:1001", "127.0.0.1:1002", "127.0.0.1:1003");

  @Test
  void aServerSyncsItsLogAndReadsSafely() {
    RheaKVStoreOptions options =
        RheaOptions.server(Path.of("/data"), MEMBERS.get(1), MEMBERS, List.of());
    RaftOptions raft = options.getStoreEngineOptions().getCommonNodeOptions().getRaftOptions();
    assertThat(raft.isSync()).isTrue();
    assertThat(raft.getReadOnlyOptions()).isEqualTo(ReadOnlyOption.ReadOnlySafe);
    assertThat(options.getInitialServerList()).isEqualTo(String.join(",", MEMBERS));
    assertThat(options.getStoreEngineOptions().getServerAddress()).hasToString(MEMBERS.get(1));
    assertThat(options.getStoreEngineOptions().getRaftDataPath()).startsWith("/data/");
    assertThat(options.getStoreEngineOptions().getRocksDBOptions().getDbPath())
        .startsWith("/data/");
    assertThat(options.getPlacementDriverOptions().isFake()).isTrue();
  }

  @Test
  void aClientBatchesAndSeesTheSameRegionsAsTheServers() {
    List<String> splits = List.of("b/5", "b/a");
    RheaKVStoreOptions server =
        RheaOptions.server(Path.of("/data"), MEMBERS.get(0), MEMBERS, splits);
    RheaKVStoreOptions client = RheaOptions.client(MEMBERS, splits, Duration.ofSeconds(5));
    assertThat(client.getBatchingOptions().isAllowBatching()).isTrue();
    assertThat(client.isOnlyLeaderRead()).isTrue();
    assertThat(client.getFutureTimeoutMillis()).isEqualTo(5000);
    assertThat(client.getStoreEngineOptions()).isNull();
    assertThat(client.getClusterName()).isEqualTo(server.getClusterName());
    List<RegionEngineOptions> regions = server.getStoreEngineOptions().getRegionEngineOptionsList();
    List<RegionRouteTableOptions> routes =
        client.getPlacementDriverOptions().getRegionRouteTableOptionsList();
    assertThat(regions).hasSize(3);
    for (int i = 0; i < 3; i++) {
      assertThat(routes.get(i).getRegionId()).isEqualTo(regions.get(i).getRegionId());
      assertThat(routes.get(i).getStartKey()).isEqualTo(regions.get(i).getStartKey());
      assertThat(routes.get(i).getEndKey()).isEqualTo(regions.get(i).getEndKey());
    }
    assertThat(regions.get(0).getStartKey()).isNull();
    assertThat(regions.get(0).getEndKey()).isEqualTo("b/5");
    assertThat(regions.get(1).getStartKey()).isEqualTo("b/5");
    assertThat(regions.get(2).getEndKey()).isNull();
  }

  @Test
  void theReportTellsWhatWasSet() {
    RheaKVStoreOptions client = RheaOptions.client(MEMBERS, List.of(), Duration.ofSeconds(5));
    assertThat(RheaOptions.facts(client))
        .containsEntry("log_fsync", "true")
        .containsEntry("read_only_option", "ReadOnlySafe")
        .containsEntry("client_batching", "true");
  }

  @Test
  void jraftFindsTheFactoryThatStaysOnLoopback() {
    assertThat(ServiceLoader.load(RaftRpcFactory.class).stream().map(ServiceLoader.Provider::type))
        .anyMatch(type -> type.equals(RheaLoopbackRpc.class));
  }
}
