package io.silkkv.engine.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.silkkv.engine.io.FileSystem;
import io.silkkv.engine.io.IoClass;
import io.silkkv.engine.io.ReadableFile;
import io.silkkv.engine.io.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Counts the operations on a file system and lets chosen ones fail, or ends it at a chosen one, as
 * a crash of the machine would. A failed operation has no effect on the target. Thread-safe.
 *
 * <p>A crash test runs its work once to learn {@link #mutations()}, then again with {@link
 * #crashAtMutation} for each of them, and continues on {@code MemFileSystem.crashClone} of the
 * target.
 */
public final class FaultInjectingFileSystem implements FileSystem {
  /** Kinds of operations. */
  public enum Operation {
    CREATE(true),
    OPEN(false),
    READ(false),
    WRITE(true),
    SYNC(true),
    RENAME(true),
    LINK(true),
    DELETE(true),
    CREATE_DIRECTORIES(true),
    LIST(false),
    EXISTS(false),
    SIZE(false),
    SYNC_DIRECTORY(true);

    private final boolean mutates;

    Operation(boolean mutates) {
      this.mutates = mutates;
    }

    /** Whether the operation changes what is on disk or what is durable. */
    public boolean mutates() {
      return mutates;
    }
  }

  /**
   * One operation that is about to happen.
   *
   * @param operation its kind
   * @param path the file or directory; of a rename or link, the new name
   * @param number how many of its kind there were, this one included
   */
  public record Call(Operation operation, Path path, long number) {}

  /** The failure of an operation that was told to fail. */
  public static final class InjectedFault extends IOException {
    private static final long serialVersionUID = 1L;

    InjectedFault(Call call) {
      super("injected fault: " + call.operation() + " " + call.number() + " on " + call.path());
    }
  }

  /** The failure of every operation from the crash on. */
  public static final class SimulatedCrash extends IOException {
    private static final long serialVersionUID = 1L;

    SimulatedCrash(Operation operation, Path path) {
      super("simulated crash before " + operation + " on " + path);
    }
  }

  private final FileSystem target;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Map<Operation, Long> counts = new EnumMap<>(Operation.class);

  @GuardedBy("lock")
  private final List<Predicate<Call>> faults = new ArrayList<>();

  @GuardedBy("lock")
  private long mutations;

  @GuardedBy("lock")
  private long crashAt = Long.MAX_VALUE;

  @GuardedBy("lock")
  private boolean crashed;

  public FaultInjectingFileSystem(FileSystem target) {
    this.target = target;
  }

  /** Lets the n-th operation of a kind from now on fail, once; 1 is the next one. */
  public void failAt(Operation operation, long n) {
    synchronized (lock) {
      long number = counts.getOrDefault(operation, 0L) + n;
      faults.add(call -> call.operation() == operation && call.number() == number);
    }
  }

  /** Lets every operation fail that fits, until {@link #heal}. */
  public void failWhen(Predicate<Call> fault) {
    synchronized (lock) {
      faults.add(fault);
    }
  }

  /** Takes all faults back, but not a crash. */
  public void heal() {
    synchronized (lock) {
      faults.clear();
    }
  }

  /**
   * Crashes at the n-th mutating operation from now on; 1 is the next one. That operation has no
   * effect, except that a write leaves half of its bytes behind; it and all that follow throw
   * {@link SimulatedCrash}. Closing files still works.
   */
  public void crashAtMutation(long n) {
    synchronized (lock) {
      crashAt = mutations + n;
    }
  }

  public boolean crashed() {
    synchronized (lock) {
      return crashed;
    }
  }

  /** Operations of a kind so far, failed ones included. */
  public long count(Operation operation) {
    synchronized (lock) {
      return counts.getOrDefault(operation, 0L);
    }
  }

  /** Mutating operations so far, failed ones included. */
  public long mutations() {
    synchronized (lock) {
      return mutations;
    }
  }

  private void before(Operation operation, Path path) throws IOException {
    synchronized (lock) {
      Call call = new Call(operation, path, counts.merge(operation, 1L, Long::sum));
      if (operation.mutates()) {
        mutations++;
        crashed |= mutations >= crashAt;
      }
      if (crashed) {
        throw new SimulatedCrash(operation, path);
      }
      for (Predicate<Call> fault : faults) {
        if (fault.test(call)) {
          throw new InjectedFault(call);
        }
      }
    }
  }

  @Override
  public WritableFile create(Path file, IoClass why) throws IOException {
    before(Operation.CREATE, file);
    return new FaultyWritableFile(file, target.create(file, why));
  }

  @Override
  public WritableFile createUncached(Path file, IoClass why) throws IOException {
    before(Operation.CREATE, file);
    return new FaultyWritableFile(file, target.createUncached(file, why));
  }

  @Override
  public ReadableFile open(Path file) throws IOException {
    before(Operation.OPEN, file);
    return new FaultyReadableFile(file, target.open(file));
  }

  @Override
  public ReadableFile openUncached(Path file) throws IOException {
    before(Operation.OPEN, file);
    return new FaultyReadableFile(file, target.openUncached(file));
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    before(Operation.RENAME, to);
    target.rename(from, to);
  }

  @Override
  public void link(Path existing, Path link) throws IOException {
    before(Operation.LINK, link);
    target.link(existing, link);
  }

  @Override
  public void delete(Path path) throws IOException {
    before(Operation.DELETE, path);
    target.delete(path);
  }

  @Override
  public void createDirectories(Path directory) throws IOException {
    before(Operation.CREATE_DIRECTORIES, directory);
    target.createDirectories(directory);
  }

  @Override
  public List<String> list(Path directory) throws IOException {
    before(Operation.LIST, directory);
    return target.list(directory);
  }

  @Override
  public boolean exists(Path path) throws IOException {
    before(Operation.EXISTS, path);
    return target.exists(path);
  }

  @Override
  public long size(Path file) throws IOException {
    before(Operation.SIZE, file);
    return target.size(file);
  }

  @Override
  public void syncDirectory(Path directory) throws IOException {
    before(Operation.SYNC_DIRECTORY, directory);
    target.syncDirectory(directory);
  }

  private final class FaultyReadableFile implements ReadableFile {
    private final Path path;
    private final ReadableFile file;

    FaultyReadableFile(Path path, ReadableFile file) {
      this.path = path;
      this.file = file;
    }

    @Override
    public void read(long offset, ByteBuffer buffer, IoClass why) throws IOException {
      before(Operation.READ, path);
      file.read(offset, buffer, why);
    }

    @Override
    public long size() {
      return file.size();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  private final class FaultyWritableFile implements WritableFile {
    private final Path path;
    private final WritableFile file;

    FaultyWritableFile(Path path, WritableFile file) {
      this.path = path;
      this.file = file;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      boolean wasCrashed = crashed();
      try {
        before(Operation.WRITE, path);
      } catch (SimulatedCrash crash) {
        if (!wasCrashed) {
          file.write(bytes.duplicate().limit(bytes.position() + bytes.remaining() / 2));
        }
        throw crash;
      }
      file.write(bytes);
    }

    @Override
    public long size() {
      return file.size();
    }

    @Override
    public void sync() throws IOException {
      before(Operation.SYNC, path);
      file.sync();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
