package io.silkkv.engine.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.silkkv.engine.api.Slice;
import org.junit.jupiter.api.Test;

final class BlockCacheTest {
  @Test
  void holdsNoMoreThanItsCapacity() {
    BlockCache cache = new BlockCache(1 << 20);
    for (int i = 0; i < 1000; i++) {
      cache.put(1, i, Slice.wrap(new byte[16 << 10]));
      assertThat(cache.sizeBytes()).isLessThanOrEqualTo(cache.capacityBytes());
    }

    assertThat(cache.sizeBytes()).isGreaterThan(cache.capacityBytes() / 2);
  }

  @Test
  void smallBlocksAreWeighedWithTheirOverhead() {
    BlockCache cache = new BlockCache(1 << 20);
    cache.put(1, 0, Slice.wrap(new byte[1]));
    cache.put(1, 1, Slice.wrap(new byte[2]));

    assertThat(cache.sizeBytes()).isEqualTo(3 + 2 * BlockCache.ENTRY_OVERHEAD_BYTES);
  }

  @Test
  void filesDoNotSeeEachOthersBlocks() {
    BlockCache cache = new BlockCache(1 << 20);
    long first = cache.newId();
    long second = cache.newId();
    Slice block = Slice.wrap(new byte[] {1});
    cache.put(first, 7, block);

    assertThat(cache.get(first, 7)).isSameAs(block);
    assertThat(cache.get(second, 7)).isNull();
    assertThat(cache.hits()).isEqualTo(1);
    assertThat(cache.misses()).isEqualTo(1);
  }

  @Test
  void aRemovedBlockIsGone() {
    BlockCache cache = new BlockCache(1 << 20);
    cache.put(1, 7, Slice.wrap(new byte[10]));
    cache.remove(1, 7);

    assertThat(cache.get(1, 7)).isNull();
    assertThat(cache.sizeBytes()).isZero();
  }

  @Test
  void aCacheWithoutCapacityKeepsNothing() {
    BlockCache cache = new BlockCache(0);
    cache.put(1, 7, Slice.wrap(new byte[10]));

    assertThat(cache.sizeBytes()).isZero();
    assertThat(cache.get(1, 7)).isNull();
  }

  @Test
  void aBlockLargerThanTheCacheIsDeclined() {
    BlockCache cache = new BlockCache(1000);
    cache.put(1, 7, Slice.wrap(new byte[1000]));

    assertThat(cache.sizeBytes()).isZero();
  }

  @Test
  void aNegativeCapacityIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BlockCache(-1))
        .withMessageContaining("-1");
  }
}
