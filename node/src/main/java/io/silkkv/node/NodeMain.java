package io.silkkv.node;

import io.silkkv.node.config.ConfigException;
import io.silkkv.node.config.NodeConfig;
import io.silkkv.node.config.NodeConfigLoader;
import io.silkkv.node.fault.FaultHandler;
import io.silkkv.router.SuppressForbidden;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * The process: {@code --config FILE [--set key=value]...}. Prints one line on standard output when
 * the node is ready; logs to standard error. Exit codes: 0 clean stop, 2 bad configuration or a
 * data directory that is not this node's, 70 fail-stop, 75 an address or the data directory is in
 * use.
 */
public final class NodeMain {
  private static final Logger LOG = LoggerFactory.getLogger(NodeMain.class);
  private static final String USAGE = "usage: --config FILE [--set key=value]...";

  private NodeMain() {}

  private record Arguments(Path config, List<String> overrides) {}

  /** Runs until the process is told to stop. */
  @SuppressForbidden(reason = "the border of the process: arguments, output and exit codes")
  public static void main(String[] args) {
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
    try {
      Arguments arguments = parse(args);
      NodeConfig config =
          NodeConfigLoader.load(arguments.config(), System.getenv(), arguments.overrides());
      FaultHandler faults = new FaultHandler(Runtime.getRuntime()::halt);
      KvNode node = KvNode.start(config, faults, System::nanoTime);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(node), "silkkv-stop"));
      var unused = node.ready().thenRun(() -> System.out.println(readyLine(config)));
    } catch (ConfigException e) {
      fail(StartException.BAD_INPUT, e.getMessage());
    } catch (StartException e) {
      LOG.debug("start failed", e);
      fail(e.exitCode(), e.getMessage());
    }
  }

  private static Arguments parse(String[] args) {
    @Nullable Path config = null;
    List<String> overrides = new ArrayList<>();
    for (int i = 0; i < args.length; i += 2) {
      if (i + 1 == args.length) {
        fail(StartException.BAD_INPUT, "a value is missing after " + args[i] + "; " + USAGE);
      } else if (args[i].equals("--config")) {
        config = Path.of(args[i + 1]);
      } else if (args[i].equals("--set")) {
        overrides.add(args[i + 1]);
      } else {
        fail(StartException.BAD_INPUT, "unknown option " + args[i] + "; " + USAGE);
      }
    }
    if (config == null) {
      fail(StartException.BAD_INPUT, "no configuration file; " + USAGE);
      throw new IllegalStateException("the process has ended");
    }
    return new Arguments(config, overrides);
  }

  private static String readyLine(NodeConfig config) {
    NodeConfig.Member self = config.self();
    return "ready node="
        + self.id()
        + " address="
        + self.address()
        + " raft="
        + self.raft()
        + " http="
        + self.http();
  }

  /** Runs in the shutdown hook; the exit code of a clean stop is 0 and not the signal's. */
  private static void stop(KvNode node) {
    node.close();
    Runtime.getRuntime().halt(0);
  }

  @SuppressForbidden(reason = "a start that failed has no logger's reader yet")
  private static void fail(int exitCode, @Nullable String message) {
    System.err.println("silkkv node: " + message);
    System.err.flush();
    Runtime.getRuntime().halt(exitCode);
  }
}
