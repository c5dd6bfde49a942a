package io.silkkv.raftsm.command;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.engine.api.WriteBatch.Mutation;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The bytes of one Raft log entry.
 *
 * <pre>
 * entry     = version:u8 (1)  leader-millis:varint  count:varint  command*  crc32c:u32
 * command   = flags:u8 (bit 0: session)  [session]  count:varint  condition*  count:varint  mutation*
 * session   = client-id:16 bytes  sequence:varint  acknowledged-below:varint
 * condition = 1:u8 key            (absent)
 *           | 2:u8 key            (present)
 *           | 3:u8 key version:varint (version equals)
 *           | 4:u8 key value      (value equals)
 * mutation  = 1:u8 key value      (put)
 *           | 2:u8 key            (delete)
 *           | 3:u8 key key        (delete all keys from the first to before the second)
 * key, value = length:varint bytes
 * </pre>
 *
 * <p>A varint holds 7 bits per byte, lowest first, in as few bytes as possible. u32 has its highest
 * byte first. The checksum covers all bytes before it: Raft checks what it reads from disk, this
 * one also covers the way between two nodes, where a flipped bit would make replicas differ for
 * ever. A command is encoded when it is proposed; closing an entry only joins such pieces.
 */
public final class EntryCodec {
  static final int VERSION = 1;

  /** An entry is at most this much longer than its commands. */
  public static final int ENTRY_OVERHEAD_BYTES = 1 + 10 + 10 + 4;

  private static final String WHAT = "log entry";
  private static final int SMALLEST_ENTRY_BYTES = 1 + 1 + 1 + 4;
  private static final int FLAG_SESSION = 1;
  private static final int SMALLEST_COMMAND_BYTES = 3;
  private static final int SMALLEST_ITEM_BYTES = 2;

  private EntryCodec() {}

  /** The bytes of one command, to be joined by {@link #entry}. */
  public static byte[] encode(Command command) {
    ByteWriter out = new ByteWriter(expectedBytes(command));
    SessionStamp session = command.session();
    out.u8(session == null ? 0 : FLAG_SESSION);
    if (session != null) {
      out.u64(session.clientId().getMostSignificantBits());
      out.u64(session.clientId().getLeastSignificantBits());
      out.varint(session.sequence()).varint(session.acknowledgedBelow());
    }
    out.varint(command.conditions().size());
    for (Condition condition : command.conditions()) {
      encode(condition, out);
    }
    out.varint(command.mutations().count());
    for (Mutation mutation : command.mutations().mutations()) {
      if (mutation instanceof WriteBatch.Put put) {
        out.u8(1).bytes(put.key()).bytes(put.value());
      } else if (mutation instanceof WriteBatch.DeleteRange range) {
        out.u8(3).bytes(range.start()).bytes(range.end());
      } else {
        out.u8(2).bytes(mutation.key());
      }
    }
    return out.finish();
  }

  /** Joins encoded commands to an entry. */
  public static byte[] entry(long leaderMillis, List<byte[]> commands) {
    int size = ENTRY_OVERHEAD_BYTES;
    for (byte[] command : commands) {
      size = Math.addExact(size, command.length);
    }
    ByteWriter out = new ByteWriter(size).u8(VERSION).varint(leaderMillis).varint(commands.size());
    for (byte[] command : commands) {
      out.raw(command, 0, command.length);
    }
    return out.u32(checksum(out.buffer(), out.size())).finish();
  }

  /**
   * Reads an entry. Slices of the result are views of the array.
   *
   * @throws EntryFormatException when the bytes are damaged or of a newer format
   */
  public static LogEntry decode(byte[] bytes) {
    if (bytes.length < SMALLEST_ENTRY_BYTES) {
      throw EntryFormatException.corrupt(WHAT, 0, bytes.length + " bytes are too few");
    }
    ByteReader in = new ByteReader(WHAT, bytes, bytes.length - 4);
    // The version decides how everything else is laid out, the checksum included.
    in.version(VERSION);
    ByteReader tail = new ByteReader(WHAT, bytes, bytes.length);
    tail.skip(bytes.length - 4);
    if (tail.u32() != checksum(bytes, bytes.length - 4)) {
      throw EntryFormatException.corrupt(WHAT, bytes.length - 4, "the checksum does not match");
    }
    long leaderMillis = in.varint();
    int count = in.count(SMALLEST_COMMAND_BYTES);
    List<Command> commands = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      commands.add(decodeCommand(in));
    }
    in.end();
    return new LogEntry(leaderMillis, commands);
  }

  private static void encode(Condition condition, ByteWriter out) {
    if (condition instanceof Condition.Absent absent) {
      out.u8(1).bytes(absent.key());
    } else if (condition instanceof Condition.Present present) {
      out.u8(2).bytes(present.key());
    } else if (condition instanceof Condition.VersionEquals equals) {
      out.u8(3).bytes(equals.key()).varint(equals.version());
    } else if (condition instanceof Condition.ValueEquals equals) {
      out.u8(4).bytes(equals.key()).bytes(equals.value());
    }
  }

  private static Command decodeCommand(ByteReader in) {
    int flags = in.u8();
    if ((flags & ~FLAG_SESSION) != 0) {
      throw in.corrupt("unknown command flags " + flags);
    }
    SessionStamp session = (flags & FLAG_SESSION) == 0 ? null : decodeSession(in);
    int conditionCount = in.count(SMALLEST_ITEM_BYTES);
    List<Condition> conditions = new ArrayList<>(conditionCount);
    for (int i = 0; i < conditionCount; i++) {
      conditions.add(decodeCondition(in));
    }
    int mutationCount = in.count(SMALLEST_ITEM_BYTES);
    WriteBatch mutations = new WriteBatch();
    for (int i = 0; i < mutationCount; i++) {
      int kind = in.u8();
      switch (kind) {
        case 1 -> mutations.put(in.bytes(), in.bytes());
        case 2 -> mutations.delete(in.bytes());
        case 3 -> mutations.add(decodeRange(in));
        default -> throw in.corrupt("unknown kind of mutation " + kind);
      }
    }
    return new Command(session, conditions, mutations);
  }

  private static WriteBatch.DeleteRange decodeRange(ByteReader in) {
    Slice start = in.bytes();
    Slice end = in.bytes();
    if (start.compareTo(end) >= 0) {
      throw in.corrupt("a range ends at " + end + ", before its start " + start);
    }
    return new WriteBatch.DeleteRange(start, end);
  }

  private static SessionStamp decodeSession(ByteReader in) {
    UUID clientId = new UUID(in.u64(), in.u64());
    return new SessionStamp(clientId, in.varint(), in.varint());
  }

  private static Condition decodeCondition(ByteReader in) {
    int kind = in.u8();
    Slice key = in.bytes();
    return switch (kind) {
      case 1 -> new Condition.Absent(key);
      case 2 -> new Condition.Present(key);
      case 3 -> new Condition.VersionEquals(key, in.varint());
      case 4 -> new Condition.ValueEquals(key, in.bytes());
      default -> throw in.corrupt("unknown kind of condition " + kind);
    };
  }

  private static int expectedBytes(Command command) {
    long bytes = command.session() == null ? 11 : 47;
    for (Condition condition : command.conditions()) {
      bytes += 12L + condition.key().length();
      if (condition instanceof Condition.ValueEquals equals) {
        bytes += equals.value().length();
      }
    }
    bytes += command.mutations().sizeBytes() + 7L * command.mutations().count();
    return (int) Math.min(bytes, Integer.MAX_VALUE - 8);
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
