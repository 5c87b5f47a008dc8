import { portalUrlOf } from "../../../base/accounts/portal-address.ts";
import { exponentOf } from "../../../base/lib/money.ts";
import { dateIn, later } from "../../../base/lib/time/dates.ts";
import { dayMs, hourMs, minuteMs } from "../../../base/lib/time/durations.ts";
import type { Ctx } from "../../../kit/context.ts";
import { addDays } from "../../subscriptions/dates/cadence.ts";
import type { MailKind } from "../kinds.ts";
import type { AnyMail, Cancelling, Card, MailFacts, OfSubscription } from "../render/facts.ts";
import { lastMomentBefore } from "./next-charge.ts";
import { portalPage } from "./subscription.ts";

/** An example of a mail of a kind, of a subscription that nobody has, for tests of the settings and previews. */
export function sampleMail(ctx: Ctx, kind: MailKind): AnyMail {
  return { kind, facts: samples[kind](ctx) } as AnyMail;
}

const cancelling: Cancelling = { is_allowed: true, payments_before: 0, from: null };
const card: Card = { brand: "visa", last4: "4242" };

const samples: { [Kind in MailKind]: (ctx: Ctx) => MailFacts[Kind] } = {
  login_link: (ctx) => ({
    ...recipient(ctx),
    login_url: `${portalUrlOf(ctx)}/enter?token=EXAMPLE`,
    expires_at: later(ctx.now, 15 * minuteMs),
  }),
  welcome: (ctx) => ({
    ...subscription(ctx),
    next_charge_date: chargeDate(ctx),
    cancelling,
  }),
  upcoming_charge: (ctx) => ({
    ...subscription(ctx),
    charge_date: chargeDate(ctx),
    change_until: changeUntil(ctx),
    cancelling,
    card,
  }),
  receipt: (ctx) => ({
    ...subscription(ctx),
    order_number: "1001",
    placed_at: ctx.now,
    is_prepaid: false,
    discount_amount: 0,
    shipping_amount: 0,
    tax_amount: 0,
    card,
    delivery_date: deliveryDate(ctx),
  }),
  payment_failed: (ctx) => ({
    ...subscription(ctx),
    failed_at: ctx.now,
    reason: "funds",
    card,
    next_try: later(ctx.now, dayMs),
    ends_at: later(ctx.now, 7 * dayMs),
    final_action: ctx.account.dunning_final_action,
    pay_url: manageUrl(ctx),
  }),
  confirm_payment: (ctx) => ({
    ...subscription(ctx),
    confirm_url: manageUrl(ctx),
    expires_at: later(ctx.now, 72 * hourMs),
  }),
  address_missing: (ctx) => ({
    ...subscription(ctx),
    missing: ["zip"],
    address_url: manageUrl(ctx),
  }),
  payment_ended: (ctx) => ({
    ...subscription(ctx),
    ended_at: ctx.now,
    reason: "declined",
    final_action: ctx.account.dunning_final_action,
    return_url: manageUrl(ctx),
  }),
  card_expiring: (ctx) => ({
    ...recipient(ctx),
    card,
    expires_on: addDays(today(ctx), 30),
    subscriptions: [
      {
        number: "1001",
        lines: subscription(ctx).lines,
        next_charge: {
          date: chargeDate(ctx),
          amount: subscription(ctx).amount,
          currency_code: ctx.account.currency_code,
        },
      },
    ],
    card_url: manageUrl(ctx),
  }),
  changed: (ctx) => ({
    ...subscription(ctx),
    change: "paused",
    changed_at: ctx.now,
    by: "shop",
    changes: [{ field: "status", before: "ACTIVE", after: "PAUSED" }],
    next_charge_date: null,
    way_back: manageUrl(ctx) ? { kind: "resume", url: manageUrl(ctx) } : null,
  }),
  price_change: (ctx) => {
    const own = subscription(ctx);
    const old_price = own.amount;
    const new_price = old_price + old_price / 10;
    return {
      ...own,
      line: own.lines[0]!,
      amount: new_price,
      old_prices: [old_price],
      new_price,
      first_charge_date: chargeDate(ctx),
      change_until: changeUntil(ctx),
      cancelling,
      cancel_url: manageUrl(ctx),
    };
  },
  shipped: (ctx) => ({
    ...subscription(ctx),
    order_number: "1001",
    delivery_date: deliveryDate(ctx),
    tracking: { company: "UPS", number: "1Z999", url: "https://example.com/track/1Z999" },
  }),
};

function recipient({ account }: Ctx) {
  return { first_name: "Ada", timezone: account.timezone };
}

/** A coffee a month, for 20 of the account's currency. */
function subscription(ctx: Ctx): OfSubscription {
  const { currency_code } = ctx.account;
  const amount = 20 * 10 ** exponentOf(currency_code);
  return {
    ...recipient(ctx),
    number: "1001",
    lines: [{ title: "Coffee", variant_title: "1 kg", quantity: 1, amount }],
    frequency: { interval: "MONTH", interval_count: 1 },
    next_date: deliveryDate(ctx),
    amount,
    currency_code,
    manage_url: manageUrl(ctx),
  };
}

function manageUrl(ctx: Ctx): string {
  return portalPage(ctx);
}

function today({ now, account }: Ctx) {
  return dateIn(now, account.timezone);
}

function chargeDate(ctx: Ctx) {
  return addDays(today(ctx), 7);
}

function changeUntil(ctx: Ctx) {
  return lastMomentBefore(ctx, chargeDate(ctx));
}

function deliveryDate(ctx: Ctx) {
  return addDays(today(ctx), 9);
}
