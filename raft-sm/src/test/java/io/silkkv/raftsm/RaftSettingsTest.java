package io.silkkv.raftsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.raftsm.transport.SilkRpcType;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.junit.jupiter.api.Test;

class RaftSettingsTest {
  private static final int MIB = 1 << 20;

  private final RaftSettings settings = RaftSettings.defaults();
  private final RaftProperties properties =
      settings.toProperties(Path.of("/d/raft"), Path.of("/d/removed"), "127.0.0.1", 7401);

  @Test
  void everySettingIsInTheTableAndTheOtherWayRound() throws IOException {
    String source = Files.readString(Path.of("src/main/java/io/silkkv/raftsm/RaftSettings.java"));
    String table = source.substring(source.indexOf("<table>"), source.indexOf("</table>"));
    Set<String> documented = new TreeSet<>();
    Matcher cells = Pattern.compile("<tr><td>(.*?)</td>", Pattern.DOTALL).matcher(table);
    while (cells.find()) {
      String first = "";
      for (String part :
          Pattern.compile(",\\s*")
              .splitAsStream(cells.group(1).replace("*", " ").trim())
              .toList()) {
        // ".max" after "raft.server.rpc.timeout.min" stands for the same parent.
        boolean shortForm = part.startsWith(".");
        String parent = shortForm ? first : "";
        while (shortForm && !isSet(parent + part)) {
          assertThat(parent).as("no setting ends with %s", part).contains(".");
          parent = parent.substring(0, parent.lastIndexOf('.'));
        }
        documented.add(parent + part);
        first = shortForm ? first : part;
      }
    }
    Set<String> set = new TreeSet<>(settings.chosen().keySet());
    set.add(RaftConfigKeys.Rpc.TYPE_KEY);
    set.add(RaftServerConfigKeys.STORAGE_DIR_KEY);
    set.add(RaftServerConfigKeys.REMOVED_GROUPS_DIR_KEY);
    assertThat(documented).isEqualTo(set);
  }

  private boolean isSet(String key) {
    return settings.chosen().containsKey(key);
  }

  @Test
  void limitsFitTogether() {
    long entry = RaftServerConfigKeys.Log.Appender.bufferByteLimit(properties).getSize();
    assertThat(entry).isGreaterThan(2 * MIB + 64 * 1024);
    assertThat(RaftServerConfigKeys.Log.writeBufferSize(properties).getSize())
        .isGreaterThanOrEqualTo(entry + 8);
    SizeInBytes message = GrpcConfigKeys.messageSizeMax(properties, line -> {});
    assertThat(message.getSize()).isGreaterThanOrEqualTo(entry + MIB);
    assertThat(GrpcConfigKeys.flowControlWindow(properties, line -> {}).getSize())
        .isGreaterThanOrEqualTo(entry);
    assertThat(RaftServerConfigKeys.Write.byteLimit(properties).getSize())
        .isGreaterThanOrEqualTo(entry);
    assertThat(RaftServerConfigKeys.Log.queueByteLimit(properties).getSize())
        .isGreaterThanOrEqualTo(entry);
    assertThat(RaftServerConfigKeys.Log.segmentSizeMax(properties).getSize())
        .isGreaterThanOrEqualTo(2 * entry);
    assertThat(ReplicaOptions.DEFAULT.proposals().commandBytes()).isLessThan((int) entry - 2_048);
  }

  @Test
  void durabilityAndSafetyAreNotForSale() {
    assertThat(RaftServerConfigKeys.Log.unsafeFlushEnabled(properties)).isFalse();
    assertThat(RaftServerConfigKeys.Log.asyncFlushEnabled(properties)).isFalse();
    assertThat(RaftServerConfigKeys.LeaderElection.preVote(properties)).isTrue();
    assertThat(RaftServerConfigKeys.Read.leaderHeartbeatCheckEnabled(properties)).isTrue();
    assertThat(RaftServerConfigKeys.Read.option(properties))
        .isEqualTo(RaftServerConfigKeys.Read.Option.LINEARIZABLE);
    assertThat(RaftServerConfigKeys.Log.Appender.installSnapshotEnabled(properties)).isFalse();
    assertThat(RaftServerConfigKeys.Log.purgeUptoSnapshotIndex(properties)).isTrue();
    assertThat(RaftServerConfigKeys.Log.corruptionPolicy(properties))
        .isEqualTo(RaftServerConfigKeys.Log.CorruptionPolicy.WARN_AND_RETURN);
  }

  @Test
  void theLibraryReadsWhatWasMeant() {
    RaftProperties other =
        settings
            .withElectionTimeouts(Duration.ofSeconds(2), Duration.ofSeconds(3))
            .withPreservedEntries(7)
            .withSegmentBytes(16 * MIB)
            .toProperties(Path.of("/d/raft"), Path.of("/d/removed"), "127.0.0.1", 7401);
    assertThat(RaftServerConfigKeys.Rpc.timeoutMin(other).toLong(TimeUnit.MILLISECONDS))
        .isEqualTo(2_000);
    assertThat(RaftServerConfigKeys.Rpc.timeoutMax(other).toLong(TimeUnit.MILLISECONDS))
        .isEqualTo(3_000);
    assertThat(RaftServerConfigKeys.Log.purgePreservationLogNum(other)).isEqualTo(7);
    assertThat(RaftServerConfigKeys.Log.segmentSizeMax(other).getSize()).isEqualTo(16 * MIB);
    assertThat(RaftServerConfigKeys.storageDir(other)).containsExactly(new File("/d/raft"));
    assertThat(RaftServerConfigKeys.removedGroupsDir(other)).isEqualTo(new File("/d/removed"));
    assertThat(GrpcConfigKeys.Server.host(other)).isEqualTo("127.0.0.1");
    assertThat(GrpcConfigKeys.Server.port(other)).isEqualTo(7401);
    assertThat(RaftConfigKeys.Rpc.type(other, line -> {})).isInstanceOf(SilkRpcType.class);
    assertThat(RaftServerConfigKeys.Log.Appender.waitTimeMin(other).getDuration()).isZero();
    for (Map.Entry<String, String> e : settings.chosen().entrySet()) {
      assertThat(properties.get(e.getKey())).isEqualTo(e.getValue());
    }
  }

  @Test
  void badValuesAreAllNamedAtOnce() {
    assertThatThrownBy(
            () ->
                new RaftSettings(
                    Duration.ofMillis(100),
                    Duration.ofMillis(100),
                    1.0,
                    Duration.ZERO,
                    1_000,
                    1_000,
                    -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("electionTimeoutMin must be at least 500 ms")
        .hasMessageContaining("electionTimeoutMax must be at least 1.5 times")
        .hasMessageContaining("leaseRatio must be between")
        .hasMessageContaining("readTimeout must be positive")
        .hasMessageContaining("entryBytes must be between")
        .hasMessageContaining("segmentBytes must be at least")
        .hasMessageContaining("preservedEntries must be at least 0");
  }
}
