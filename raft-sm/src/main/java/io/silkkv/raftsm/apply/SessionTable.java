package io.silkkv.raftsm.apply;

import io.silkkv.raftsm.command.ByteReader;
import io.silkkv.raftsm.command.ByteWriter;
import io.silkkv.raftsm.command.CommandResult;
import io.silkkv.raftsm.command.CommandResult.Applied;
import io.silkkv.raftsm.command.CommandResult.ConditionFailed;
import io.silkkv.raftsm.command.CommandResult.SessionExpired;
import io.silkkv.raftsm.command.EntryFormatException;
import io.silkkv.raftsm.command.SessionStamp;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which writes of which clients were applied and with what result. It changes with the log only:
 * its clock is the highest leader time seen in entries, and what is forgotten first is decided by
 * the order of commands.
 *
 * <p>Its bytes, stored with every flush, in checkpoints and in both halves of a split:
 *
 * <pre>
 * table    = version:u8 (1)  log-millis:varint  count:varint  session*      (longest idle first)
 * session  = client-id:16 bytes  idle-millis:varint  floor:varint  count:varint  result*
 * result   = sequence-step:varint  (from floor, then from the sequence before)
 *            ( 1:u8 version:varint                        (applied)
 *            | 2:u8 index:varint found-version:varint )   (condition failed)
 * </pre>
 *
 * <p>Not thread-safe: guarded by the mutex of {@link ReplicaStore}.
 */
public final class SessionTable {
  static final int VERSION = 1;

  private static final SessionExpired EXPIRED = new SessionExpired();
  private static final int SMALLEST_SESSION_BYTES = 19;
  private static final int SMALLEST_RESULT_BYTES = 3;

  private final SessionOptions options;
  private final long idleLimitMillis;
  // Ordered by last access, and begin() and record() come in pairs: the longest idle comes first.
  private final LinkedHashMap<UUID, Session> sessions = new LinkedHashMap<>(16, 0.75f, true);
  private long logMillis;
  private int resultCount;

  /** What is known of one client. */
  private static final class Session {
    private final TreeMap<Long, CommandResult> results = new TreeMap<>();
    private long lastUsedMillis;
    // Outcomes of sequences below are forgotten.
    private long floor;
  }

  public SessionTable(SessionOptions options) {
    this.options = options;
    this.idleLimitMillis = options.idleLimit().toMillis();
  }

  /** Moves the clock of the log, which never runs backwards, and forgets idle sessions. */
  void advance(long leaderMillis) {
    logMillis = Math.max(logMillis, leaderMillis);
    Iterator<Session> eldestFirst = sessions.values().iterator();
    while (eldestFirst.hasNext()) {
      Session session = eldestFirst.next();
      if (logMillis - session.lastUsedMillis < idleLimitMillis) {
        return;
      }
      resultCount -= session.results.size();
      eldestFirst.remove();
    }
  }

  /**
   * Takes note of a command before it is applied.
   *
   * @return what to answer instead of applying it; null when it must be applied now
   */
  @Nullable CommandResult begin(SessionStamp stamp) {
    if (stamp.sequence() < stamp.acknowledgedBelow()) {
      return EXPIRED;
    }
    Session session = sessions.get(stamp.clientId());
    if (session == null) {
      session = new Session();
      sessions.put(stamp.clientId(), session);
    }
    session.lastUsedMillis = logMillis;
    raiseFloor(session, stamp.acknowledgedBelow());
    if (stamp.sequence() < session.floor) {
      return EXPIRED;
    }
    return session.results.get(stamp.sequence());
  }

  /** Remembers the result of a command for which {@link #begin} returned null just before. */
  void record(SessionStamp stamp, CommandResult result) {
    Session session = sessions.get(stamp.clientId());
    if (session == null || session.results.put(stamp.sequence(), result) != null) {
      throw new IllegalStateException("result without begin: " + stamp);
    }
    resultCount++;
    if (session.results.size() > options.maxResultsPerSession()) {
      raiseFloor(session, session.results.firstKey() + 1);
    }
    while (sessions.size() > options.maxSessions() || resultCount > options.maxResults()) {
      Iterator<Session> eldestFirst = sessions.values().iterator();
      resultCount -= eldestFirst.next().results.size();
      eldestFirst.remove();
    }
  }

