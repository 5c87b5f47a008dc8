import type { Charge, ChargeAnswer, Failure, StoreRefusalError } from "../port.ts";
import { classifyFailure, isPublished, merchantsFailure } from "./declines.ts";

/** A request that is refused for its form is never the customer's fault, whatever new code Stripe has for it. */
export function classifyRefusal({ codes, message }: StoreRefusalError): Failure {
  const [code = "invalid_request_error"] = codes;
  const isMerchants = !isPublished(code) && codes.includes("invalid_request_error");
  return isMerchants ? merchantsFailure(code, message) : classifyFailure({ code, message }, true);
}

export function refusalAnswer(reference: string, failure: Failure): ChargeAnswer {
  return { outcome: "declined", reference, ...failure };
}

/** Whether Stripe lets the account do nothing, by whatever status: it has not looked at what was asked for then. */
export function refusesAccount({ codes }: StoreRefusalError): boolean {
  return codes.some((code) => accountCodes.has(code));
}

/** Whether no earlier request of the key can have confirmed anything: a refusal then says that nothing was charged. */
export function isUntold({ isFirst, reference }: Charge): boolean {
  return isFirst && reference === null;
}

const accountCodes = new Set(["account_invalid", "api_key_expired", "testmode_charges_only"]);
