import type { StorePaymentMethod } from "./port/payment-methods.ts";
import { type ChargeAnswer, type Failure, StoreRefusalError, UnknownOutcomeError } from "./port.ts";

type Status = StorePaymentMethod["status"];

/** The code of a payment method that its customer does not have any more. */
export const revokedCode = "payment_method_revoked";

/** Why a payment method, as the store has it now, cannot be charged: its owner has to give another one. Undefined for one that can. */
export function whyGone(found: { status: Status } | undefined): Omit<Failure, "isRefused"> | undefined {
  const status = found?.status ?? "REVOKED";
  return status === "VALID" ? undefined : { ...reasons[status], failure: "customer", isFinal: true };
}

/**
 * An answer that blames the merchant, unless the customer's payment method is gone: then that is why, whatever the store calls it. The store is
 * asked for the method once, and where it does not say, its first answer stands.
 */
export async function unlessGone(
  answer: ChargeAnswer,
  look: () => Promise<{ status: Status } | undefined>,
): Promise<ChargeAnswer> {
  if (answer.outcome !== "declined" || answer.failure !== "merchant") return answer;
  const why = await look().then(
    (found) => (found?.status === "EXPIRED" ? undefined : whyGone(found)),
    (error) => {
      if (error instanceof StoreRefusalError || error instanceof UnknownOutcomeError) return undefined;
      throw error;
    },
  );
  return why ? { ...answer, ...why } : answer;
}

const reasons: Record<Exclude<Status, "VALID">, Pick<Failure, "code" | "message">> = {
  REVOKED: { code: revokedCode, message: "The payment method was removed from the customer" },
  EXPIRED: { code: "expired_payment_method", message: "The payment method has expired" },
};
