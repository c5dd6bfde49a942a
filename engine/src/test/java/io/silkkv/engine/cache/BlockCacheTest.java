package io.silkkv.engine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.cache.BlockCache.Kind;
import org.junit.jupiter.api.Test;

final class BlockCacheTest {
  @Test
  void holdsNoMoreThanItsCapacity() {
    BlockCache cache = new BlockCache(1 << 20);
    for (int i = 0; i < 1000; i++) {
      cache.put(1, i, Kind.DATA, Slice.wrap(new byte[16 << 10]));
      assertThat(cache.sizeBytes()).isLessThanOrEqualTo(cache.capacityBytes());
    }

    assertThat(cache.sizeBytes()).isGreaterThan(cache.capacityBytes() / 2);
  }

  @Test
  void smallBlocksAreWeighedWithTheirOverhead() {
    BlockCache cache = new BlockCache(1 << 20);
    cache.put(1, 0, Kind.DATA, Slice.wrap(new byte[1]));
    cache.put(1, 1, Kind.DATA, Slice.wrap(new byte[2]));

    assertThat(cache.sizeBytes()).isEqualTo(3 + 2 * BlockCache.ENTRY_OVERHEAD_BYTES);
  }

  @Test
  void filesDoNotSeeEachOthersBlocks() {
    BlockCache cache = new BlockCache(1 << 20);
    long first = cache.newId();
    long second = cache.newId();
    Slice block = Slice.wrap(new byte[] {1});
    cache.put(first, 7, Kind.DATA, block);

    assertThat(cache.get(first, 7, Kind.DATA)).isSameAs(block);
    assertThat(cache.get(second, 7, Kind.DATA)).isNull();
    assertThat(cache.hits()).isEqualTo(1);
    assertThat(cache.misses()).isEqualTo(1);
  }

  @Test
  void aRemovedBlockIsGone() {
    BlockCache cache = new BlockCache(1 << 20);
    cache.put(1, 7, Kind.DATA, Slice.wrap(new byte[10]));
    cache.remove(1, 7, Kind.DATA);

    assertThat(cache.get(1, 7, Kind.DATA)).isNull();
    assertThat(cache.sizeBytes()).isZero();
  }

  @Test
  void aCacheWithoutCapacityKeepsNothing() {
    BlockCache cache = new BlockCache(0);
    cache.put(1, 7, Kind.DATA, Slice.wrap(new byte[10]));

    assertThat(cache.sizeBytes()).isZero();
    assertThat(cache.get(1, 7, Kind.DATA)).isNull();
  }

  @Test
  void aBlockLargerThanTheCacheIsDeclined() {
    BlockCache cache = new BlockCache(1000);
    cache.put(1, 7, Kind.DATA, Slice.wrap(new byte[1000]));

    assertThat(cache.sizeBytes()).isZero();
  }

  @Test
  void aNegativeCapacityIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BlockCache(-1))
        .withMessageContaining("-1");
  }

  @Test
  void indexesAndFiltersStayWhenDataFloodsTheCache() {
    BlockCache cache = new BlockCache(1 << 20);
    for (int i = 0; i < 20; i++) {
      cache.put(1, i, Kind.META, Slice.wrap(new byte[16 << 10]));
    }
    for (int i = 0; i < 1000; i++) {
      cache.put(2, i, Kind.DATA, Slice.wrap(new byte[16 << 10]));
      assertThat(cache.sizeBytes()).isLessThanOrEqualTo(cache.capacityBytes());
    }

    for (int i = 0; i < 20; i++) {
      assertThat(cache.peek(1, i, Kind.META)).as("block " + i).isNotNull();
    }
    assertThat(cache.sizeBytes()).isGreaterThan(cache.capacityBytes() / 2);
  }

  @Test
  void indexesAndFiltersPushDataOutButNeverTakeAll() {
    BlockCache cache = new BlockCache(1 << 20);
    for (int i = 0; i < 60; i++) {
      cache.put(2, i, Kind.DATA, Slice.wrap(new byte[16 << 10]));
    }
    for (int i = 0; i < 1000; i++) {
      cache.put(1, i, Kind.META, Slice.wrap(new byte[16 << 10]));
      assertThat(cache.sizeBytes()).isLessThanOrEqualTo(cache.capacityBytes());
    }

    assertThat(cache.metaBytes()).isLessThanOrEqualTo(cache.capacityBytes() * 3 / 4);
    assertThat(cache.sizeBytes()).isGreaterThan(cache.metaBytes());
  }

  @Test
  void peekingCountsNothing() {
    BlockCache cache = new BlockCache(1 << 20);
    cache.peek(1, 1, Kind.DATA);

    assertThat(cache.hits() + cache.misses()).isZero();
  }
}
