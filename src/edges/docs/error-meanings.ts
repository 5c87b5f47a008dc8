import type { ErrorCode } from "../../base/errors.ts";

/** The meaning of each error code for whoever receives it. */
export const errorMeanings: Record<ErrorCode, string> = {
  VALIDATION_FAILED: "Fields or parameters are missing, unknown or not allowed; `details` names each.",
  INVALID_JSON: "The body is not JSON.",
  UNKNOWN_PROFILE: "The body names a profile that the account does not have.",
  UNKNOWN_SELLING_PLAN: "The body names a selling plan that the account does not have, or that is inactive.",
  UNKNOWN_DELIVERY_DAY: "The body names a delivery day that the account does not have.",
  UNKNOWN_DELIVERY_SLOT:
    "The body names a delivery slot that the account does not have, or that is inactive.",
  UNKNOWN_DELIVERY_ADDRESS: "The body names a delivery address that the profile does not have.",
  UNKNOWN_ENTITY: "The body names an entity that the profile does not have.",
  UNKNOWN_SKIP_REASON: "The body names a skip reason that the account does not have, or that is inactive.",
  UNKNOWN_PAUSE_REASON: "The body names a pause reason that the account does not have, or that is inactive.",
  UNKNOWN_CANCELLATION_REASON:
    "The body names a cancellation reason that the account does not have, or that is inactive.",
  UNKNOWN_PAYMENT_METHOD: "The body names a payment method that the profile does not have.",
  UNKNOWN_SUBSCRIPTION: "The body names a subscription that the account does not have.",
  UNKNOWN_LOGGABLE: "The body names a subscription or an order that the account does not have.",
  SKIP_REASON_REQUIRED: "The account has active skip reasons, and the request chooses none.",
  FREQUENCY_NOT_OFFERED: "The subscription cannot have this frequency.",
  ITEM_NOT_OFFERED: "The catalogue has no such item for this subscription.",
  UNAUTHENTICATED: "A credential is missing, unknown, revoked or expired.",
  FORBIDDEN: "The credential is valid, but lacks the scope, or its actor may not do this.",
  ACCOUNT_MISMATCH: "The key and the token are of different accounts.",
  AMOUNT_ABOVE_LIMIT: "The request would charge or refund more than the credential may.",
  NOT_FOUND: "There is no such path, or the account has no such record.",
  METHOD_NOT_ALLOWED: "The path exists, with other methods; `Allow` lists them.",
  NOT_BILLABLE: "The subscription cannot be billed as it is.",
  BILLING_IN_PROGRESS: "A billing attempt is in progress that the request would get in the way of.",
  INVALID_STATE: "The record's state does not allow this; `error` names the state and the operation.",
  EMAIL_TAKEN: "Another profile of the account, or another member of its staff, has this e-mail address.",
  PROFILE_IN_USE: "The profile has subscriptions that have not ended.",
  IDEMPOTENCY_IN_PROGRESS: "A request with this Idempotency-Key is still being answered.",
  VERSION_CONFLICT: "Somebody else changed the record at the same time. Read it and try again.",
  PREVIEW_CHANGED:
    "It would not do what its preview has shown. Nothing was done; `preview` shows what it would do now.",
  PAYLOAD_TOO_LARGE: "The body is larger than 1 MiB; for bulk upload, 10 MiB.",
  UNSUPPORTED_MEDIA_TYPE: "The body's media type is not supported, or it has a Content-Encoding.",
  IDEMPOTENCY_KEY_REUSED: "This Idempotency-Key was used for another request within 24 hours.",
  PREVIEW_REQUIRED:
    "The credential does only what it has previewed: send a dry run first, and its `Preview` as `If-Preview`.",
  RATE_LIMITED: "Too many requests. `Retry-After` says for how many seconds to wait.",
  INTERNAL: "Something went wrong on our side. `request_id` finds it in the log.",
  UNAVAILABLE:
    "Something that the request needs does not answer. `Retry-After` says for how many seconds to wait.",
};
