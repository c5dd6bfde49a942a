package io.silkkv.router;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.protobuf.StatusProto;
import io.silkkv.v1.Applied;
import io.silkkv.v1.ErrorDetail;
import io.silkkv.v1.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one shape of an error on the wire: a gRPC status whose {@code grpc-status-details-bin} holds
 * an {@link ErrorDetail}. Both directions live here, so that nobody reads a message text.
 */
public final class KvErrors {
  private static final Metadata.Key<com.google.rpc.Status> DETAILS =
      Metadata.Key.of(
          "grpc-status-details-bin",
          ProtoUtils.metadataMarshaller(com.google.rpc.Status.getDefaultInstance()));

  private KvErrors() {}

  /** A detail of a reason, an outcome and a message for people. */
  public static ErrorDetail detail(Reason reason, Applied applied, String message) {
    return ErrorDetail.newBuilder()
        .setReason(reason)
        .setApplied(applied)
        .setMessage(message)
        .build();
  }

  /** A refusal before anything was done. */
  public static ErrorDetail refused(Reason reason, String message) {
    return detail(reason, Applied.NEVER, message);
  }

  /** A refusal because of one field of the request. */
  public static ErrorDetail badField(Reason reason, String field, String message) {
    return refused(reason, message).toBuilder().setField(field).build();
  }

  /** A refusal that asks to come again. */
  public static ErrorDetail retryLater(Reason reason, int retryAfterMillis, String message) {
    return refused(reason, message).toBuilder().setRetryAfterMillis(retryAfterMillis).build();
  }

  /** This node is not the leader; {@code leaderNodeId} is, when it is known. */
  public static ErrorDetail notLeader(long shardId, @Nullable String leaderNodeId) {
    ErrorDetail.Builder detail =
        refused(
            Reason.NOT_LEADER,
            "this node does not lead shard "
                + shardId
                + (leaderNodeId == null ? "" : "; node " + leaderNodeId + " does"))
            .toBuilder();
    if (leaderNodeId != null) {
      detail.setLeaderNodeId(leaderNodeId);
    }
    return detail.build();
  }

  /** The caller's routing is old; the current one is attached. */
  public static ErrorDetail withCurrentShards(ErrorDetail detail, List<Shard> current) {
    ErrorDetail.Builder attached = detail.toBuilder();
    for (Shard shard : current) {
      attached.addCurrentShards(shard.toProto());
    }
    return attached.build();
  }

  /** The exception that carries a detail over gRPC; its code suits tools that know only codes. */
  public static StatusRuntimeException toStatus(ErrorDetail detail) {
    return StatusProto.toStatusRuntimeException(
        com.google.rpc.Status.newBuilder()
            .setCode(code(detail.getReason()).value())
            .setMessage(detail.getMessage())
            .addDetails(Any.pack(detail))
            .build());
  }

  /**
   * The detail in a failed call. Without one, because gRPC itself or something between failed the
   * call, the reason follows from the status code, and the outcome is {@code MAYBE}.
   */
  public static ErrorDetail fromStatus(Throwable failure) {
    ErrorDetail attached = attached(failure);
    if (attached != null) {
      return attached;
    }
    Status status = Status.fromThrowable(failure);
    String text = status.getDescription();
    Throwable cause = status.getCause();
    String message =
        "gRPC failed with "
            + status.getCode()
            + (text == null ? "" : ": " + text)
            + (cause == null ? "" : " (" + cause + ")");
    return detail(reason(status.getCode()), Applied.MAYBE, message);
  }

  /** The gRPC code of a reason. */
  public static Status.Code code(Reason reason) {
    return switch (reason) {
      case INVALID_ARGUMENT, KEY_TOO_LARGE, VALUE_TOO_LARGE, BATCH_TOO_LARGE, CROSS_SHARD_BATCH ->
          Status.Code.INVALID_ARGUMENT;
      case STALE_EPOCH, SHARD_NOT_FOUND, SESSION_EXPIRED -> Status.Code.FAILED_PRECONDITION;
      case NOT_LEADER, NO_LEADER, UNAVAILABLE, SHUTTING_DOWN, TOO_MANY_HOPS ->
          Status.Code.UNAVAILABLE;
      case OVERLOADED -> Status.Code.RESOURCE_EXHAUSTED;
      case DEADLINE_EXCEEDED -> Status.Code.DEADLINE_EXCEEDED;
      case DATA_CORRUPT -> Status.Code.DATA_LOSS;
      case INTERNAL, REASON_UNSPECIFIED, UNRECOGNIZED -> Status.Code.INTERNAL;
    };
  }

  private static Reason reason(Status.Code code) {
    return switch (code) {
      case INVALID_ARGUMENT, OUT_OF_RANGE, UNIMPLEMENTED -> Reason.INVALID_ARGUMENT;
      case RESOURCE_EXHAUSTED -> Reason.OVERLOADED;
      case DEADLINE_EXCEEDED -> Reason.DEADLINE_EXCEEDED;
      // A reset stream arrives as CANCELLED, a stopping peer as ABORTED or UNAVAILABLE.
      case UNAVAILABLE, CANCELLED, ABORTED -> Reason.UNAVAILABLE;
      case DATA_LOSS -> Reason.DATA_CORRUPT;
      default -> Reason.INTERNAL;
    };
  }

  private static @Nullable ErrorDetail attached(Throwable failure) {
    Metadata trailers = Status.trailersFromThrowable(failure);
    if (trailers == null) {
      return null;
    }
    com.google.rpc.Status status = trailers.get(DETAILS);
    if (status == null) {
      return null;
    }
    for (Any any : status.getDetailsList()) {
      if (any.is(ErrorDetail.class)) {
        try {
          return any.unpack(ErrorDetail.class);
        } catch (InvalidProtocolBufferException damaged) {
          // The failed call is what matters; its status code still tells the reason.
          return null;
        }
      }
    }
    return null;
  }
}
