package io.silkkv.node.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.silkkv.engine.EngineOptions;
import io.silkkv.engine.EngineResources;
import io.silkkv.engine.LsmEngine;
import io.silkkv.engine.api.EngineException;
import io.silkkv.engine.api.EngineListener;
import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.ReadView;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.StorageEngine;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.testkit.MemFileSystem;
import io.silkkv.engine.testkit.Seeded;
import io.silkkv.router.NodeInfo;
import io.silkkv.router.Shard;
import io.silkkv.router.ShardMap;
import io.silkkv.v1.Entry;
import io.silkkv.v1.ScanPage;
import io.silkkv.v1.ScanRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Scans over the real engine, page by page and shard by shard, against a sorted map. */
class ScanPagesModelTest {
  private static final int KEYS = 400;

  @RegisterExtension final Seeded seeded = new Seeded();

  private final TreeMap<String, String> model = new TreeMap<>();
  private final ScanPages pages = new ScanPages(TestCluster.options(), () -> 0);
  private final ShardMap map =
      ShardMap.initial(
          new UUID(1, 2),
          List.of(new NodeInfo("n1", "h:1", "", "")),
          List.of(ByteString.copyFromUtf8("key150"), ByteString.copyFromUtf8("key300")));

  @Test
  void pagesPutTogetherAreTheRange() throws Exception {
    RandomGenerator random = seeded.random();
    EngineOptions options =
        EngineOptions.DEFAULTS.toBuilder().memtableBytes(64 << 10).blockBytes(512).build();
    try (EngineResources resources =
            EngineResources.create(new MemFileSystem(), 8 << 20, 1 << 20, () -> 0, seeded.seed());
        StorageEngine engine =
            LsmEngine.open(Path.of("/engine"), options, resources, new Unheard())) {
      long sequence = 0;
      for (int step = 0; step < 1500; step++) {
        sequence++;
        String key = key(random);
        WriteBatch batch = new WriteBatch();
        if (random.nextInt(4) == 0) {
          model.remove(key);
          batch.delete(Slice.utf8(key));
        } else {
          String value = "v" + step;
          model.put(key, value);
          batch.put(Slice.utf8(key), Slice.utf8(value));
        }
        engine.write(batch, new LogPosition(1, step, sequence));
        if (step % 400 == 399) {
          engine.rotate(new byte[0]).get();
        }
      }
      for (int i = 0; i < 300; i++) {
        check(engine, randomScan(random));
      }
    }
  }

  private void check(StorageEngine engine, ScanRequest request) {
    List<String> found = new ArrayList<>();
    ScanRequest rest = request;
    while (true) {
      ScanPage page = page(engine, rest);
      for (Entry entry : page.getEntriesList()) {
        found.add(entry.getKey().toStringUtf8() + "=" + entry.getValue().toStringUtf8());
      }
      if (!page.getMore()) {
        break;
      }
      ScanRequest.Builder next = rest.toBuilder();
      if (request.getReverse()) {
        next.setEnd(page.getResumeKey());
      } else {
        next.setStart(page.getResumeKey());
      }
      if (request.getLimit() > 0) {
        next.setLimit(rest.getLimit() - page.getEntriesCount());
      }
      rest = next.build();
    }
    assertThat(found).as("%s", request).isEqualTo(expected(request));
  }

  private ScanPage page(StorageEngine engine, ScanRequest request) {
    Shard shard =
        request.getReverse() ? map.findBefore(request.getEnd()) : map.find(request.getStart());
    try (ReadView view = engine.view()) {
      return pages.read(view, request, shard);
    }
  }

  private List<String> expected(ScanRequest request) {
    SortedMap<String, String> range = model.tailMap(request.getStart().toStringUtf8());
    if (!request.getEnd().isEmpty()) {
      range = range.headMap(request.getEnd().toStringUtf8());
    }
    List<String> expected = new ArrayList<>();
    range.forEach((key, value) -> expected.add(key + "=" + value));
    if (request.getReverse()) {
      Collections.reverse(expected);
    }
    long limit = request.getLimit();
    return limit > 0 && limit < expected.size() ? expected.subList(0, (int) limit) : expected;
  }

  private static ScanRequest randomScan(RandomGenerator random) {
    String one = key(random);
    String other = key(random);
    boolean inOrder = one.compareTo(other) < 0;
    ScanRequest.Builder request =
        ScanRequest.newBuilder()
            .setReverse(random.nextBoolean())
            .setPageBytes(1 + random.nextInt(600))
            .setLimit(random.nextInt(3) == 0 ? 1 + random.nextInt(50) : 0);
    if (random.nextInt(4) != 0) {
      request.setStart(ByteString.copyFromUtf8(inOrder ? one : other));
    }
    if (random.nextInt(4) != 0 && !one.equals(other)) {
      request.setEnd(ByteString.copyFromUtf8(inOrder ? other : one));
    }
    return request.build();
  }

  private static String key(RandomGenerator random) {
    return "key" + (100 + random.nextInt(KEYS));
  }

  private static final class Unheard implements EngineListener {
    @Override
    public void flushWanted() {}

    @Override
    public void flushed(LogPosition position) {}

    @Override
    public void failed(EngineException cause) {
      throw new AssertionError(cause);
    }
  }
}
