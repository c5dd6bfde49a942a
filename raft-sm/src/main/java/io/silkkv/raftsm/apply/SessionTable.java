package io.silkkv.raftsm.apply;

import io.silkkv.raftsm.command.ByteReader;
import io.silkkv.raftsm.command.ByteWriter;
import io.silkkv.raftsm.command.CommandResult;
import io.silkkv.raftsm.command.CommandResult.Applied;
import io.silkkv.raftsm.command.CommandResult.ConditionFailed;
import io.silkkv.raftsm.command.CommandResult.SessionExpired;
import io.silkkv.raftsm.command.CommandResult.TooManyClients;
import io.silkkv.raftsm.command.EntryFormatException;
import io.silkkv.raftsm.command.SessionStamp;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which writes of which clients were applied and with what result. It changes with the log only,
 * its clock included: time passes between two entries of the same leader by what this leader's
 * clock says, and only in short steps. Clocks of different nodes are never compared, because one
 * that is an hour ahead would end all sessions just when clients retry after a failover.
 *
 * <p>A client is forgotten only after it was idle for a while. When there are too many outcomes,
 * the client that holds most loses its lowest sequences, which then answer {@link SessionExpired};
 * when there are too many clients, a new one is turned away. So clients that do not acknowledge, or
 * come in great numbers, do not make other clients' retries apply twice.
 *
 * <p>Its bytes, stored with every flush, in checkpoints and in both halves of a split:
 *
 * <pre>
 * table    = version:u8 (1)  log-millis:varint  clock-term:varint  clock-millis:varint
 *            count:varint  session*                        (longest idle first)
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

  /** A longer gap between two entries counts as this much: the clock may have been set. */
  static final long LONGEST_STEP_MILLIS = 60_000;

  /** A client that was idle for less keeps its place although others want one. */
  static final long PLACE_KEPT_MILLIS = 300_000;

  private static final SessionExpired EXPIRED = new SessionExpired();
  private static final TooManyClients TOO_MANY = new TooManyClients();
  private static final int SMALLEST_SESSION_BYTES = 19;
  private static final int SMALLEST_RESULT_BYTES = 3;

  private final SessionOptions options;
  private final long idleLimitMillis;
  // Ordered by last access, and begin() and record() come in pairs: the longest idle comes first.
  private final LinkedHashMap<UUID, Session> sessions = new LinkedHashMap<>(16, 0.75f, true);
  // The clock of the log: time that passed since its beginning, as far as it was seen.
  private long logMillis;
  // The last entry's term and leader time.
  private long clockTerm;
  private long clockMillis;
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
  void advance(long term, long leaderMillis) {
    if (term == clockTerm && leaderMillis > clockMillis) {
      logMillis += Math.min(leaderMillis - clockMillis, LONGEST_STEP_MILLIS);
    }
    clockTerm = term;
    clockMillis = leaderMillis;
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
      if (sessions.size() >= options.maxSessions() && !makePlace()) {
        return TOO_MANY;
      }
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
    while (resultCount > options.maxResults()) {
      forgetHalf(largest());
    }
  }

  /** Forgets the longest idle client; false when even that one came a moment ago. */
  private boolean makePlace() {
    Iterator<Session> eldestFirst = sessions.values().iterator();
    Session eldest = eldestFirst.next();
    if (logMillis - eldest.lastUsedMillis < PLACE_KEPT_MILLIS) {
      return false;
    }
    resultCount -= eldest.results.size();
    eldestFirst.remove();
    return true;
  }

  /** The session with most outcomes; of equal ones the longest idle. */
  private Session largest() {
    Session largest = null;
    for (Session session : sessions.values()) {
      if (largest == null || session.results.size() > largest.results.size()) {
        largest = session;
      }
    }
    return Objects.requireNonNull(largest, "outcomes without sessions");
  }

  /** At once and not one by one, because finding the largest session takes a look at all. */
  private void forgetHalf(Session session) {
    int keep = session.results.size() / 2;
    while (session.results.size() > keep) {
      raiseFloor(session, session.results.firstKey() + 1);
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
    ByteWriter out = new ByteWriter(32 + 32 * sessions.size() + 12 * resultCount);
    out.u8(VERSION).varint(logMillis).varint(clockTerm).varint(clockMillis);
    out.varint(sessions.size());
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
    table.clockTerm = in.varint();
    table.clockMillis = in.varint();
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
