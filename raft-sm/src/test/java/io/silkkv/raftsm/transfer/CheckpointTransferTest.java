package io.silkkv.raftsm.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.testkit.FaultInjectingFileSystem;
import io.silkkv.engine.testkit.MemFileSystem;
import io.silkkv.engine.testkit.Seeded;
import io.silkkv.v1.FileChunk;
import io.silkkv.v1.OpenCheckpointRequest;
import io.silkkv.v1.OpenCheckpointResponse;
import io.silkkv.v1.ReadFileRequest;
import io.silkkv.v1.ReleaseCheckpointRequest;
import io.silkkv.v1.TransferGrpc;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
class CheckpointTransferTest {
  private static final Path INCOMING = Path.of("/target/shards/7/incoming");

  @RegisterExtension final Seeded seeded = new Seeded();

  private final MemFileSystem target = new MemFileSystem();
  private TransferWorld world;

  @BeforeEach
  void start() throws IOException {
    world = new TransferWorld(seeded.random());
  }

  @AfterEach
  void stop() {
    world.close();
  }

  private LogPosition fetch(FileSystem files) throws Exception {
    return world.fetch(files, INCOMING, 80).get(30, TimeUnit.SECONDS);
  }

  private void assertComplete(FileSystem files) throws IOException {
    Map<String, byte[]> received = TransferWorld.read(files, INCOMING);
    assertThat(received.keySet()).isEqualTo(world.contents().keySet());
    received.forEach((name, bytes) -> assertThat(bytes).isEqualTo(world.contents().get(name)));
  }

  @Test
  void allFilesArriveAndTheSourceFlushesWhatTheReceiverNeeds() throws Exception {
    assertThat(fetch(target)).isEqualTo(TransferWorld.APPLIED);
    assertComplete(target);
    long size = world.contents().values().stream().mapToLong(b -> b.length).sum();
    assertThat(world.meter().totals().checkpointBytesSent()).isEqualTo(size);
    assertThat(world.meter().totals().checkpointBytesReceived()).isEqualTo(size);
    Awaitility.await().until(() -> world.sourceFiles().list(world.checkpoints()).isEmpty());
    assertThat(world.service().pinned()).isZero();
  }

  @Test
  void everythingThatArrivedSurvivesAPowerCut() throws Exception {
    fetch(target);
    assertComplete(target.crashCloneLosingAll());
  }

  @Test
  void brokenStreamGoesOnAtTheOffsetItReached() throws Exception {
    // No place breaks twice: a fetch gives up when it makes no progress for some attempts.
    Set<String> broken = ConcurrentHashMap.newKeySet();
    world.wire(
        chunk -> {
          if (seeded.random().nextInt(3) == 0
              && broken.add(chunk.getOffset() + " " + chunk.getCrc32C())) {
            throw Status.UNAVAILABLE.withDescription("cut").asRuntimeException();
          }
          return chunk;
        });
    fetch(target);
    assertComplete(target);
    assertThat(broken).isNotEmpty();
    long size = world.contents().values().stream().mapToLong(b -> b.length).sum();
    // What arrived before a break is never asked for again.
    assertThat(world.meter().totals().checkpointBytesReceived()).isEqualTo(size);
  }

  @Test
  void corruptChunkIsRefusedAndAskedForAgain() throws Exception {
    // Each place once: what is sent ahead before the receiver complains must not decide the test.
    Set<String> corrupted = ConcurrentHashMap.newKeySet();
    world.wire(
        chunk ->
            chunk.getOffset() % 12_288 == 0
                    && corrupted.add(chunk.getOffset() + " " + chunk.getCrc32C())
                ? flipped(chunk)
                : chunk);
    fetch(target);
    assertComplete(target);
    assertThat(corrupted).hasSizeGreaterThan(10);
  }

  @Test
  void sourceThatIsAlwaysCorruptFailsTheFetchWithFileAndOffset() throws Exception {
    world.wire(chunk -> chunk.getOffset() >= 8_192 ? flipped(chunk) : chunk);
    assertThatThrownBy(() -> fetch(target))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(TransferException.class)
        .hasMessageContaining("000004.sst from n1 brought a corrupt chunk at offset 8192");
    assertThat(target.list(INCOMING)).contains(FetchJournal.NAME).doesNotContain("000004.sst");
  }

  @Test
  void stalledStreamIsGivenUpAndTriedAgain() throws Exception {
    AtomicInteger stalls = new AtomicInteger();
    world.wire(chunk -> chunk.getOffset() == 4_096 && stalls.getAndIncrement() == 0 ? null : chunk);
    fetch(target);
    assertComplete(target);
    assertThat(stalls).hasValueGreaterThan(1);
  }

