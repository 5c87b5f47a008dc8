import { shorten } from "./lib/text.ts";

/**
 * The codes of everything that can go wrong. They know no HTTP: http/errors.ts
 * gives each its status.
 */
export const errorCodes = [
  "VALIDATION_FAILED",
  "INVALID_JSON",
  "UNKNOWN_PROFILE",
  "UNKNOWN_SELLING_PLAN",
  "UNKNOWN_DELIVERY_DAY",
  "UNKNOWN_DELIVERY_SLOT",
  "UNKNOWN_DELIVERY_ADDRESS",
  "UNKNOWN_ENTITY",
  "UNKNOWN_SKIP_REASON",
  "UNKNOWN_PAUSE_REASON",
  "UNKNOWN_CANCELLATION_REASON",
  "UNKNOWN_PAYMENT_METHOD",
  "UNKNOWN_LOGGABLE",
  "UNKNOWN_SUBSCRIPTION",
  "SKIP_REASON_REQUIRED",
  "FREQUENCY_NOT_OFFERED",
  "ITEM_NOT_OFFERED",
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "ACCOUNT_MISMATCH",
  "AMOUNT_ABOVE_LIMIT",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "NOT_BILLABLE",
  "BILLING_IN_PROGRESS",
  "INVALID_STATE",
  "EMAIL_TAKEN",
  "PROFILE_IN_USE",
  "IDEMPOTENCY_IN_PROGRESS",
  "VERSION_CONFLICT",
  "PREVIEW_CHANGED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "IDEMPOTENCY_KEY_REUSED",
  "PREVIEW_REQUIRED",
  "RATE_LIMITED",
  "INTERNAL",
  "UNAVAILABLE",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** One fault of a request: a dotted path into body, query or path, and what is wrong there. */
export type ErrorDetail = { path: string; message: string };

/** An error lists no more details than this. */
export const maxDetails = 100;
/** Characters of each text in an error, because it may quote what was sent, at any length. */
export const maxTextLength = 200;

/**
 * A failure with a code that callers can act on. `message` is for people and never holds secrets, SQL or a stack. Every error
 * response is made from one of these, so its texts are bounded here.
 */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  /** Seconds after which a retry may succeed, if that is known. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, details?: ErrorDetail[], retryAfter?: number) {
    super(boundText(message));
    this.name = "DomainError";
    this.code = code;
    this.details = details
      ?.slice(0, maxDetails)
      .map(({ path, message }) => ({ path: boundText(path), message: boundText(message) }));
    this.retryAfter = retryAfter;
  }
}

export function notFound(what: string): DomainError {
  return new DomainError("NOT_FOUND", `${what} not found`);
}

/** A body, query or path that does not match its schema. The message names the first fault and counts the others. */
export function invalid(details: ErrorDetail[]): DomainError {
  const [first, ...others] = details;
  if (!first) return new DomainError("VALIDATION_FAILED", "Request is not valid", details);
  const isCut = details.length >= maxDetails;
  const more = others.length > 0 ? `, and ${isCut ? "at least " : ""}${others.length} more` : "";
  const fault = `Request is not valid: ${first.path || "body"}: ${first.message}`;
  const message = `${shorten(fault, maxTextLength - more.length)}${more}`;
  return new DomainError("VALIDATION_FAILED", message, details);
}

function boundText(text: string): string {
  return shorten(text, maxTextLength);
}
