package io.silkkv.node.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultHandlerTest {
  @Test
  void theFirstFaultEndsTheProcessAndIsKept() {
    List<Integer> codes = new ArrayList<>();
    FaultHandler faults = new FaultHandler(codes::add);
    assertThat(faults.fault()).isNull();
    faults.fatal("log write failed", new IOException("EIO"));
    faults.fatal("apply failed", new IOException("later"));
    assertThat(codes).containsExactly(70);
    assertThat(faults.fault()).contains("log write failed").contains("EIO");
  }
}
