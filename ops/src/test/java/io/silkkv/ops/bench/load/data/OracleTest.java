package io.silkkv.ops.bench.load.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class OracleTest {
  private static final int BYTES = 100;
  private final Values values = new Values(1, 1);
  private final KeyFormat keys = new KeyFormat.Scattered();
  private final Oracle oracle = new Oracle(keys, values, 1);
  private long number;

  private Oracle.Write put(long key) {
    return put(key, BYTES);
  }

  private Oracle.Write put(long key, int bytes) {
    Oracle.Write write = oracle.beginPut(key, number++, bytes);
    write.acknowledged();
    return write;
  }

  private void read(long key, byte[] value) {
    oracle.beginRead(key).answered(value);
  }

  private void assertMismatches(int count, String... words) {
    OracleFigures figures = oracle.figures();
    assertThat(figures.mismatches()).as("%s", figures.firstMismatches()).isEqualTo(count);
    if (words.length > 0) {
      assertThat(figures.firstMismatches().get(0)).contains(words);
    }
  }

  @Test
  void whatWasWrittenLastIsRight() {
    read(7, null);
    put(7);
    read(7, put(7).value());
    oracle.beginDelete(7).acknowledged();
    read(7, null);
    assertMismatches(0);
    assertThat(oracle.figures().sampledReads()).isEqualTo(3);
  }

  @Test
  void aLostWriteIsFound() {
    put(7);
    read(7, null);
    assertMismatches(1, "key 7", "read nothing", "write 1 of 100 bytes");
  }

  @Test
  void aLostWriteOfAKeyOutsideOfTheSampleIsFoundWhenAllKeysMustBeThere() {
    Oracle coarse = new Oracle(keys, values, Integer.MAX_VALUE);
    coarse.alwaysPresent(10);
    coarse.beginRead(9).answered(null);
    coarse.beginRead(10).answered(null);
    assertThat(coarse.figures().mismatches()).isEqualTo(1);
    coarse.beginDelete(3);
    coarse.beginRead(3).answered(null);
    assertThat(coarse.figures().mismatches()).isEqualTo(1);
  }

  @Test
  void aStaleReadIsFound() {
    byte[] old = put(7).value();
    put(7);
    read(7, old);
    assertMismatches(1, "key 7", "possible were write 3");
  }

  @Test
  void aShortStaleReadIsFound() {
    byte[] old = put(7, 8).value();
    put(7, 8);
    read(7, old);
    assertMismatches(1);
  }

  @Test
  void aReadThatIsOlderThanAnEarlierReadIsFound() {
    byte[] old = put(7).value();
    Oracle.Write unknown = oracle.beginPut(7, number++, BYTES);
    read(7, old);
    read(7, unknown.value());
    assertMismatches(0);
    read(7, old);
    assertMismatches(1);
  }

  @Test
  void adeletedKeyThatIsReadIsFound() {
    byte[] old = put(7).value();
    oracle.beginDelete(7).acknowledged();
    read(7, old);
    assertMismatches(1);
  }

  @Test
  void aForeignValueIsFound() {
    byte[] foreign = put(8).value();
    put(7);
    read(7, foreign);
    assertMismatches(1, "damaged or belongs to another key");
  }

  @Test
  void aForeignValueIsFoundOutsideOfTheSample() {
    Oracle coarse = new Oracle(keys, values, Integer.MAX_VALUE);
    byte[] foreign = coarse.beginPut(8, 0, BYTES).value();
    coarse.beginRead(7).answered(foreign);
    assertThat(coarse.figures().mismatches()).isEqualTo(1);
    assertThat(coarse.figures().sampledReads()).isZero();
  }

  @Test
  void aFlippedBitIsFound() {
    for (int at = 0; at < BYTES; at++) {
      byte[] value = put(at).value().clone();
      value[at] ^= 16;
      read(at, value);
    }
    assertMismatches(BYTES);
  }

  @Test
  void aWriteOfUnknownOutcomeMayShowOrNotNowOrLater() {
    byte[] first = put(7).value();
    byte[] unknown = oracle.beginPut(7, number++, BYTES).value();
    read(7, first);
    byte[] third = put(7).value();
    read(7, third);
    read(7, unknown);
    assertMismatches(0);
    read(7, first);
    assertMismatches(1);
  }

  @Test
  void ofTwoWritesAtTheSameTimeEitherMayBeTheLast() {
    Oracle.Write one = oracle.beginPut(7, number++, BYTES);
    Oracle.Write two = oracle.beginPut(7, number++, BYTES);
    two.acknowledged();
    one.acknowledged();
    read(7, one.value());
    read(7, one.value());
    assertMismatches(0);
  }

  @Test
  void aReadMayReturnWhatWasOverwrittenWhileItRan() {
    byte[] old = put(7).value();
    Oracle.Read read = oracle.beginRead(7);
    put(7);
    put(7);
    read.answered(old);
    assertMismatches(0);
    read(7, old);
    assertMismatches(1);
  }

  @Test
  void tooManyOpenWritesEndTheCheckingOfTheirKeyOnly() {
    for (int i = 0; i < 100; i++) {
      oracle.beginPut(7, number++, BYTES);
    }
    put(8);
    read(7, put(7).value());
    read(7, null);
    assertThat(oracle.figures().givenUp()).isEqualTo(1);
    assertMismatches(0);
    read(8, null);
    assertMismatches(1);
  }

  @Test
  void theSampleIsAboutAsLargeAsAskedFor() {
    Oracle some = new Oracle(keys, values, 16);
    for (int key = 0; key < 16_000; key++) {
      some.beginPut(key, key, BYTES).acknowledged();
      some.beginRead(key).answered(some.beginPut(key, key, BYTES).value());
    }
    assertThat(some.figures().mismatches()).isZero();
    assertThat(some.figures().readsChecked()).isEqualTo(16_000);
    assertThat(some.figures().sampledReads()).isBetween(850L, 1_150L);
  }

  @Test
  void aScanMustBeInOrderAndOfWholeEntries() {
    KeyFormat ordered = new KeyFormat.Ordered();
    Oracle plain = new Oracle(ordered, values, 1);
    List<byte[]> all = new ArrayList<>();
    for (int key = 0; key < 4; key++) {
      all.add(plain.beginPut(key, key, BYTES).value());
    }
    ScanCheck good = plain.beginScan(1);
    good.entry(ordered.key(1), all.get(1));
    good.entry(ordered.key(3), all.get(3));
    good.ended(2, 5);
    assertThat(plain.figures().mismatches()).isZero();

    ScanCheck twice = plain.beginScan(1);
    twice.entry(ordered.key(1), all.get(1));
    twice.entry(ordered.key(1), all.get(1));
    plain.beginScan(1).entry(ordered.key(0), all.get(0));
    plain.beginScan(1).entry(ordered.key(2), all.get(3));
    plain.beginScan(1).entry(new byte[] {1}, all.get(3));
    plain.beginScan(1).ended(2, 5);
    assertThat(plain.figures().mismatches()).isEqualTo(5);
  }

  /**
   * A correct register under many concurrent reads and writes, some of which get no answer, seen
   * only through their starts and ends. The oracle must believe every answer, and must not believe
   * one that was certainly overwritten.
   */
  @Test
  void aCorrectSystemIsNeverBlamedWhateverTheOrder() {
    for (int seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Oracle checked = new Oracle(keys, values, 1);
      Map<Integer, byte[]> store = new HashMap<>();
      List<Runnable> steps = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        int key = random.nextInt(2);
        int bytes = random.nextInt(1, 40);
        int kind = random.nextInt(3);
        // Each operation is three steps: it starts, takes effect, and ends; the steps of several
        // operations interleave at random.
        if (kind == 0) {
          Oracle.Read read = checked.beginRead(key);
          steps.add(
              () -> {
                byte[] value = store.get(key);
                steps.add(() -> read.answered(value));
              });
        } else {
          Oracle.Write write =
              kind == 1 ? checked.beginPut(key, i, bytes) : checked.beginDelete(key);
          boolean answers = random.nextInt(10) > 0;
          steps.add(
              () -> {
                if (kind == 1) {
                  store.put(key, write.value());
                } else {
                  store.remove(key);
                }
                if (answers) {
                  steps.add(write::acknowledged);
                }
              });
        }
        while (steps.size() > random.nextInt(8)) {
          steps.remove(random.nextInt(steps.size())).run();
        }
      }
      assertThat(checked.figures().mismatches())
          .as("seed %d: %s", seed, checked.figures().firstMismatches())
          .isZero();
      assertThat(checked.figures().sampledReads()).as("seed %d", seed).isGreaterThan(50);
    }
  }
}