  /** Number of clients that are remembered. */
  public int size() {
    return sessions.size();
  }

  /** Number of outcomes that are remembered. */
  int resultCount() {
    return resultCount;
  }

  private void raiseFloor(Session session, long floor) {
    if (floor <= session.floor) {
      return;
    }
    session.floor = floor;
    while (!session.results.isEmpty() && session.results.firstKey() < floor) {
      session.results.pollFirstEntry();
      resultCount--;
    }
  }

  /** The table as bytes; equal tables give equal bytes. */
  public byte[] encode() {
    ByteWriter out = new ByteWriter(16 + 32 * sessions.size() + 12 * resultCount);
    out.u8(VERSION).varint(logMillis).varint(sessions.size());
    for (Map.Entry<UUID, Session> entry : sessions.entrySet()) {
      UUID clientId = entry.getKey();
      Session session = entry.getValue();
      out.u64(clientId.getMostSignificantBits()).u64(clientId.getLeastSignificantBits());
      out.varint(logMillis - session.lastUsedMillis).varint(session.floor);
      out.varint(session.results.size());
      long previous = session.floor;
      for (Map.Entry<Long, CommandResult> result : session.results.entrySet()) {
        out.varint(result.getKey() - previous);
        previous = result.getKey();
        encode(result.getValue(), out);
      }
    }
    return out.finish();
  }

  /**
   * Reads a table.
   *
   * @param bytes what {@link #encode} gave; no bytes at all give an empty table
   * @throws EntryFormatException when the bytes are damaged or of a newer format
   */
  public static SessionTable decode(byte[] bytes, SessionOptions options) {
    SessionTable table = new SessionTable(options);
    if (bytes.length == 0) {
      return table;
    }
    ByteReader in = new ByteReader("session table", bytes, bytes.length);
    in.version(VERSION);
    table.logMillis = in.varint();
    int count = in.count(SMALLEST_SESSION_BYTES);
    for (int i = 0; i < count; i++) {
      UUID clientId = new UUID(in.u64(), in.u64());
      if (table.sessions.put(clientId, table.decodeSession(in)) != null) {
        throw in.corrupt("client " + clientId + " twice");
      }
    }
    in.end();
    return table;
  }

  private Session decodeSession(ByteReader in) {
    Session session = new Session();
    session.lastUsedMillis = logMillis - in.varint();
    session.floor = in.varint();
    int count = in.count(SMALLEST_RESULT_BYTES);
    long sequence = session.floor;
    for (int i = 0; i < count; i++) {
      long step = in.varint();
      if (step > Long.MAX_VALUE - sequence || (step == 0 && i > 0)) {
        throw in.corrupt("sequences out of order");
      }
      sequence += step;
      session.results.put(sequence, decodeResult(in));
    }
    resultCount += count;
    return session;
  }

  private static void encode(CommandResult result, ByteWriter out) {
    if (result instanceof Applied applied) {
      out.u8(1).varint(applied.version());
    } else if (result instanceof ConditionFailed failed) {
      out.u8(2).varint(failed.index()).varint(failed.foundVersion());
    } else {
      throw new IllegalStateException("not a result to remember: " + result);
    }
  }

  private static CommandResult decodeResult(ByteReader in) {
    int kind = in.u8();
    return switch (kind) {
      case 1 -> new Applied(in.varint());
      case 2 -> new ConditionFailed(decodeIndex(in), in.varint());
      default -> throw in.corrupt("unknown kind of result " + kind);
    };
  }

  private static int decodeIndex(ByteReader in) {
    long index = in.varint();
    if (index > Integer.MAX_VALUE) {
      throw in.corrupt("condition " + index);
    }
    return (int) index;
  }
}