  @Test
  void sourceThatAlwaysStallsFailsTheFetchInBoundedTime() {
    world.wire(chunk -> null);
    long begin = System.nanoTime();
    assertThatThrownBy(() -> fetch(target))
        .cause()
        .isInstanceOf(TransferException.class)
        .hasMessageContaining("stalled for 400 ms");
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
  }

  @Test
  void chunkOfAnotherOffsetIsRefused() {
    world.wire(chunk -> chunk.toBuilder().setOffset(chunk.getOffset() + 1).build());
    assertThatThrownBy(() -> fetch(target))
        .cause()
        .isInstanceOf(TransferException.class)
        .hasMessageContaining("bytes of offset 1 at offset 0");
  }

  @Test
  void processThatDiedInTheMiddleKeepsCompleteFilesOnly() throws Exception {
    world.wire(chunk -> chunk.getOffset() >= 40_960 ? null : chunk);
    assertThatThrownBy(() -> fetch(target)).hasCauseInstanceOf(TransferException.class);
    world.wire(chunk -> chunk);
    MemFileSystem afterCrash = target.crashClone(seeded.random());
    long before = world.meter().totals().checkpointBytesReceived();
    assertThat(fetch(afterCrash)).isEqualTo(TransferWorld.APPLIED);
    assertComplete(afterCrash);
    // The four small files were complete: 0 + 1 + 4,096 + 4,097 bytes are not sent again.
    assertThat(world.meter().totals().checkpointBytesReceived() - before)
        .isEqualTo(50_000 + 123_456);
  }

  @Test
  void crashAtAnyFileOperationOfTheReceiverIsRecoveredByTheNextFetch() throws Exception {
    FaultInjectingFileSystem counting = new FaultInjectingFileSystem(new MemFileSystem());
    fetch(counting);
    long mutations = counting.mutations();
    assertThat(mutations).isGreaterThan(20);
    for (long crash = 1; crash <= mutations; crash += 1 + seeded.random().nextInt(4)) {
      MemFileSystem disk = new MemFileSystem();
      FaultInjectingFileSystem crashing = new FaultInjectingFileSystem(disk);
      crashing.crashAtMutation(crash);
      assertThatThrownBy(() -> fetch(crashing)).as("crash at %d", crash).isNotNull();
      MemFileSystem rebooted = disk.crashClone(seeded.random());
      assertThat(fetch(rebooted)).as("crash at %d", crash).isEqualTo(TransferWorld.APPLIED);
      assertComplete(rebooted);
      // The pins of fetches that died are still there.
      world.clock().addAndGet(Duration.ofHours(1).toNanos());
      world.service().tick();
    }
  }

  @Test
  void checkpointThatIsGoneIsReplacedByANewOne() throws Exception {
    world.wire(chunk -> chunk.getOffset() >= 40_960 ? null : chunk);
    assertThatThrownBy(() -> fetch(target)).hasCauseInstanceOf(TransferException.class);
    world.clock().addAndGet(Duration.ofHours(1).toNanos());
    world.service().tick();
    assertThat(world.service().pinned()).isZero();
    world.wire(chunk -> chunk);
    assertThat(fetch(target)).isEqualTo(TransferWorld.APPLIED);
    assertComplete(target);
  }

  @Test
  void anErrorOfTheVirtualMachineEndsTheFetch() {
    CheckpointFetcher fetcher =
        new CheckpointFetcher(
            target,
            peer -> {
              throw new NoClassDefFoundError("of the test");
            },
            TransferWorld.OPTIONS,
            task -> assertThatThrownBy(task::run).isInstanceOf(NoClassDefFoundError.class),
            world.meter());
    assertThat(fetcher.fetch(TransferWorld.SHARD, "n1", 0, INCOMING)).isCompletedExceptionally();
  }

  @Test
  void localDiskErrorEndsTheFetch() {
    FaultInjectingFileSystem broken = new FaultInjectingFileSystem(target);
    broken.failAt(FaultInjectingFileSystem.Operation.SYNC, 2);
    assertThatThrownBy(() -> fetch(broken)).hasCauseInstanceOf(IOException.class);
  }

