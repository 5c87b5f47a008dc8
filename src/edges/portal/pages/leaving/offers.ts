import { addDays } from "../../../../base/lib/time/calendar.ts";
import { statusOf } from "../../../../kit/http/errors.ts";
import { isRefusal } from "../../../pages/ask.ts";
import type { Fields } from "../../../pages/fields.ts";
import { type ActionName, actions, isOffered } from "../actions.ts";
import { chargeIn, dryRunOf } from "../confirm.ts";
import type { ListedDelivery } from "../dates/next-dates.ts";
import { todayOf } from "../dates/today.ts";
import { frequencyChoices } from "../frequency-choices.ts";
import { isChargeable, type Validity } from "../payment/card-expiry.ts";
import { isInQuestion, isWaiting } from "../payment/payment-state.ts";
import { hasWay, type PaymentWays } from "../payment/payment-ways.ts";
import type { ShownSubscription } from "../summary.ts";
import type { OperationAnswer, SignedIn } from "../visit.ts";

/**
 * The dry runs that tell whether an action would be refused, where the subscription's fields do not: each sends the least that its
 * form can send.
 */
export function probesOf(visit: SignedIn, id: string): Probe[] {
  return probed.map((name) => dryRunOf({ id, name, fields: leastOf(visit, name) }));
}

/** The answer to one of the probes. */
export function probeOf(
  answers: readonly OperationAnswer<Probe>[],
  name: ActionName,
): OperationAnswer<Probe> | undefined {
  return answers[probed.indexOf(name)];
}

/** The actions that a page offers, in the order of the page, given the answers to its probes: none that would be refused as things stand. */
export function offersOf(
  visit: SignedIn,
  subscription: ShownSubscription,
  { answers, ways, method, coming, shop }: Known,
): ActionName[] {
  const refused = new Set(probed.filter((name, index) => isRefused(name, answers[index])));
  // A skip without a reason is refused for that first. Undoing one looks at the same state before all else.
  const unskip = probeOf(answers, "unskip");
  if (isRefusal(unskip) && unskip.code === "BILLING_IN_PROGRESS") refused.add("skip");
  if (!hasWay(ways)) refused.add("payment-method");
  if (frequencyChoices(visit, subscription, shop).length === 1) refused.add("frequency");
  // The API takes a date for when the subscription goes on. The page would have nothing to move.
  if (coming.length === 0) refused.add("schedule");
  // Nothing is planned that could be skipped.
  if (isInQuestion(subscription)) refused.add("skip");
  // The charge that the API starts would be declined, or would use up a try.
  if (!isChargeable(method) || isWaiting(subscription)) for (const name of charging) refused.add(name);
  return (Object.keys(actions) as ActionName[]).filter(
    (name) => isOffered(visit, name, subscription) && !refused.has(name),
  );
}

/** The answers to the probes, the ways to pay otherwise, the payment method, the deliveries that are coming, and what the shop offers. */
type Known = {
  answers: readonly OperationAnswer<Probe>[];
  ways: PaymentWays;
  method: Validity | null;
  coming: ListedDelivery[];
  shop: Parameters<typeof frequencyChoices>[2];
};

type Probe = ReturnType<typeof dryRunOf>;

const probed: readonly ActionName[] = [
  ...(["retry-payment", "ship-now", "skip", "unskip", "schedule"] as const),
  "payment-link",
];
/** Actions that do nothing but charge. */
const charging: ReadonlySet<ActionName> = new Set(["retry-payment", "ship-now"]);

/** A date so far ahead that no cut-off is before it. */
const farDays = 364;

function leastOf(visit: SignedIn, name: ActionName): Fields {
  if (name === "skip") return { count: "1" };
  return name === "schedule" ? { next_delivery_date: addDays(todayOf(visit), farDays) } : {};
}

/** Whether an action is refused for the subscription's state. What is said of a value says nothing of others. */
function isRefused(name: ActionName, answer: OperationAnswer<Probe> | undefined): boolean {
  if (charging.has(name)) return chargeIn(answer) === undefined;
  if (!isRefusal(answer)) return false;
  const { fields } = actions[name];
  const isOfValue = (answer.details ?? []).some(({ path }) => fields.includes(path.split(".")[0] ?? ""));
  return statusOf[answer.code] !== 400 && !isOfValue;
}
