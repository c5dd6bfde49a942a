package io.silkkv.ops.bench.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Three server processes of one system on this machine, and what can happen to them. Members are
 * numbered from 0, in the order of the end points. For one thread, but {@link #close}, which may
 * come from any and ends the processes without asking.
 */
interface ClusterSystem extends AutoCloseable {
  /** Servers of each system. */
  int MEMBERS = 3;

  /** How long the servers of a system may take to start. */
  Duration START_LIMIT = Duration.ofMinutes(2);

  /** The name on the command line. */
  String name();

  /** Starts all members and waits until they serve. */
  void start() throws IOException, InterruptedException;

  /** host:port for clients, of all members. */
  List<String> endpoints();

  /** Process id of the member that runs now. */
  long pid(int member);

  /** Ends a member without asking (SIGKILL). */
  void kill(int member) throws InterruptedException;

  /** Starts a killed member again with its data, and waits until it serves. */
  void restart(int member) throws IOException, InterruptedException;

  /** What the servers run with, for the report. */
  SortedMap<String, String> facts();

  /**
   * Bytes that all members have moved so far between memory, disk and each other, by class of
   * traffic; empty for a system that does not tell. Allowed from any thread.
   */
  default SortedMap<String, Double> ioBytes() throws InterruptedException {
    return new TreeMap<>();
  }

  @Override
  void close() throws IOException;
}
