import type { Subscription } from "../subscriptions/tables.ts";
import type { Declaration } from "./tables.ts";

/** The subscription that a declaration has ended, and the end that was agreed on before. */
export type CarriedOut = {
  subscription_id: string;
  before: Pick<Subscription, "ends_on" | "ends_after_cycle">;
};

export function carriedOutOf({ carried_out }: Pick<Declaration, "carried_out">): CarriedOut | undefined {
  return carried_out === null ? undefined : JSON.parse(carried_out);
}

export function matchedIdsOf({
  matched_subscription_ids,
}: Pick<Declaration, "matched_subscription_ids">): string[] {
  return JSON.parse(matched_subscription_ids);
}
