import { eventTypes } from "../../../base/event-types.ts";
import type { Instant } from "../../../base/lib/time/dates.ts";
import { findAttempt } from "../../billing/queries.ts";
import { snapshotOf } from "../../billing/snapshot.ts";
import { getOrder } from "../../orders/queries.ts";
import { findMethod } from "../../payment-methods/queries.ts";
import { factsOfOrder, subscriptionOf } from "../facts/order.ts";
import { cardOf } from "../facts/subscription.ts";
import type { MailKindDefinition } from "../mail-kind.ts";
import type { Card, OfOrder } from "../render/facts.ts";
import type { LetterRow } from "../render/letter.ts";
import { orderPlaceholders } from "../render/placeholders.ts";
import { cardRow, dateRow, listLines, nameLine, type View } from "../render/view.ts";

type Facts = OfOrder & {
  placed_at: Instant;
  /** Whether an earlier order has paid for this delivery; `amount` is then 0. */
  is_prepaid: boolean;
  discount_amount: number;
  /** Null where it is not known; 0 is not shown either. */
  shipping_amount: number | null;
  tax_amount: number | null;
  /** The payment method that was charged; null where it is not known or nothing was charged. */
  card: Card | null;
};

/** An order of a subscription, as it was paid. */
export const receipt: MailKindDefinition<"receipt", Facts> = {
  name: "receipt",
  description: "An order, its amounts and its delivery date.",
  events: [eventTypes.order_placed],
  placeholders: orderPlaceholders,
  isSentByStores: true,
  async prepare(ctx, event): Promise<Facts> {
    const order = await getOrder(ctx, event.loggable_id);
    const view = await subscriptionOf(ctx, order);
    const { billing_attempt_id } = order;
    const attempt = billing_attempt_id === null ? undefined : await findAttempt(ctx, billing_attempt_id);
    const charge = attempt && snapshotOf(attempt);
    const methodId = charge?.payment_method_id ?? null;
    return {
      ...factsOfOrder(ctx, order, view),
      placed_at: order.order_created_at ?? order.created_at,
      is_prepaid: order.is_prepaid === 1,
      discount_amount: order.discount_amount,
      shipping_amount: charge?.shipping_amount ?? null,
      tax_amount: charge?.tax_amount ?? null,
      card: order.total > 0 && methodId !== null ? cardOf(await findMethod(ctx, methodId)) : null,
    };
  },
  letter(view, facts) {
    const { words, amount, day, dayOf, product } = view;
    const texts = words.receipt;
    const { amount: total, currency_code: currency, is_prepaid, order_number, delivery_date } = facts;
    const [placed, goods] = [dayOf(facts.placed_at), product(facts.lines)];
    const order = texts.yourOrder(order_number);
    const isPaid = total > 0;
    const uncharged = is_prepaid ? texts.prepaid(placed, goods) : texts.free(placed, goods);
    return {
      subject: isPaid ? texts.subject(order, amount(total, currency)) : texts.subjectUncharged(order),
      intro: [
        isPaid ? texts.paid(amount(total, currency), placed, goods) : uncharged,
        ...(delivery_date === null ? [] : [texts.delivery(day(delivery_date))]),
      ],
      sums: isPaid ? sumsOf(view, facts) : [],
      facts: [
        order_number === null ? null : { label: words.order, value: order_number },
        isPaid
          ? { label: words.paidOn, value: placed }
          : { label: words.items, value: listLines(facts.lines) },
        cardRow(view, facts.card),
        dateRow(view, words.delivery, delivery_date),
        { label: words.seller, value: view.shop },
      ],
      button: { text: words.manageSubscription, url: facts.manage_url },
    };
  },
  sample: ({ subscription, deliveryDate, card, now }) => ({
    ...subscription,
    order_number: "1001",
    placed_at: now,
    is_prepaid: false,
    discount_amount: 0,
    shipping_amount: 0,
    tax_amount: 0,
    card,
    delivery_date: deliveryDate,
  }),
};

/** The goods, then each discount and addition; the total is last. */
function sumsOf({ words, amount }: View, facts: Facts): (LetterRow | null)[] {
  const { currency_code: currency, lines, discount_amount, shipping_amount, tax_amount } = facts;
  const sum = (label: string, minor: number | null): LetterRow | null =>
    minor === null || minor === 0 ? null : { label, value: amount(minor, currency) };
  return [
    ...lines.map((line) => ({
      label: nameLine(line),
      value: line.amount === null ? "–" : amount(line.amount, currency),
    })),
    sum(words.discount, -discount_amount),
    sum(words.shipping, shipping_amount),
    sum(words.tax, tax_amount),
    { label: words.total, value: amount(facts.amount, currency) },
  ];
}
