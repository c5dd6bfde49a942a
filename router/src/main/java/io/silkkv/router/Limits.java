package io.silkkv.router;

import com.google.protobuf.ByteString;
import io.silkkv.v1.BatchGetRequest;
import io.silkkv.v1.Condition;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.Mutation;
import io.silkkv.v1.Reason;
import io.silkkv.v1.ScanRequest;
import io.silkkv.v1.Session;
import io.silkkv.v1.WriteRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The largest sizes that a cluster accepts, and the checks of a request's form. Clients check
 * before they send and nodes before they do anything else; the checks answer null when all is well.
 *
 * @param keyBytes largest key, from 1 byte to 16 KiB
 * @param valueBytes largest value, from 1 byte to 2 MiB
 * @param batchBytes one write: its keys and values, those of its conditions, and {@link
 *     #ITEM_BYTES} for each mutation and condition; or the keys of one batch get. From 1 byte to 2
 *     MiB + 17 KiB
 */
public record Limits(int keyBytes, int valueBytes, int batchBytes) {
  /** The most that the limit of a key may be. */
  public static final int MAX_KEY_BYTES = 16 << 10;

  private static final int MAX_VALUE_BYTES = 2 << 20;
  private static final int MAX_BATCH_BYTES = MAX_VALUE_BYTES + MAX_KEY_BYTES + 1024;

  /**
   * What one mutation or condition counts besides its key and value: many small ones must not
   * become a message or a log entry that is too large.
   */
  public static final int ITEM_BYTES = 16;

  /** What a cluster accepts unless it is told less. */
  public static final Limits DEFAULT = new Limits(MAX_KEY_BYTES, MAX_VALUE_BYTES, MAX_BATCH_BYTES);

  /**
   * Largest gRPC message that clients and nodes must accept: the largest call or reply, and room
   * for those packed with it.
   */
  public static final int MESSAGE_BYTES = 8 << 20;

  /** Soft size at which a stream message is full. */
  public static final int PACKED_BYTES = 1 << 20;

  /** Soft size of the values of one batch get's reply; a larger one is BATCH_TOO_LARGE. */
  public static final int REPLY_BYTES = 4 << 20;

  /** Checks that limits only go down, listing every fault. */
  public Limits {
    List<String> faults = new ArrayList<>();
    checkLimit(faults, "key", keyBytes, MAX_KEY_BYTES);
    checkLimit(faults, "value", valueBytes, MAX_VALUE_BYTES);
    checkLimit(faults, "batch", batchBytes, MAX_BATCH_BYTES);
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", faults));
    }
  }

  /** Checks one key; {@code field} names it in the error. */
  public @Nullable ErrorDetail checkKey(String field, ByteString key) {
    if (key.isEmpty()) {
      return KvErrors.badField(
          Reason.INVALID_ARGUMENT,
          field,
          field + " must not be empty: give a key of 1 byte or more");
    }
    if (key.size() > keyBytes) {
      return tooLarge(Reason.KEY_TOO_LARGE, field, key.size(), keyBytes, "use a shorter key");
    }
    return null;
  }

  /** Checks one value; {@code field} names it in the error. */
  public @Nullable ErrorDetail checkValue(String field, ByteString value) {
    if (value.size() > valueBytes) {
      return tooLarge(
          Reason.VALUE_TOO_LARGE, field, value.size(), valueBytes, "split it over several keys");
    }
    return null;
  }

  /** Checks the keys of a batch get; no key at all is fine. */
  public @Nullable ErrorDetail check(BatchGetRequest request) {
    long bytes = 0;
    for (int i = 0; i < request.getKeysCount(); i++) {
      ErrorDetail fault = checkKey("keys[" + i + "]", request.getKeys(i));
      if (fault != null) {
        return fault;
      }
      bytes += request.getKeys(i).size();
    }
    return checkBatch("keys", bytes);
  }

  /** Checks a write: its session, and the form and the sizes of conditions and mutations. */
  public @Nullable ErrorDetail check(WriteRequest request) {
    if (request.getMutationsCount() == 0) {
      return KvErrors.badField(
          Reason.INVALID_ARGUMENT,
          "mutations",
          "mutations is empty: a write needs at least one put or delete");
    }
    ErrorDetail fault = request.hasSession() ? checkSession(request.getSession()) : null;
    long bytes = 0;
    for (int i = 0; fault == null && i < request.getConditionsCount(); i++) {
      Condition condition = request.getConditions(i);
      fault = check("conditions[" + i + "]", condition);
      bytes += ITEM_BYTES + (long) condition.getKey().size() + condition.getValueEquals().size();
    }
    for (int i = 0; fault == null && i < request.getMutationsCount(); i++) {
      Mutation mutation = request.getMutations(i);
      fault = check("mutations[" + i + "]", mutation);
      bytes += ITEM_BYTES + size(mutation);
    }
    return fault != null ? fault : checkBatch("mutations", bytes);
  }

  /** Checks the bounds of a scan; an empty range is fine and has no entries. */
  public @Nullable ErrorDetail check(ScanRequest request) {
    // A bound may be a key and one byte more: the smallest key after a key of full length.
    if (request.getStart().size() > keyBytes + 1) {
      return tooLarge(
          Reason.KEY_TOO_LARGE, "start", request.getStart().size(), keyBytes + 1, "shorten it");
    }
    if (request.getEnd().size() > keyBytes + 1) {
      return tooLarge(
          Reason.KEY_TOO_LARGE, "end", request.getEnd().size(), keyBytes + 1, "shorten it");
    }
    return null;
  }

  private @Nullable ErrorDetail check(String field, Condition condition) {
    ErrorDetail fault = checkKey(field + ".key", condition.getKey());
    if (fault != null) {
      return fault;
    }
    return switch (condition.getKindCase()) {
      case ABSENT, PRESENT, VERSION_EQUALS -> null;
      case VALUE_EQUALS -> checkValue(field + ".value_equals", condition.getValueEquals());
      case KIND_NOT_SET ->
          KvErrors.badField(
              Reason.INVALID_ARGUMENT,
              field,
              field
                  + " says nothing about its key: set absent, present, version_equals or"
                  + " value_equals");
    };
  }

  private @Nullable ErrorDetail check(String field, Mutation mutation) {
    return switch (mutation.getKindCase()) {
      case PUT -> {
        ErrorDetail fault = checkKey(field + ".put.key", mutation.getPut().getKey());
        yield fault != null
            ? fault
            : checkValue(field + ".put.value", mutation.getPut().getValue());
      }
      case DELETE -> checkKey(field + ".delete.key", mutation.getDelete().getKey());
      case DELETE_RANGE -> checkRange(field + ".delete_range", mutation.getDeleteRange());
      case KIND_NOT_SET ->
          KvErrors.badField(
              Reason.INVALID_ARGUMENT, field, field + " is empty: set put, delete or delete_range");
    };
  }

  private @Nullable ErrorDetail checkRange(String field, Mutation.DeleteRange range) {
    if (!range.getEnd().isEmpty() && KeyOrder.compare(range.getStart(), range.getEnd()) >= 0) {
      return KvErrors.badField(
          Reason.INVALID_ARGUMENT, field + ".end", field + " ends before it starts");
    }
    return check(
        ScanRequest.newBuilder().setStart(range.getStart()).setEnd(range.getEnd()).build());
  }

  private static @Nullable ErrorDetail checkSession(Session session) {
    if (session.getClientId().size() != 16) {
      return KvErrors.badField(
          Reason.INVALID_ARGUMENT,
          "session.client_id",
          "session.client_id must have 16 bytes but has " + session.getClientId().size());
    }
    if (session.getSequence() < 1 || session.getSequence() == Long.MAX_VALUE) {
      return KvErrors.badField(
          Reason.INVALID_ARGUMENT,
          "session.sequence",
          "session.sequence must be from 1 to 2^63 - 2 but is " + session.getSequence());
    }
    if (session.getAcknowledgedBelow() < 0
        || session.getAcknowledgedBelow() > session.getSequence()) {
      return KvErrors.badField(
          Reason.INVALID_ARGUMENT,
          "session.acknowledged_below",
          "session.acknowledged_below is "
              + session.getAcknowledgedBelow()
              + ", beyond this write's own sequence "
              + session.getSequence());
    }
    return null;
  }

  private @Nullable ErrorDetail checkBatch(String field, long bytes) {
    if (bytes > batchBytes) {
      return tooLarge(
          Reason.BATCH_TOO_LARGE, field, bytes, batchBytes, "split it into smaller batches");
    }
    return null;
  }

  private static long size(Mutation mutation) {
    return switch (mutation.getKindCase()) {
      case PUT -> (long) mutation.getPut().getKey().size() + mutation.getPut().getValue().size();
      case DELETE -> mutation.getDelete().getKey().size();
      case DELETE_RANGE ->
          (long) mutation.getDeleteRange().getStart().size()
              + mutation.getDeleteRange().getEnd().size();
      case KIND_NOT_SET -> 0;
    };
  }

  private static ErrorDetail tooLarge(
      Reason reason, String field, long bytes, int limit, String remedy) {
    return KvErrors.badField(
        reason,
        field,
        field + " has " + bytes + " bytes, the limit is " + limit + " bytes: " + remedy);
  }

  private static void checkLimit(List<String> faults, String what, int bytes, int most) {
    if (bytes < 1 || bytes > most) {
      faults.add("the " + what + " limit must be 1 to " + most + " bytes but is " + bytes);
    }
  }
}
