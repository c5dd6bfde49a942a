package io.silkkv.ops.bench.cluster;

import io.silkkv.ops.base.ExitCode;
import io.silkkv.ops.base.OpsException;
import io.silkkv.ops.local.Launcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** RheaKV as {@link RheaOptions} sets it up; its servers are {@link RheaNode}s. */
final class RheaSystem implements ClusterSystem {
  private static final long POLL_MILLIS = 50;
  private static final int PORTS_PER_MEMBER = 10;

  private final Path root;
  private final int basePort;
  private final List<String> splitAt;
  private final LongSupplier nanoClock;
  private final List<MemberProcess> members = new ArrayList<>();

  /**
   * @param splitAt first keys of all regions but the first
   */
  RheaSystem(
      Path root, int basePort, List<String> splitAt, Launcher launcher, LongSupplier nanoClock) {
    this.root = root;
    this.basePort = basePort;
    this.splitAt = List.copyOf(splitAt);
    this.nanoClock = nanoClock;
    for (int i = 0; i < MEMBERS; i++) {
      members.add(
          new MemberProcess(
              "RheaKV number " + i, directory(i).resolve("rheakv.log"), launcher::command));
    }
  }

  @Override
  public String name() {
    return "rheakv";
  }

  @Override
  public void start() throws IOException, InterruptedException {
    for (int i = 0; i < MEMBERS; i++) {
      launch(i);
    }
    for (int i = 0; i < MEMBERS; i++) {
      awaitReady(i);
    }
  }

  private void launch(int index) throws IOException {
    // The log tells when this start is ready, not one before.
    Files.deleteIfExists(members.get(index).log());
    List<String> command =
        new ArrayList<>(
            List.of(
                "rheakv-node",
                "--dir=" + directory(index),
                "--address=" + endpoints().get(index),
                "--members=" + String.join(",", endpoints())));
    if (!splitAt.isEmpty()) {
      command.add("--split-at=" + String.join(",", splitAt));
    }
    members.get(index).start(command);
  }

  private void awaitReady(int index) throws IOException, InterruptedException {
    MemberProcess member = members.get(index);
    long deadline = nanoClock.getAsLong() + START_LIMIT.toNanos();
    while (Files.readAllLines(member.log()).stream().noneMatch(l -> l.startsWith("ready "))) {
      if (member.endedWithin(POLL_MILLIS) || nanoClock.getAsLong() > deadline) {
        throw new OpsException(
            ExitCode.UNAVAILABLE, member.name() + " did not start: " + member.lastWords());
      }
    }
  }

  @Override
  public List<String> endpoints() {
    List<String> endpoints = new ArrayList<>();
    for (int i = 0; i < MEMBERS; i++) {
      endpoints.add("127.0.0.1:" + (basePort + PORTS_PER_MEMBER * i));
    }
    return endpoints;
  }

  @Override
  public long pid(int member) {
    return members.get(member).pid();
  }

  @Override
  public void kill(int member) throws InterruptedException {
    members.get(member).kill();
  }

  @Override
  public void restart(int member) throws IOException, InterruptedException {
    launch(member);
    awaitReady(member);
  }

  @Override
  public SortedMap<String, String> facts() {
    SortedMap<String, String> facts = new TreeMap<>();
    facts.put("version", "jraft-rheakv-core 1.3.14");
    facts.put("members", String.valueOf(MEMBERS));
    facts.put("shards", String.valueOf(splitAt.size() + 1));
    return facts;
  }

  private Path directory(int index) {
    return root.resolve("r" + index);
  }

  @Override
  public void close() {
    members.forEach(MemberProcess::destroy);
  }
}
