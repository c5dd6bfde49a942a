package io.silkkv.node.rpc;

import com.google.protobuf.ByteString;
import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.raftsm.command.Command;
import io.silkkv.raftsm.command.Condition;
import io.silkkv.raftsm.command.SessionStamp;
import io.silkkv.router.Limits;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.Mutation;
import io.silkkv.v1.Session;
import io.silkkv.v1.WriteRequest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** From a write on the wire to a command of the shard's log. Keys and values are not copied. */
final class Commands {
  private Commands() {}

  /** What a command cannot express; null when all is well. The wire's numbers are unsigned. */
  static @Nullable ErrorDetail check(WriteRequest request) {
    for (int i = 0; i < request.getConditionsCount(); i++) {
      long version = request.getConditions(i).getVersionEquals();
      if (version < 0) {
        String field = "conditions[" + i + "].version_equals";
        return Failures.badField(
            field,
            field + " is " + Long.toUnsignedString(version) + ": no version is larger than 2^63-1");
      }
    }
    return null;
  }

  /** The request must have passed the limits and {@link #check}. */
  static Command of(WriteRequest request) {
    WriteBatch mutations = new WriteBatch();
    for (Mutation mutation : request.getMutationsList()) {
      if (mutation.hasPut()) {
        mutations.put(
            Bytes.slice(mutation.getPut().getKey()), Bytes.slice(mutation.getPut().getValue()));
      } else if (mutation.hasDeleteRange()) {
        Mutation.DeleteRange range = mutation.getDeleteRange();
        mutations.deleteRange(Bytes.slice(range.getStart()), end(range));
      } else {
        mutations.delete(Bytes.slice(mutation.getDelete().getKey()));
      }
    }
    return new Command(
        request.hasSession() ? stamp(request.getSession()) : null, conditions(request), mutations);
  }

  /** Behind every key that the limits allow, where the wire says that there is no end. */
  private static Slice end(Mutation.DeleteRange range) {
    if (!range.getEnd().isEmpty()) {
      return Bytes.slice(range.getEnd());
    }
    byte[] last = new byte[Limits.MAX_KEY_BYTES + 1];
    Arrays.fill(last, (byte) 0xff);
    return Slice.wrap(last);
  }

  private static SessionStamp stamp(Session session) {
    ByteBuffer id = session.getClientId().asReadOnlyByteBuffer();
    return new SessionStamp(
        new UUID(id.getLong(), id.getLong()),
        session.getSequence(),
        session.getAcknowledgedBelow());
  }

  private static List<Condition> conditions(WriteRequest request) {
    if (request.getConditionsCount() == 0) {
      return List.of();
    }
    List<Condition> conditions = new ArrayList<>(request.getConditionsCount());
    for (io.silkkv.v1.Condition condition : request.getConditionsList()) {
      ByteString key = condition.getKey();
      conditions.add(
          switch (condition.getKindCase()) {
            case ABSENT -> new Condition.Absent(Bytes.slice(key));
            case PRESENT -> new Condition.Present(Bytes.slice(key));
            case VERSION_EQUALS ->
                new Condition.VersionEquals(Bytes.slice(key), condition.getVersionEquals());
            case VALUE_EQUALS ->
                new Condition.ValueEquals(
                    Bytes.slice(key), Bytes.slice(condition.getValueEquals()));
            case KIND_NOT_SET ->
                throw new IllegalArgumentException(
                    "the condition on " + Bytes.slice(key) + " says nothing");
          });
    }
    return conditions;
  }
}
