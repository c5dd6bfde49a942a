package io.silkkv.ops.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {
  @Test
  void columnsAreAsWideAsTheirWidestCell() {
    Table table = new Table("A", "LONG", "C");
    table.row("wide cell", 1, "");
    assertThat(table).hasToString("A          LONG  C\nwide cell  1\n");
  }

  @Test
  void bytesAreShownWithTheUnitThatFits() {
    assertThat(StatusCommand.bytes(0)).isEqualTo("0B");
    assertThat(StatusCommand.bytes(1_536)).isEqualTo("1.5KiB");
    assertThat(StatusCommand.bytes(64L << 20)).isEqualTo("64MiB");
    assertThat(StatusCommand.bytes(3L << 40)).isEqualTo("3.0TiB");
  }
}
