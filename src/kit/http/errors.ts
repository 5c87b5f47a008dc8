import type { Context } from "hono";
import { accepts } from "hono/accepts";
import { HTTPException } from "hono/http-exception";
import type { Accept } from "hono/utils/accept";
import { classify, MovingError } from "../../base/db/commit.ts";
import { alertIfFull } from "../../base/db/room.ts";
import { DomainError, type ErrorCode } from "../../base/errors.ts";
import { secondMs } from "../../base/lib/time/durations.ts";
import { UnknownOutcomeError } from "../../stores/port.ts";
import type { HonoEnv } from "./document/operation.ts";
import type { ErrorEnvelope } from "./error-envelope.ts";
import { PreviewChangedError } from "./preview/preview-changed.ts";

/** The status of each error code. */
export const statusOf = {
  VALIDATION_FAILED: 400,
  INVALID_JSON: 400,
  UNKNOWN_PROFILE: 400,
  UNKNOWN_SELLING_PLAN: 400,
  UNKNOWN_DELIVERY_DAY: 400,
  UNKNOWN_DELIVERY_SLOT: 400,
  UNKNOWN_DELIVERY_ADDRESS: 400,
  UNKNOWN_ENTITY: 400,
  UNKNOWN_SKIP_REASON: 400,
  UNKNOWN_PAUSE_REASON: 400,
  UNKNOWN_CANCELLATION_REASON: 400,
  UNKNOWN_PAYMENT_METHOD: 400,
  UNKNOWN_LOGGABLE: 400,
  UNKNOWN_SUBSCRIPTION: 400,
  SKIP_REASON_REQUIRED: 400,
  FREQUENCY_NOT_OFFERED: 400,
  ITEM_NOT_OFFERED: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  ACCOUNT_MISMATCH: 403,
  AMOUNT_ABOVE_LIMIT: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_BILLABLE: 409,
  BILLING_IN_PROGRESS: 409,
  INVALID_STATE: 409,
  EMAIL_TAKEN: 409,
  PROFILE_IN_USE: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  VERSION_CONFLICT: 409,
  PREVIEW_CHANGED: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  PREVIEW_REQUIRED: 428,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const satisfies Record<ErrorCode, number>;

export type ErrorStatus = (typeof statusOf)[ErrorCode];

export const titleOf: Record<ErrorStatus, string> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  428: "Precondition Required",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

/** The response to a failure: envelope, status, and the headers that belong to the status. */
export function errorResponse(c: Context<HonoEnv>, thrown: unknown): Response {
  const error = toDomainError(thrown);
  const status = statusOf[error.code];
  c.set("errorCode", error.code);
  if (status >= 500)
    c.get("log")("error", {
      code: error.code,
      cause: thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : typeof thrown,
      stack: thrown instanceof Error ? thrown.stack : undefined,
    });
  if (status === 503) alertIfFull(c.get("log"), thrown);
  if (error instanceof PreviewChangedError) c.header("Preview", `"${error.hash}"`);
  if (status === 401) c.header("WWW-Authenticate", challenge);
  if (status === 429) c.header("Retry-After", String(error.retryAfter ?? 60));
  if (status === 503) c.header("Retry-After", String(secondsUntilBack(error, c.get("now"))));
  const { failure, errorForm } = c.get("operation") ?? {};
  const body: ErrorEnvelope = {
    ...failure,
    error: error.message,
    errorCode: error.code,
    request_id: c.get("requestId"),
    ...(error.details ? { details: error.details } : {}),
    ...(error instanceof PreviewChangedError ? { preview: error.preview } : {}),
  };
  if (errorForm) return c.json(errorForm.present(c, body), status);
  if (!prefersProblem(c)) return c.json(body, status);
  const problem = { ...body, type: "about:blank", title: titleOf[status], status, detail: error.message };
  return c.body(JSON.stringify(problem), status, { "Content-Type": problemJson });
}

/** The rest of a move's estimate, an hour at most. Where that is over, the move is about to end. */
function secondsUntilBack(error: DomainError, now: Date): number {
  const until = error instanceof MovingError ? error.until : undefined;
  const left = until === undefined ? 0 : Math.ceil((Date.parse(until) - now.getTime()) / secondMs);
  return Math.min(Math.max(left, error.retryAfter ?? 5), 3600);
}

const challenge = 'Bearer realm="perennial", ApiKey realm="perennial"';

function fromHono(error: HTTPException): DomainError {
  if (error.status === 415)
    return new DomainError("UNSUPPORTED_MEDIA_TYPE", "Content-Type must be application/json");
  if (error.status === 413) return new DomainError("PAYLOAD_TOO_LARGE", "Request body is too large");
  return new DomainError("INVALID_JSON", "Request body is not valid JSON");
}

/** Any failure as one with a code. An unexpected one becomes an opaque INTERNAL; the log has its cause. */
function toDomainError(error: unknown): DomainError {
  const cause = classify(error);
  if (cause instanceof DomainError) return cause;
  if (cause instanceof HTTPException) return fromHono(cause);
  if (cause instanceof UnknownOutcomeError)
    return new DomainError("UNAVAILABLE", "The connected store does not answer, try again");
  return new DomainError("INTERNAL", "Something went wrong on our side");
}

const json = "application/json";
const problemJson = "application/problem+json";

/** Whether the client prefers RFC 9457's form, or accepts it equally. All other clients get plain JSON. */
function prefersProblem(c: Context<HonoEnv>): boolean {
  const match = (accepted: Accept[]): string => {
    const quality = (type: string) =>
      Math.max(0, ...accepted.filter((each) => each.type.toLowerCase() === type).map(({ q }) => q));
    return quality(problemJson) > 0 && quality(problemJson) >= quality(json) ? problemJson : json;
  };
  return (
    accepts(c, { header: "Accept", supports: [json, problemJson], default: json, match }) === problemJson
  );
}
