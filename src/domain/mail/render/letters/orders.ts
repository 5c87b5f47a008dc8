import type { MailFacts } from "../facts.ts";
import { filled, type Letter, type LetterRow } from "../letter.ts";
import { cardRow, dateRow, listLines, nameLine, type View } from "../view.ts";

export function receiptLetter(view: View, facts: MailFacts["receipt"]): Letter {
  const { words, shop, amount, day, dayOf, product } = view;
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
    facts: filled([
      order_number === null ? null : { label: words.order, value: order_number },
      isPaid ? { label: words.paidOn, value: placed } : { label: words.items, value: listLines(facts.lines) },
      cardRow(view, facts.card),
      dateRow(view, words.delivery, delivery_date),
    ]),
    button: { text: words.manageSubscription, url: facts.manage_url },
    closing: [],
    because: words.becauseSubscribed(shop),
  };
}

export function shippedLetter(view: View, facts: MailFacts["shipped"]): Letter {
  const { words, shop, day, product } = view;
  const texts = words.shipped;
  const { order_number, delivery_date, tracking } = facts;
  const goods = product(facts.lines);
  const url = tracking?.url ?? "";
  return {
    subject: texts.subject(order_number),
    intro: [delivery_date === null ? texts.firstUndated(goods) : texts.first(goods, day(delivery_date))],
    sums: [],
    facts: filled([
      order_number === null ? null : { label: words.order, value: order_number },
      { label: words.items, value: listLines(facts.lines) },
      {
        label: words.trackingNumber,
        value: [tracking?.company, tracking?.number].filter(Boolean).join(" "),
      },
      dateRow(view, words.delivery, delivery_date),
    ]),
    button:
      url === "" ? { text: words.manageSubscription, url: facts.manage_url } : { text: texts.button, url },
    closing: [],
    because: words.becauseSubscribed(shop),
  };
}

/** The goods, then each discount and addition; the total is last. */
function sumsOf({ words, amount }: View, facts: MailFacts["receipt"]): LetterRow[] {
  const { currency_code: currency, lines, discount_amount, shipping_amount, tax_amount } = facts;
  const sum = (label: string, minor: number | null): LetterRow | null =>
    minor === null || minor === 0 ? null : { label, value: amount(minor, currency) };
  return filled([
    ...lines.map((line) => ({
      label: nameLine(line),
      value: line.amount === null ? "–" : amount(line.amount, currency),
    })),
    sum(words.discount, -discount_amount),
    sum(words.shipping, shipping_amount),
    sum(words.tax, tax_amount),
    { label: words.total, value: amount(facts.amount, currency) },
  ]);
}
