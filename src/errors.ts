import { shortened } from "./lib/text.ts";

/** What can go wrong (docs/decisions.md#2-errors-and-repeated-requests). Knows no HTTP: http/errors.ts gives each code its status. */
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
  "SKIP_REASON_REQUIRED",
  "FREQUENCY_NOT_OFFERED",
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "ACCOUNT_MISMATCH",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "NOT_BILLABLE",
  "BILLING_IN_PROGRESS",
  "INVALID_STATE",
  "EMAIL_TAKEN",
  "PROFILE_IN_USE",
  "IDEMPOTENCY_IN_PROGRESS",
  "VERSION_CONFLICT",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "IDEMPOTENCY_KEY_REUSED",
  "RATE_LIMITED",
  "INTERNAL",
  "UNAVAILABLE",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** Where a request is wrong: a dotted path into body, query or path, and why. */
export type ErrorDetail = { path: string; message: string };

/** As many details as a refusal tells. */
export const mostDetails = 100;
/** Characters of each text in a refusal: what was sent may stand in it, and be of any length. */
export const mostText = 200;

const bounded = (text: string): string => shortened(text, mostText);

/**
 * A refusal with a code callers can act on. `message` is for people and never holds secrets, SQL or stack. All that is answered of
 * a failure is made of one of these, so its texts are bounded here.
 */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  /** Seconds after which trying again may end otherwise, where that is known. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, details?: ErrorDetail[], retryAfter?: number) {
    super(bounded(message));
    this.name = "DomainError";
    this.code = code;
    this.details = details
      ?.slice(0, mostDetails)
      .map(({ path, message }) => ({ path: bounded(path), message: bounded(message) }));
    this.retryAfter = retryAfter;
  }
}

export const notFound = (what: string): DomainError => new DomainError("NOT_FOUND", `${what} not found`);

/** A body, query or path that breaks its schema; the message names the first fault, `details` all of them. */
export const invalid = (details: ErrorDetail[]): DomainError => {
  const [first] = details;
  const message = first
    ? `Request is not valid: ${first.path || "body"}: ${first.message}`
    : "Request is not valid";
  return new DomainError("VALIDATION_FAILED", message, details);
};
