import { DomainError } from "../errors.ts";
import type { Instant } from "../lib/time/dates.ts";
import type { Account } from "./tables.ts";

/**
 * Why an account is closed, in `accounts.moving` of the directory: its rows are being deleted, or not all of them are there yet
 * (operator/). Nobody is served from a closed account: no credential, shop, message or alarm finds it. Since when, a deletion notes
 * once the account is known to be closed.
 */
export type Closing = { step: "deleting"; since?: Instant } | { step: "importing"; since: Instant };

export function closingOf({ moving }: Pick<Account, "moving">): Closing | undefined {
  const state = moving === null ? undefined : (JSON.parse(moving) as { step: string });
  return state?.step === "deleting" || state?.step === "importing" ? (state as Closing) : undefined;
}

/** Throws INVALID_STATE of a closed account, for operators, who find it all the same. */
export function requireOpenAccount(account: Account): void {
  const closing = closingOf(account);
  if (!closing) return;
  const going = closing.step === "deleting" ? "deleted" : "imported";
  throw new DomainError("INVALID_STATE", `The account of ${account.shop} is being ${going}`);
}

/** Whether a row of `accounts` is open, as SQL. */
export const isOpen = "(moving IS NULL OR moving ->> '$.step' NOT IN ('deleting', 'importing'))";
