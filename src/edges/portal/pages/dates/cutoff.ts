import { moment } from "../../../../base/language/format.ts";
import type { ShownSubscription } from "../summary.ts";
import type { SignedIn } from "../visit.ts";

/** Until when the next delivery can be changed, or since when it no longer can; nothing where there is no cut-off. */
export function cutoffText(
  { texts, locale, account }: SignedIn,
  { next_delivery_cutoff_at: cutoff, can_change_next_delivery: isOpen }: ShownSubscription,
): string | undefined {
  if (cutoff === null) return undefined;
  const until = moment(locale, cutoff, account.timezone);
  return isOpen ? texts.changeUntil(until) : texts.changeClosed(until);
}
