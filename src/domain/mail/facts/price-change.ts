import { toMinor } from "../../../base/lib/money.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import type { Ctx } from "../../../kit/context.ts";
import { parseStored } from "../../../kit/journal/stored-json.ts";
import { firstBillingAt } from "../../billing/upcoming/billings-to-come.ts";
import { readProspect } from "../../billing/upcoming/prospect.ts";
import type { EventRow } from "../../events/queries.ts";
import type { Line } from "../../subscriptions/lines/amounts.ts";
import { linesOf } from "../../subscriptions/row-codec.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import type { MailFacts } from "../render/facts.ts";
import { lastMomentBefore } from "./next-charge.ts";
import { SilenceError } from "./silence.ts";
import { cancellingOf, factsOfSubscription, subscriptionUrl } from "./subscription.ts";

/** A line of an announcement, with its former price in major units. */
type AnnouncedLine = { line_id: string; from: number };

/**
 * A new price of lines, with the first charge at it as billing itself projects it; silence once it was charged, was taken back, or never
 * will be charged.
 */
export async function preparePriceChange(ctx: Ctx, event: EventRow): Promise<MailFacts["price_change"]> {
  const { from, to, first_billing_date, line_id, lines: several } = parseStored(event.metadata) ?? {};
  const announced = (several ?? [{ line_id, from }]) as AnnouncedLine[];
  const prospect = await readProspect(ctx, event.loggable_id);
  const { row, today } = prospect.view;
  const minor = (major: unknown) => toMinor(Number(major), row.currency_code) ?? 0;
  const new_price = minor(to);
  const priced = linesOf(row).filter(({ id, price }) => {
    const isOver = price === new_price && String(first_billing_date) <= today;
    return announced.some((one) => one.line_id === id) && !isOver;
  });
  const charged = priced.flatMap((line) => {
    const charge = firstBillingAt(ctx, prospect, { id: line.id, price: new_price });
    return charge || isOwedAt(row, line, new_price) ? [{ line, charge }] : [];
  });
  if (charged.length === 0) throw new SilenceError("outdated");
  const [{ line, charge }] = charged as [(typeof charged)[number]];
  const former = charged.map((one) => announced.find((its) => its.line_id === one.line.id)!.from);
  const first_charge_date = charge && !hasNoDay(row) ? charge.billing : null;
  return {
    ...factsOfSubscription(ctx, prospect),
    amount: charge?.amounts.total ?? row.total,
    line: {
      ...{ title: line.product_title, variant_title: line.variant_title },
      quantity: charged.reduce((sum, one) => sum + one.line.quantity, 0),
      amount: null,
    },
    old_prices: [...new Set(former)].map(minor).toSorted((a, b) => a - b) as [number, ...number[]],
    new_price,
    ...{ first_charge_date, change_until: lastMoment(ctx, first_charge_date) },
    cancelling: cancellingOf(ctx, prospect.view),
    cancel_url: subscriptionUrl(ctx, row.id, "/cancel"),
  };
}

/** A failed payment leaves the dates of later ones open; the price stays promised. */
function isOwedAt({ status }: Subscription, { price, price_changes = [] }: Line, promised: number): boolean {
  return status === "PAYMENT_FAILED" && [{ price }, ...price_changes].some((one) => one.price === promised);
}

function hasNoDay({ status, pause_until }: Subscription): boolean {
  return status === "PAUSED" && pause_until === null;
}

function lastMoment(ctx: Ctx, date: CalendarDate | null) {
  return date === null ? null : lastMomentBefore(ctx, date);
}
