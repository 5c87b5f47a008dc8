import {
  alternatives,
  dayOf,
  day as formatDay,
  moment as formatMoment,
  money,
  monthOf,
} from "../../../base/language/format.ts";
import { cardOf, nameGoods } from "../../../base/language/names.ts";
import { toMajor } from "../../../base/lib/money.ts";
import type { CalendarDate, Instant } from "../../../base/lib/time/dates.ts";
import type { Cancelling, Card, EveryMail, Frequency, LetterLine } from "./facts.ts";
import type { Button, LetterRow } from "./letter.ts";
import type { Look } from "./look.ts";
import { type MailWords, mailWordsOf } from "./words/index.ts";

/** The form in which facts are written for one customer: in their language, by the clocks of the shop. */
export type View = {
  locale: Look["locale"];
  words: MailWords;
  shop: string;
  support_email: string | null;
  amount: (minor: number, currency: string) => string;
  amountOf: (facts: { amount: number; currency_code: string }) => string;
  /** A calendar date, with its day of the week. */
  day: (date: CalendarDate) => string;
  /** The date of an instant. */
  dayOf: (instant: Instant) => string;
  moment: (instant: Instant) => string;
  /** The month and year of a date. */
  month: (date: CalendarDate) => string;
  frequency: (frequency: Frequency) => string;
  /** Values of which one or another is meant: $9.00 or $10.00. */
  oneOf: (values: string[]) => string;
  /** A name for the goods of a subscription. */
  product: (lines: LetterLine[]) => string;
};

export function viewOf({ locale, shop_name, support_email }: Look, { timezone }: EveryMail): View {
  const words = mailWordsOf(locale);
  const amount = (minor: number, currency: string) => money(locale, toMajor(minor, currency), currency);
  return {
    locale,
    words,
    shop: shop_name,
    support_email,
    amount,
    amountOf: (facts) => amount(facts.amount, facts.currency_code),
    day: (date) => formatDay(locale, date),
    dayOf: (instant) => dayOf(locale, instant, timezone),
    moment: (instant) => formatMoment(locale, instant, timezone),
    month: (date) => monthOf(locale, date),
    frequency: ({ interval, interval_count }) => words.every(interval, interval_count),
    oneOf: (values) => alternatives(locale, values),
    product: (lines) =>
      nameGoods(
        words,
        lines.map(({ title }) => title),
      ),
  };
}

/** The ways to the pages on which anybody cancels or withdraws, at the foot of every mail to customers. */
export function leavingLinks({ words }: View, { portal_url }: Pick<Look, "portal_url">): Button[] {
  if (portal_url === null) return [];
  return [
    { text: words.leaveHere, url: `${portal_url}/leave` },
    { text: words.withdrawHere, url: `${portal_url}/withdraw` },
  ];
}

/** A line as it is listed: how many of which variant. */
export function nameLine({ quantity, title, variant_title }: LetterLine): string {
  return `${quantity} × ${title}${variant_title ? `, ${variant_title}` : ""}`;
}

/** The goods, each on a line of its own. */
export function listLines(lines: LetterLine[]): string {
  return lines.map(nameLine).join("\n");
}

export function cardRow({ words }: View, card: Card | null): LetterRow | null {
  return card && { label: words.payment, value: cardOf(card.brand, card.last4, words) };
}

export function dateRow({ day }: View, label: string, date: CalendarDate | null): LetterRow | null {
  return date === null ? null : { label, value: day(date) };
}

/** The way in which a customer cancels, or from when on. */
export function cancellingText({ words, day }: View, cancelling: Cancelling): string {
  if (!cancelling.is_allowed) return words.cancelByShop;
  const { payments_before: count, from } = cancelling;
  if (count === 0) return words.cancelAnyTime;
  return from === null ? words.cancelAfter(count) : words.cancelFrom(count, day(from));
}

/** Whether a customer cancels now, on the page of the subscription. */
export function canCancelNow(cancelling: Cancelling): boolean {
  return cancelling.is_allowed && cancelling.payments_before === 0;
}
