package io.silkkv.engine.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.api.LogPosition;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.testkit.Seeded;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class VersionEditTest {
  private static final VersionEdit EDIT =
      new VersionEdit(
          9,
          new VersionEdit.Flushed(new LogPosition(2, 77, 1000), Slice.utf8("table")),
          List.of(
              new VersionEdit.Added(
                  0,
                  new TableMetadata(
                      8,
                      4096,
                      10,
                      3,
                      991,
                      1000,
                      Slice.utf8("a"),
                      Slice.utf8("zz"),
                      77,
                      5000,
                      TableMetadata.Ranges.NONE))),
          List.of(new VersionEdit.Removed(1, 5)));

  @RegisterExtension final Seeded seeded = new Seeded();

  @Test
  void formatOnDiskDoesNotChange() {
    assertThat(HexFormat.of().formatHex(EDIT.encode()))
        .isEqualTo(
            "01"
                + "0000000000000009"
                + "02"
                + "0000000000000002"
                + "000000000000004d"
                + "00000000000003e8"
                + "00000005"
                + "7461626c65"
                + "05"
                + "00"
                + "0000000000000008"
                + "0000000000001000"
                + "000000000000000a"
                + "0000000000000003"
                + "00000000000003df"
                + "00000000000003e8"
                + "00000001"
                + "61"
                + "00000002"
                + "7a7a"
                + "02"
                + "01"
                + "000000000000004d"
                + "02"
                + "0000000000001388"
                + "04"
                + "01"
                + "0000000000000005");
  }

  @Test
  void editComesBackAsItWas() {
    assertThat(VersionEdit.decode(EDIT.encode())).isEqualTo(EDIT);
    VersionEdit nothing = new VersionEdit(0, null, List.of(), List.of());
    assertThat(VersionEdit.decode(nothing.encode())).isEqualTo(nothing);
    VersionEdit before =
        VersionEdit.flush(new VersionEdit.Flushed(LogPosition.NONE, Slice.EMPTY), null);
    assertThat(VersionEdit.decode(before.encode())).isEqualTo(before);
  }

  @Test
  void tableOfFormatOneHasNoAgeAndUnknownAttributesAreSkipped() {
    String old =
        "0300"
            + "0000000000000008"
            + "0000000000001000"
            + "000000000000000a"
            + "0000000000000003"
            + "00000000000003df"
            + "00000000000003e8"
            + "0000000161"
            + "000000027a7a";
    TableMetadata table =
        new TableMetadata(
            8,
            4096,
            10,
            3,
            991,
            1000,
            Slice.utf8("a"),
            Slice.utf8("zz"),
            0,
            0,
            TableMetadata.Ranges.NONE);
    VersionEdit expected = VersionEdit.replace(List.of(), List.of(new VersionEdit.Added(0, table)));
    assertThat(VersionEdit.decode(HexFormat.of().parseHex(old))).isEqualTo(expected);
    String later = "05" + old.substring(2) + "01" + "7f" + "0000000000000001";
    assertThat(VersionEdit.decode(HexFormat.of().parseHex(later))).isEqualTo(expected);
  }

  @Test
  void everyCutWithinAFieldIsRefused() {
    byte[] whole = EDIT.encode();
    int decoded = 0;
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(whole, length);
      try {
        VersionEdit.decode(cut);
        decoded++;
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageMatching("the edit ends within a field|.*leaves the edit");
      }
    }
    assertThat(decoded).as("cuts between the four fields").isEqualTo(4);
  }

  @Test
  void garbageIsRefusedAndNeverCostsMemory() {
    assertThatThrownBy(() -> VersionEdit.decode(new byte[] {99}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("unknown field 99");
    assertThatThrownBy(() -> VersionEdit.decode(new byte[] {4, 7, 0, 0, 0, 0, 0, 0, 0, 1}))
        .hasMessageContaining("no level 7");
    for (int i = 0; i < 5000; i++) {
      byte[] bytes = EDIT.encode();
      for (int flips = 0; flips < 3; flips++) {
        bytes[seeded.random().nextInt(bytes.length)] = (byte) seeded.random().nextInt();
      }
      try {
        VersionEdit.decode(bytes);
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageNotContaining("null");
      }
    }
  }
}
