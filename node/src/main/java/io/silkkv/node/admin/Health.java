package io.silkkv.node.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether the node is alive and ready.
 *
 * @param fault the first fatal fault, null while there is none
 * @param checks what readiness depends on
 */
public record Health(@Nullable String fault, List<Check> checks) {
  /**
   * One condition of readiness.
   *
   * @param name what is checked
   * @param passed whether it holds
   * @param detail for people
   */
  public record Check(String name, boolean passed, String detail) {}

  /** Ready means: no fault and every check passed. */
  public boolean ready() {
    return fault == null && checks.stream().allMatch(Check::passed);
  }
}
