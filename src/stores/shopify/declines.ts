import { type DeclineClass, declineMeanings } from "../decline-classes.ts";
import type { Failure } from "../port.ts";

/** The failure that a code of Shopify stands for; its own code is in lower case, as all of ours are. */
export function classifyFailure(code: string, message: string | undefined, isRefused: boolean): Failure {
  const known = Object.hasOwn(declineClasses, code) ? declineClasses[code] : undefined;
  const meaning = isRefused ? "merchant" : (known ?? "unknown");
  return {
    ...declineMeanings[meaning],
    code: code.toLowerCase(),
    message: message ?? `Shopify answered ${code}`,
    isRefused,
  };
}

/** Every error code of an attempt in the Admin schema 2026-10; a test compares the list with the schema. */
export const declineClasses: Record<string, DeclineClass> = {
  AMOUNT_TOO_LARGE: "merchant",
  AMOUNT_TOO_SMALL: "merchant",
  AUTHENTICATION_ERROR: "customer",
  AUTHENTICATION_FAILED: "customer",
  AUTHENTICATION_REQUIRED: "customer",
  BUYER_CANCELED_PAYMENT_METHOD: "hard",
  CALL_ISSUER: "retry",
  CANCELLED_PAYMENT: "customer",
  CARD_DECLINED: "retry",
  CARD_NUMBER_INCORRECT: "hard",
  CONFIRMATION_REJECTED: "customer",
  CUSTOMER_INVALID: "merchant",
  CUSTOMER_NOT_FOUND: "merchant",
  DO_NOT_HONOR: "retry",
  EXPIRED_BUYER_ACTION: "customer",
  EXPIRED_CARD: "hard",
  EXPIRED_PAYMENT_METHOD: "hard",
  FRAUD_SUSPECTED: "hard",
  FREE_GIFT_CARD_NOT_ALLOWED: "merchant",
  GENERIC_ERROR: "unknown",
  INCORRECT_ADDRESS: "customer",
  INCORRECT_CVC: "hard",
  INCORRECT_NUMBER: "hard",
  INCORRECT_PIN: "customer",
  INCORRECT_ZIP: "customer",
  INSUFFICIENT_FUNDS: "retry",
  INSUFFICIENT_INVENTORY: "stock",
  INVALID_AMOUNT: "merchant",
  INVALID_BILLING_ADDRESS: "customer",
  INVALID_CURRENCY: "merchant",
  INVALID_CUSTOMER_BILLING_AGREEMENT: "hard",
  INVALID_CVC: "hard",
  INVALID_EXPIRY_DATE: "hard",
  INVALID_NUMBER: "hard",
  INVALID_PAYMENT_METHOD: "hard",
  INVALID_PURCHASE_TYPE: "merchant",
  INVALID_REQUEST: "merchant",
  INVALID_SHIPPING_ADDRESS: "customer",
  INVENTORY_ALLOCATIONS_NOT_FOUND: "stock",
  INVOICE_ALREADY_PAID: "merchant",
  MERCHANT_ACCOUNT_ERROR: "merchant",
  MERCHANT_RULE: "merchant",
  NON_TEST_ORDER_LIMIT_REACHED: "merchant",
  OFF_SESSION_REJECTED: "customer",
  PAYMENT_METHOD_DECLINED: "retry",
  PAYMENT_METHOD_INCOMPATIBLE_WITH_GATEWAY_CONFIG: "merchant",
  PAYMENT_METHOD_NOT_FOUND: "hard",
  PAYMENT_METHOD_NOT_SPECIFIED: "hard",
  PAYMENT_METHOD_UNSUPPORTED: "hard",
  PAYMENT_PROVIDER_ERROR: "merchant",
  PAYMENT_PROVIDER_IS_NOT_ENABLED: "merchant",
  PAYPAL_ERROR_GENERAL: "retry",
  PROCESSING_ERROR: "merchant",
  PURCHASE_TYPE_NOT_SUPPORTED: "merchant",
  RETRY_DECLINED: "hard",
  TEST_MODE: "merchant",
  TRANSACTION_LIMIT_EXCEEDED: "retry",
  TRANSIENT_ERROR: "merchant",
};

/**
 * Why Shopify does not create an attempt at all: every BillingAttemptUserErrorCode of the Admin schema 2026-10. None is a
 * decline. `look_up`: the attempt may exist nevertheless. `pause`: the contract has to be reconciled first.
 */
export const refusals: Record<string, "wait" | "look_up" | "throttled" | "pause"> = {
  BILLING_CYCLE_CHARGE_BEFORE_EXPECTED_DATE: "wait",
  BILLING_CYCLE_SKIPPED: "wait",
  BLANK: "wait",
  CONTRACT_NOT_FOUND: "wait",
  CONTRACT_PAUSED: "pause",
  CONTRACT_TERMINATED: "wait",
  CONTRACT_UNDER_REVIEW: "wait",
  CYCLE_INDEX_OUT_OF_RANGE: "wait",
  CYCLE_START_DATE_OUT_OF_RANGE: "wait",
  INVALID: "wait",
  ORIGIN_TIME_BEFORE_CONTRACT_CREATION: "wait",
  ORIGIN_TIME_OUT_OF_RANGE: "wait",
  PROCESSING_FAILED: "look_up",
  THROTTLED: "throttled",
  UPCOMING_CYCLE_LIMIT_EXCEEDED: "wait",
};
