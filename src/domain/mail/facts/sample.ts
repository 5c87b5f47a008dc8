import { exponentOf } from "../../../base/lib/money.ts";
import { addDays } from "../../../base/lib/time/calendar.ts";
import { dateIn } from "../../../base/lib/time/dates.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { Cancelling, Card, OfSubscription } from "../render/facts.ts";
import { lastMomentBefore } from "./next-charge.ts";
import { portalPage } from "./subscription.ts";

/** The parts of examples of mails: a coffee a month, for 20 of the account's currency, that nobody has subscribed to. */
export type Example = ReturnType<typeof exampleOf>;

export function exampleOf(ctx: Ctx) {
  const { now, account } = ctx;
  const { timezone, currency_code } = account;
  const inDays = (days: number) => addDays(dateIn(now, timezone), days);
  const [chargeDate, deliveryDate] = [inDays(7), inDays(9)];
  const cancelling: Cancelling = { is_allowed: true, payments_before: 0, from: null };
  const card: Card = { brand: "visa", last4: "4242" };
  const recipient = { first_name: "Ada", timezone };
  const amount = 20 * 10 ** exponentOf(currency_code);
  const page = portalPage(ctx);
  const subscription: OfSubscription = {
    ...recipient,
    number: "1001",
    lines: [{ title: "Coffee", variant_title: "1 kg", quantity: 1, amount }],
    frequency: { interval: "MONTH", interval_count: 1 },
    next_date: deliveryDate,
    amount,
    currency_code,
    manage_url: page,
  };
  const changeUntil = lastMomentBefore(ctx, chargeDate);
  return {
    now,
    inDays,
    chargeDate,
    changeUntil,
    deliveryDate,
    cancelling,
    card,
    recipient,
    page,
    subscription,
  };
}