  @Test
  void shardThatIsNotHereOrNotFarEnoughIsRefused() {
    assertThatThrownBy(() -> world.fetch(target, INCOMING, 101).get(30, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(TransferException.class)
        .hasMessageContaining("flushed up to index 100 here, before 101");
    assertThatThrownBy(() -> open(8, 0))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("shard 8 has no replica on this node");
    assertThat(world.service().pinned()).isZero();
  }

  @Test
  void pinsAreBoundedAndEndWhenIdle() throws Exception {
    open(TransferWorld.SHARD, 0);
    open(TransferWorld.SHARD, 0);
    assertThatThrownBy(() -> open(TransferWorld.SHARD, 0))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED));
    world.clock().addAndGet(TransferWorld.OPTIONS.idleLimit().toNanos());
    OpenCheckpointResponse third = open(TransferWorld.SHARD, 0);
    assertThat(world.sourceFiles().list(world.checkpoints()))
        .containsExactly(third.getCheckpointId());
  }

  @Test
  void theServiceKnowsWhoseLogAReceiverWillNeed() throws Exception {
    CheckpointService service = world.service();
    assertThat(service.serves(TransferWorld.SHARD)).isFalse();
    String id = open(TransferWorld.SHARD, 0).getCheckpointId();
    world.clock().addAndGet(Duration.ofSeconds(59).toNanos());
    TransferGrpc.newBlockingStub(world.channel())
        .releaseCheckpoint(ReleaseCheckpointRequest.newBuilder().setCheckpointId(id).build());

    // It swaps the checkpoint in now, and asks for the log after it then.
    world.clock().addAndGet(Duration.ofSeconds(59).toNanos());
    assertThat(service.serves(TransferWorld.SHARD)).isTrue();
    assertThat(service.serves(TransferWorld.SHARD + 1)).isFalse();
    world.clock().addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(service.serves(TransferWorld.SHARD)).isFalse();
  }

  @Test
  void onlyNamesOfTheCheckpointCanBeRead() throws Exception {
    String id = open(TransferWorld.SHARD, 0).getCheckpointId();
    for (String name : new String[] {"../engine/000004.sst", "/etc/passwd", "", "000009.sst"}) {
      assertThatThrownBy(() -> readAll(id, name, 0))
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT));
    }
    assertThatThrownBy(() -> readAll(id, "000004.sst", 50_001))
        .isInstanceOf(StatusRuntimeException.class);
    assertThat(readAll(id, "000004.sst", 49_999)).hasSize(1);
  }

  @Test
  void releasedCheckpointIsGone() throws Exception {
    String id = open(TransferWorld.SHARD, 0).getCheckpointId();
    TransferGrpc.newBlockingStub(world.channel())
        .releaseCheckpoint(ReleaseCheckpointRequest.newBuilder().setCheckpointId(id).build());
    assertThat(world.sourceFiles().list(world.checkpoints())).isEmpty();
    assertThatThrownBy(() -> readAll(id, "000004.sst", 0))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND));
  }

  @Test
  void checkpointsOfAnEarlierProcessAreRemovedAtStart() throws Exception {
    Path stale = world.checkpoints().resolve("stale");
    world.sourceFiles().createDirectories(stale);
    TransferWorld.put(world.sourceFiles(), stale.resolve("000001.sst"), new byte[10]);
    world.service().removeStale();
    assertThat(world.sourceFiles().exists(stale)).isFalse();
  }

  @Test
  void suspectNamesFromTheSourceAreRefused() {
    for (String name : new String[] {"../x", "a/b", "", ".", "..", FetchJournal.NAME, "a\tb"}) {
      OpenCheckpointResponse response =
          OpenCheckpointResponse.newBuilder()
              .setCheckpointId("c1")
              .addFiles(io.silkkv.v1.CheckpointFile.newBuilder().setName(name).setSize(1))
              .build();
      assertThatThrownBy(() -> FetchPlan.of("n1", response))
          .isInstanceOf(TransferException.class)
          .hasMessageContaining("n1");
    }
  }

  private OpenCheckpointResponse open(long shardId, long minIndex) {
    return TransferGrpc.newBlockingStub(world.channel())
        .openCheckpoint(
            OpenCheckpointRequest.newBuilder().setShardId(shardId).setMinIndex(minIndex).build());
  }

  private byte[] readAll(String id, String name, long offset) {
    ByteString all = ByteString.EMPTY;
    var chunks =
        TransferGrpc.newBlockingStub(world.channel())
            .readFile(
                ReadFileRequest.newBuilder()
                    .setCheckpointId(id)
                    .setName(name)
                    .setOffset(offset)
                    .build());
    while (chunks.hasNext()) {
      all = all.concat(chunks.next().getData());
    }
    return all.toByteArray();
  }

  private static FileChunk flipped(FileChunk chunk) {
    byte[] bytes = chunk.getData().toByteArray();
    bytes[bytes.length / 2] ^= 4;
    return chunk.toBuilder().setData(ByteString.copyFrom(bytes)).build();
  }
}
