package io.silkkv.ops.bench.load.data;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

class DistributionTest {
  private static final long SEED = 11;
  private static final int DRAWS = 200_000;

  private static int[] counts(int population, ToLongFunction<Draw> chooser) {
    int[] counts = new int[population];
    for (int number = 0; number < DRAWS; number++) {
      counts[(int) chooser.applyAsLong(new Draw(SEED, number))]++;
    }
    return counts;
  }

  @Test
  void uniformKeysAreAllAlike() {
    int[] counts = counts(100, draw -> new KeyChooser.Uniform().choose(draw, 100));
    // 2,000 each, with a standard deviation of 45.
    assertThat(Arrays.stream(counts).min().getAsInt()).isGreaterThan(1_775);
    assertThat(Arrays.stream(counts).max().getAsInt()).isLessThan(2_225);
  }

  @Test
  void ranksFollowZipfsLaw() {
    for (double exponent : new double[] {0.5, 0.99, 1.5}) {
      int population = 1_000;
      int[] counts = counts(population, draw -> ZipfRank.draw(draw, population, exponent));
      double sum = 0;
      for (int k = 1; k <= population; k++) {
        sum += Math.pow(k, -exponent);
      }
      for (int rank : new int[] {0, 1, 2, 5, 10, 50, 200, 999}) {
        double expected = DRAWS * Math.pow(rank + 1.0, -exponent) / sum;
        assertThat((double) counts[rank])
            .as("exponent %s rank %d", exponent, rank)
            .isBetween(expected - 5 * Math.sqrt(expected), expected + 5 * Math.sqrt(expected));
      }
    }
  }

  @Test
  void zipfianKeysAreHotAndScattered() {
    KeyChooser chooser = new KeyChooser.Zipfian(0.99);
    int[] counts = counts(10_000, draw -> chooser.choose(draw, 10_000));
    int[] sorted = counts.clone();
    Arrays.sort(sorted);
    // 1 / (sum of k^-0.99 for 10,000) is 9.9 %; the hottest key may share its place.
    assertThat(sorted[9_999]).isGreaterThan(DRAWS * 9 / 100);
    int inFirstTenth = Arrays.stream(counts, 0, 1_000).sum();
    assertThat(inFirstTenth).isLessThan(DRAWS / 2);
  }

  @Test
  void latestPrefersTheYoungestOfAGrowingPopulation() {
    KeyChooser chooser = new KeyChooser.Latest(0.99);
    int[] counts = counts(1_000, draw -> chooser.choose(draw, 1_000));
    assertThat(counts[999]).isGreaterThan(counts[998]).isGreaterThan(DRAWS / 10);
    assertThat(chooser.choose(new Draw(SEED, 1), 1)).isZero();
  }

  @Test
  void anExponentOutOfRangeIsRefused() {
    assertThatThrownBy(() -> new KeyChooser.Zipfian(1)).hasMessageContaining("0.99 is usual");
    assertThatThrownBy(() -> new KeyChooser.Latest(-1)).hasMessageContaining("0.99 is usual");
  }

  @Test
  void sizesKeepTheirSharesAndRanges() {
    ValueSizes sizes =
        new ValueSizes.Mixed(
            List.of(
                new ValueSizes.Range(40, 1, 15, false),
                new ValueSizes.Range(59.9, 16, 1_500, false),
                new ValueSizes.Range(0.1, 1_501, 1_000_000, true)));
    int tiny = 0;
    int small = 0;
    int huge = 0;
    double sumSmall = 0;
    for (int number = 0; number < DRAWS; number++) {
      int size = sizes.size(new Draw(SEED, number));
      assertThat(size).isBetween(1, 1_000_000);
      if (size <= 15) {
        tiny++;
      } else if (size <= 1_500) {
        small++;
        sumSmall += size;
      } else {
        huge++;
      }
    }
    assertThat(tiny).isBetween(79_000, 81_000);
    assertThat(small).isBetween(118_800, 120_800);
    assertThat(huge).isBetween(130, 270);
    assertThat(sumSmall / small).isBetween(750.0, 766.0);
  }

  @Test
  void logarithmicSizesFavourNoDoubling() {
    ValueSizes.Range range = new ValueSizes.Range(1, 16, 1_023, true);
    int[] perDoubling = new int[6];
    for (int number = 0; number < 60_000; number++) {
      int size = range.size(new Draw(SEED, number));
      perDoubling[31 - Integer.numberOfLeadingZeros(size) - 4]++;
    }
    for (int count : perDoubling) {
      assertThat(count).isBetween(9_500, 10_500);
    }
  }

  @Test
  void valuesCompressAsAskedFor() {
    for (double share : new double[] {1, 0.5, 0.25}) {
      Values values = new Values(SEED, share);
      int bytes = 1 << 20;
      byte[] all = new byte[bytes];
      for (int i = 0; i < bytes; i += 1_024) {
        System.arraycopy(values.value(i, i, 1_024), 0, all, i, 1_024);
      }
      Deflater deflater = new Deflater();
      deflater.setInput(all);
      deflater.finish();
      int compressed = deflater.deflate(new byte[bytes * 2]);
      deflater.end();
      assertThat(compressed / (double) bytes).isBetween(share - 0.02, share + 0.08);
    }
  }

  @Test
  void valuesOfDifferentWritesDiffer() {
    Values values = new Values(SEED, 1);
    for (int bytes : new int[] {8, 19, 20, 64}) {
      Set<List<Byte>> seen = new HashSet<>();
      for (int version = 0; version < 1_000; version++) {
        seen.add(list(values.value(version % 10, version, bytes)));
      }
      assertThat(seen).hasSize(1_000);
      assertThat(values.value(5, 6, bytes)).isEqualTo(values.value(5, 6, bytes)).hasSize(bytes);
    }
    assertThat(values.value(1, 1, 1)).hasSize(1);
    assertThat(values.value(1, 1, 6 << 20)).hasSize(6 << 20);
  }

  private static List<Byte> list(byte[] bytes) {
    Byte[] boxed = new Byte[bytes.length];
    Arrays.setAll(boxed, i -> bytes[i]);
    return List.of(boxed);
  }

  @Test
  void keysTellTheirIndex() {
    for (KeyFormat format :
        List.of(new KeyFormat.Ordered(), new KeyFormat.Scattered(), new KeyFormat.Text("k/"))) {
      for (long index : new long[] {0, 1, 2, 1_000_003, Long.MAX_VALUE}) {
        assertThat(format.index(format.key(index))).as("%s %d", format, index).isEqualTo(index);
      }
      assertThat(format.index(new byte[3])).isEqualTo(-1);
    }
    assertThat(new KeyFormat.Ordered().key(258)).containsExactly(0, 0, 0, 0, 0, 0, 1, 2);
    assertThat(new KeyFormat.Text("k/").index("k/+23456789abcdef0".getBytes(UTF_8))).isEqualTo(-1);
  }

  @Test
  void scatteredKeysFillTheWholeSpaceFromTheStart() {
    Set<Integer> firstBytes = new HashSet<>();
    LongFunction<byte[]> key = new KeyFormat.Scattered()::key;
    for (int index = 0; index < 5_000; index++) {
      firstBytes.add((int) key.apply(index)[0]);
    }
    assertThat(firstBytes).hasSize(256);
  }
}
