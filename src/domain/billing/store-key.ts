import { sha256Hex } from "../../base/lib/encoding.ts";
import type { BillingAttempt } from "./tables.ts";

/** Each attempt and its index keep the key, and fewer digits than a digest's 64 are never alike either. */
export const keyLength = 40;

/**
 * The idempotency key of an attempt at the store: a digest of its cycle and number and nothing else, so that even a database
 * restored to an earlier minute asks for the same charge under the same key.
 */
export async function deriveStoreKey({
  account_id,
  subscription_id,
  activation,
  cycle,
  attempt_number,
}: { account_id: string } & Pick<
  BillingAttempt,
  "subscription_id" | "activation" | "cycle" | "attempt_number"
>): Promise<string> {
  const digest = await sha256Hex([account_id, subscription_id, activation, cycle, attempt_number].join("|"));
  return digest.slice(0, keyLength);
}
