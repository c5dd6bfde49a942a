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
}
