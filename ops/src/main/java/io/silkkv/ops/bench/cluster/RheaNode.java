package io.silkkv.ops.bench.cluster;

import com.alipay.sofa.jraft.rhea.client.DefaultRheaKVStore;
import io.silkkv.ops.base.Console;
import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** One server of RheaKV, in a process of its own; its end is the end of the process. */
public final class RheaNode {
  private RheaNode() {}

  /**
   * Serves until the process is told to end. Prints a line that starts with {@code ready} when the
   * server listens.
   *
   * @param members host:port of all servers, this one included
   * @param splitAt first keys of all regions but the first
   */
  public static void run(
      Path dir, String address, List<String> members, List<String> splitAt, Console console)
      throws InterruptedException {
    DefaultRheaKVStore store = new DefaultRheaKVStore();
    if (!store.init(RheaOptions.server(dir, address, members, splitAt))) {
      throw new OpsException(
          ExitCode.FAULT,
          "RheaKV did not start in " + dir + " at " + address + "; why is in its log, above");
    }
    Runtime.getRuntime().addShutdownHook(new Thread(store::shutdown, "stop-rheakv"));
    console.out().println("ready " + address);
    console.out().flush();
    new CountDownLatch(1).await();
  }
}
