import { eventTypes } from "../../../base/event-types.ts";
import { toMinor } from "../../../base/lib/money.ts";
import type { CalendarDate, Instant } from "../../../base/lib/time/dates.ts";
import type { Ctx } from "../../../kit/context.ts";
import { parseStored } from "../../../kit/journal/stored-json.ts";
import { firstBillingAt } from "../../billing/upcoming/billings-to-come.ts";
import { readProspect } from "../../billing/upcoming/prospect.ts";
import type { Line } from "../../subscriptions/lines/amounts.ts";
import { linesOf } from "../../subscriptions/row-codec.ts";
import type { Subscription } from "../../subscriptions/tables.ts";
import { lastMomentBefore } from "../facts/next-charge.ts";
import { SilenceError } from "../facts/silence.ts";
import { cancellingOf, factsOfSubscription, subscriptionUrl } from "../facts/subscription.ts";
import type { MailKindDefinition } from "../mail-kind.ts";
import type { Cancelling, LetterLine, OfSubscription } from "../render/facts.ts";
import type { Button } from "../render/letter.ts";
import { dayOrNull, subscriptionPlaceholders } from "../render/placeholders.ts";
import { canCancelNow, cancellingText, dateRow, listLines, type View } from "../render/view.ts";

type Facts = OfSubscription & {
  /** The line whose price changes; `lines` are all. Several lines of one product are one, of all their pieces. */
  line: LetterLine;
  /** The prices of one piece, before discounts. Several lines may have had different ones, the lowest first. */
  old_prices: [number, ...number[]];
  new_price: number;
  /** The first charge at the new price, of which `amount` is; null while nobody knows its day. */
  first_charge_date: CalendarDate | null;
  /** The last moment at which a cancellation still counts for it. */
  change_until: Instant | null;
  cancelling: Cancelling;
  /** The page where the customer cancels. */
  cancel_url: string;
};

/**
 * A new price of lines, with the first charge at it as billing itself projects it; silence once it was charged, was taken back, or never
 * will be charged.
 */
export const priceChange: MailKindDefinition<"price_change", Facts> = {
  name: "price_change",
  description: "A new price, the first charge at it, and where to cancel.",
  events: [eventTypes.price_change_announced],
  placeholders: {
    ...subscriptionPlaceholders,
    product: ({ product }, { line }) => product([line]),
    old_price: formerPrices,
    new_price: ({ amount }, { new_price, currency_code }) => amount(new_price, currency_code),
    first_date: (view, { first_charge_date }) => dayOrNull(view, first_charge_date),
    cancel_url: (_, { cancel_url }) => cancel_url,
  },
  isRepeatable: true,
  async prepare(ctx, event): Promise<Facts> {
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
        store_variant_id: line.store_variant_id,
      },
      old_prices: [...new Set(former)].map(minor).toSorted((a, b) => a - b) as [number, ...number[]],
      new_price,
      ...{ first_charge_date, change_until: lastMoment(ctx, first_charge_date) },
      cancelling: cancellingOf(ctx, prospect.view),
      cancel_url: subscriptionUrl(ctx, row.id, "/cancel"),
    };
  },
  letter(view, facts) {
    const { words, amount, day, moment, product } = view;
    const texts = words.price_change;
    const { first_charge_date: date, change_until: until, currency_code: currency, cancelling } = facts;
    const from = formerPrices(view, facts);
    const to = amount(facts.new_price, currency);
    const each = facts.line.quantity > 1 ? texts.each(to) : to;
    const goods = product([facts.line]);
    return {
      subject: date === null ? texts.subjectUndated(each) : texts.subject(day(date), each),
      intro: [
        ...(date === null
          ? [texts.firstUndated(goods, each, from), texts.later]
          : [texts.first(day(date), goods, each, from)]),
        nextText(view, facts),
      ],
      facts: [
        { label: texts.price, value: to, before: from },
        dateRow(view, texts.firstCharge, date),
        date === null ? null : { label: texts.amount, value: amount(facts.amount, currency) },
        until === null ? null : { label: words.changesUntil, value: moment(until) },
        { label: words.items, value: listLines(facts.lines) },
        canCancelNow(cancelling)
          ? null
          : { label: words.cancelling, value: cancellingText(view, cancelling) },
      ],
      button: buttonOf(view, facts),
    };
  },
  sample: ({ subscription, chargeDate, changeUntil, cancelling, page }) => {
    const own = subscription;
    const old_price = own.amount;
    const new_price = old_price + old_price / 10;
    return {
      ...own,
      line: own.lines[0]!,
      amount: new_price,
      old_prices: [old_price],
      new_price,
      first_charge_date: chargeDate,
      change_until: changeUntil,
      cancelling,
      cancel_url: page,
    };
  },
};

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

function formerPrices({ oneOf, amount }: View, { old_prices, currency_code }: Facts): string {
  return oneOf(old_prices.map((price) => amount(price, currency_code)));
}

/** Who pays less has no reason to leave. */
function mayWantToCancel(facts: Facts): boolean {
  return facts.new_price > facts.old_prices[0] && canCancelNow(facts.cancelling);
}

function nextText({ words: { price_change: texts }, moment }: View, facts: Facts): string {
  if (!mayWantToCancel(facts)) return texts.nothingToDo;
  return facts.change_until === null ? texts.cancelAnyTime : texts.cancelUntil(moment(facts.change_until));
}

function buttonOf({ words }: View, facts: Facts): Button {
  if (mayWantToCancel(facts)) return { text: words.price_change.button, url: facts.cancel_url };
  return { text: words.manageSubscription, url: facts.manage_url };
}

/** A line of an announcement, with its former price in major units. */
type AnnouncedLine = { line_id: string; from: number };
