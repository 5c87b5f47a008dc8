import { day, dayOfMonth, enumerate, money } from "../../../../base/language/format.ts";
import { isRefusal } from "../../../pages/ask.ts";
import { dryRunOf } from "../confirm.ts";
import { type ListedDelivery, mostUpcoming } from "../dates/next-dates.ts";
import type { ShownAttempt } from "../payment/payment-state.ts";
import { outcomeOf } from "../payment/payment-words.ts";
import type { ShownSubscription } from "../summary.ts";
import type { OperationAnswer, SignedIn } from "../visit.ts";

/** The calls by which the pages of leaving read a subscription. */
export function endCalls(id: string) {
  return [
    { id: "getSubscription", path: { id } },
    dryRunOf({ id, name: "cancel", fields: {} }),
    { id: "listUpcomingDeliveries", path: { id }, query: { count: String(mostUpcoming) } },
    { id: "listBillingAttempts", path: { id }, query: { limit: "10" } },
  ] as const;
}

type Dry = OperationAnswer<ReturnType<typeof dryRunOf>>;

/** A subscription that may be cancelled now, and as it would be then. */
type End = {
  before: ShownSubscription;
  dry: Dry;
  coming: ListedDelivery[];
  attempts: ShownAttempt[];
};

/** The subscription that the dry run of cancelling answers; undefined where it is refused. */
export function afterEnd({ dry }: Pick<End, "dry">): ShownSubscription | undefined {
  return isRefusal(dry) ? undefined : (dry as unknown as { data: ShownSubscription }).data;
}

/** Sentences about payments, and deliveries that are paid for, as cancelling leaves them by its dry run. Empty where it is refused. */
export function endNotes(visit: SignedIn, end: End): string {
  const after = afterEnd(end);
  return after ? [...moneyNotes(visit, end), ...deliveryNotes(visit, end, after)].join(" ") : "";
}

function moneyNotes(visit: SignedIn, { before, attempts }: End): string[] {
  const { texts, locale } = visit;
  const { leaving } = texts;
  const attempt = attempts.find(({ status }) => standing.has(status));
  if (attempt) return [outcomeOf(visit, { subscription: before, attempt, episode: undefined, isNew: false })];
  const { is_in_dunning, status, billing_blocked_reason, total, currency_code } = before;
  if (is_in_dunning || status === "PAYMENT_FAILED") {
    const failed = attempts.find((each) => each.status === "FAILED");
    return [leaving.nothingMore, leaving.owed(money(locale, failed?.amount ?? total, currency_code))];
  }
  return billing_blocked_reason === null ? [leaving.nothingMore, leaving.nothingOpen] : [leaving.nothingMore];
}

/** Attempts that the store has, which cancelling does not take back. */
const standing = new Set<ShownAttempt["status"]>(["PROCESSING", "ACTION_REQUIRED", "REVIEW"]);

/** Deliveries that are listed one by one. */
const fewDeliveries = 3;

function deliveryNotes(
  { texts, locale }: SignedIn,
  { coming }: End,
  { next_delivery_date: next }: ShownSubscription,
): string[] {
  const { leaving } = texts;
  const charged = coming.findIndex(({ is_billed }) => is_billed);
  const paid = coming.slice(0, charged === -1 ? coming.length : charged).map((each) => each.delivery_date);
  const [first, last] = [paid[0], paid.at(-1)];
  if (next === null) return first === undefined ? [] : [leaving.lapse(paid.length)];
  if (first !== next || last === undefined || paid.length === mostUpcoming)
    return [leaving.stillComeFrom(day(locale, next))];
  if (paid.length === 1) return [leaving.stillComes(day(locale, first))];
  if (paid.length > fewDeliveries)
    return [leaving.stillComeUntil(paid.length, day(locale, first), day(locale, last))];
  const dates = paid.map((date) => dayOfMonth(locale, date));
  return [leaving.stillCome(paid.length, enumerate(locale, dates))];
}
