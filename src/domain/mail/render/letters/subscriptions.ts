import { addressLines } from "../../../../base/language/names.ts";
import type { Change, MailFacts } from "../facts.ts";
import { filled, type Letter, type LetterRow } from "../letter.ts";
import { cancellingText, dateRow, listLines, type View } from "../view.ts";

export function welcomeLetter(view: View, facts: MailFacts["welcome"]): Letter {
  const { words, shop, amount, day, product } = view;
  const texts = words.welcome;
  const { next_charge_date: charge } = facts;
  const [sum, goods] = [amount(facts.amount, facts.currency_code), product(facts.lines)];
  return {
    subject: texts.subject(goods),
    intro: [charge === null ? texts.firstUncharged(goods) : texts.first(goods, sum, day(charge))],
    sums: [],
    facts: filled([
      { label: words.items, value: listLines(facts.lines) },
      { label: words.amount, value: sum },
      { label: words.frequency, value: view.frequency(facts.frequency) },
      dateRow(view, words.nextCharge, charge),
      dateRow(view, words.nextDelivery, facts.next_date),
      { label: words.cancelling, value: cancellingText(view, facts.cancelling) },
    ]),
    button: { text: words.manageSubscription, url: facts.manage_url },
    closing: [],
    because: words.becauseSubscribed(shop),
  };
}

export function changedLetter(view: View, facts: MailFacts["changed"]): Letter {
  const { words, shop, dayOf, product } = view;
  const texts = words.changed;
  const { change, way_back } = facts;
  const first = texts.first[change](dayOf(facts.changed_at), facts.skipped_count ?? 1);
  return {
    subject: texts.subject[change],
    intro: [
      [
        `${words.labelled(first, product(facts.lines))}.`,
        ...(facts.by === "shop" ? [texts.byShop(shop)] : []),
      ].join(" "),
      ...nextChargeText(view, facts),
    ],
    sums: [],
    facts: filled(facts.changes.map((each) => changeRow(view, each, facts.currency_code))),
    button: way_back
      ? { text: texts.wayBack[way_back.kind].button, url: way_back.url }
      : { text: words.manageSubscription, url: facts.manage_url },
    closing: way_back ? [texts.wayBack[way_back.kind].sentence] : [],
    because: words.becauseSubscribed(shop),
  };
}

function nextChargeText(
  { words: { changed: texts }, amount, day }: View,
  facts: MailFacts["changed"],
): string[] {
  if (facts.next_charge_date !== null)
    return [texts.nextCharge(amount(facts.amount, facts.currency_code), day(facts.next_charge_date))];
  if (facts.change === "cancelled")
    return [
      texts.nothingMore,
      ...(facts.next_date === null ? [] : [texts.lastDelivery(day(facts.next_date))]),
    ];
  return facts.change === "paused" ? [texts.nothingPaused] : [];
}

function changeRow(view: View, change: Change, currency: string): LetterRow {
  const { words, day, amount, frequency } = view;
  const { none } = words;
  const pair = <Value>(
    label: string,
    values: { before: Value; after: Value },
    show: (value: Value) => string,
  ) => ({
    label,
    value: show(values.after),
    before: show(values.before),
  });
  const dateOr = (nothing: string) => (value: string | null) => (value === null ? nothing : day(value));
  switch (change.field) {
    case "status":
      return pair(words.status, change, (status) => words.statuses[status]);
    case "next_delivery_date":
      return pair(words.nextDelivery, change, dateOr(none.delivery));
    case "next_charge_date":
      return pair(words.nextCharge, change, dateOr(none.charge));
    case "pause_until":
      return pair(words.pausedUntil, change, (value) => (value === null ? "–" : day(value)));
    case "frequency":
      return pair(words.frequency, change, frequency);
    case "delivery_address":
      return pair(words.address, change, (address) => addressLines(address).join("\n") || none.address);
    case "lines":
      return pair(words.items, change, (lines) => listLines(lines) || none.items);
    case "amount":
      return pair(words.amount, change, (minor) => amount(minor, currency));
  }
}

export function addressMissingLetter(view: View, facts: MailFacts["address_missing"]): Letter {
  const { words, shop, product, amount } = view;
  const texts = words.address_missing;
  return {
    subject: texts.subject,
    intro: [
      texts.first(product(facts.lines), facts.missing.map((field) => texts.fields[field]).join(", ")),
      texts.next,
    ],
    sums: [],
    facts: filled([
      { label: words.items, value: listLines(facts.lines) },
      { label: words.amount, value: amount(facts.amount, facts.currency_code) },
    ]),
    button: { text: texts.button, url: facts.address_url },
    closing: [],
    because: words.becauseSubscribed(shop),
  };
}
