import type { MailFacts } from "../facts.ts";
import { type Button, filled, type Letter } from "../letter.ts";
import { canCancelNow, cancellingText, dateRow, listLines, type View } from "../view.ts";

type Facts = MailFacts["price_change"];

export function priceChangeLetter(view: View, facts: Facts): Letter {
  const { words, shop, amount, day, moment, oneOf, product } = view;
  const texts = words.price_change;
  const { first_charge_date: date, change_until: until, currency_code: currency, cancelling } = facts;
  const from = oneOf(facts.old_prices.map((price) => amount(price, currency)));
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
    sums: [],
    facts: filled([
      { label: texts.price, value: to, before: from },
      dateRow(view, texts.firstCharge, date),
      date === null ? null : { label: texts.amount, value: amount(facts.amount, currency) },
      until === null ? null : { label: words.changesUntil, value: moment(until) },
      { label: words.items, value: listLines(facts.lines) },
      canCancelNow(cancelling) ? null : { label: words.cancelling, value: cancellingText(view, cancelling) },
    ]),
    button: buttonOf(view, facts),
    closing: [],
    because: words.becauseSubscribed(shop),
  };
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
