package io.silkkv.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.api.SilkOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

class IoPolicyTest {
  @Test
  void everyPolicyIsReadBackFromItsText() {
    List<IoPolicy> policies =
        List.of(
            IoPolicy.none(),
            new IoPolicy.Fixed(90_000_000),
            new IoPolicy.AutoTuned(200_000_000),
            IoPolicy.silk(200_000_000),
            new IoPolicy.Silk(
                new SilkOptions(100_000_000, 7, 0, 3, 5, 0.25, SilkOptions.Parts.PRIORITIES_ONLY)));
    for (IoPolicy policy : policies) {
      assertThat(IoPolicy.parse(policy.toString())).isEqualTo(policy);
    }
  }

  @Test
  void ratesMayHaveUnits() {
    assertThat(IoPolicy.parse("fixed:90MB/s")).isEqualTo(new IoPolicy.Fixed(90_000_000));
    assertThat(IoPolicy.parse("fixed:64MiB")).isEqualTo(new IoPolicy.Fixed(64 << 20));
    assertThat(IoPolicy.parse(" auto-tuned:2GB ")).isEqualTo(new IoPolicy.AutoTuned(2_000_000_000));
  }

  @Test
  void silkTakesTheDefaultsOfItsVolume() {
    assertThat(IoPolicy.parse("silk:budget=200MB/s")).isEqualTo(IoPolicy.silk(200_000_000));
    assertThat(IoPolicy.parse("silk:budget=200MB/s, parts=bandwidth-only, floor=20MB/s"))
        .isEqualTo(
            new IoPolicy.Silk(
                SilkOptions.forDevice(200_000_000).withParts(SilkOptions.Parts.BANDWIDTH_ONLY)));
    SilkOptions slow = SilkOptions.forDevice(20_000_000);
    assertThat(slow.thresholdBytesPerSecond()).isEqualTo(1_000_000);
    assertThat(slow.floorBytesPerSecond()).isEqualTo(2_000_000);
  }

  @Test
  void whatIsWrongIsNamed() {
    refused("", "unknown I/O policy");
    refused("slik:budget=1GB", "unknown I/O policy 'slik'");
    refused("none:1MB", "takes no options");
    refused("fixed", "is not a rate");
    refused("fixed:fast", "'fast' is not a rate");
    refused("fixed:1", "at least 1048576");
    refused("fixed:99999999999999GB", "too large");
    refused("silk", "needs the bandwidth of the volume");
    refused("silk:200MB/s", "no option '200MB/s'");
    refused("silk:budget=200MB,budget=100MB", "stands twice");
    refused("silk:budget=200MB,floor=300MB,period-millis=0", "floor must be 1 to 200000000");
    refused("silk:budget=200MB,period-millis=99999999999", "period-millis must be");
    refused("silk:budget=200MB,replication-weight=NaN", "replication-weight must be 0 to 10");
    refused("silk:budget=200MB,replication-weight=x", "'x' is not a number");
    refused("silk:budget=200MB,parts=some", "parts 'some'");
  }

  private static void refused(String text, String why) {
    assertThatThrownBy(() -> IoPolicy.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }
}
