import { cardOf } from "../../../../base/language/names.ts";
import type { FinalAction, MailFacts } from "../facts.ts";
import { type Button, filled, type Letter, type LetterRow } from "../letter.ts";
import { canCancelNow, cancellingText, cardRow, dateRow, listLines, type View } from "../view.ts";

export function upcomingChargeLetter(view: View, facts: MailFacts["upcoming_charge"]): Letter {
  const { words, shop, day, moment, product } = view;
  const texts = words.upcoming_charge;
  const { cancelling } = facts;
  const canCancel = canCancelNow(cancelling);
  const [sum, date, until] = [amountOf(view, facts), day(facts.charge_date), moment(facts.change_until)];
  return {
    subject: texts.subject(sum, date),
    intro: [
      texts.first(sum, date, product(facts.lines)),
      canCancel ? texts.next(until) : texts.nextUncancellable(until),
    ],
    sums: [],
    facts: filled([
      { label: words.amount, value: sum },
      { label: words.nextCharge, value: date },
      { label: words.changesUntil, value: until },
      { label: words.items, value: listLines(facts.lines) },
      { label: words.frequency, value: view.frequency(facts.frequency) },
      dateRow(view, words.nextDelivery, facts.next_date),
      cardRow(view, facts.card),
      canCancel ? null : { label: words.cancelling, value: cancellingText(view, cancelling) },
    ]),
    button: { text: canCancel ? texts.button : words.manageSubscription, url: facts.manage_url },
    closing: [],
    because: words.becauseSubscribed(shop),
  };
}

export function paymentFailedLetter(view: View, facts: MailFacts["payment_failed"]): Letter {
  const { words, shop, dayOf, product } = view;
  const texts = words.payment_failed;
  const sum = amountOf(view, facts);
  const { subject, next } = nextStepOf(view, facts, sum);
  const reason = words.reasons[facts.reason];
  return {
    subject,
    intro: [texts.first(sum, dayOf(facts.failed_at), product(facts.lines), reason), next],
    sums: [],
    facts: filled([
      { label: words.amount, value: sum },
      { label: words.items, value: listLines(facts.lines) },
      cardRow(view, facts.card),
      facts.next_try === null ? null : { label: words.nextTry, value: dayOf(facts.next_try) },
      unpaidRow(view, facts),
    ]),
    button: { text: payText(view, facts), url: facts.pay_url },
    closing: facts.ends_at === null ? [] : [texts.alreadyPaid],
    because: words.becauseSubscribed(shop),
  };
}

export function confirmPaymentLetter(view: View, facts: MailFacts["confirm_payment"]): Letter {
  const { words, shop, dayOf, moment, product } = view;
  const texts = words.confirm_payment;
  const [sum, until] = [amountOf(view, facts), moment(facts.expires_at)];
  return {
    subject: texts.subject(sum, dayOf(facts.expires_at)),
    intro: [texts.first(sum, until, product(facts.lines)), texts.next],
    sums: [],
    facts: filled([
      { label: words.amount, value: sum },
      { label: words.confirmUntil, value: until },
      { label: words.items, value: listLines(facts.lines) },
    ]),
    button: { text: words.confirmPayment, url: facts.confirm_url || facts.manage_url },
    closing: [texts.already],
    because: words.becauseSubscribed(shop),
  };
}

export function paymentEndedLetter(view: View, facts: MailFacts["payment_ended"]): Letter {
  const { words, shop, dayOf, product } = view;
  const texts = words.payment_ended;
  const { final_action: action } = facts;
  const sum = amountOf(view, facts);
  const reason = words.reasons[facts.reason];
  return {
    subject: texts.subject[action](sum),
    intro: [texts.first(sum, dayOf(facts.ended_at), product(facts.lines), reason), texts.now[action]],
    sums: [],
    facts: filled([
      { label: words.amount, value: sum },
      { label: words.items, value: listLines(facts.lines) },
      { label: words.status, value: words.statuses[statusAfter[action]] },
    ]),
    button: { text: returnText(view, action), url: facts.return_url },
    closing: [],
    because: words.becauseSubscribed(shop),
  };
}

export function cardExpiringLetter(view: View, facts: MailFacts["card_expiring"]): Letter {
  const { words, shop, day, month, product } = view;
  const texts = words.card_expiring;
  const { nextCharge } = words.changed;
  const card = texts.card(cardOf(facts.card.brand, facts.card.last4)).trim();
  const until = month(facts.expires_on);
  const goods = product(facts.subscriptions.flatMap(({ lines }) => lines));
  const [first] = facts.subscriptions
    .map(({ next_charge }) => next_charge)
    .filter((charge) => charge !== null)
    .toSorted((a, b) => a.date.localeCompare(b.date));
  return {
    subject: texts.subject(card, until),
    intro: [
      [
        texts.first(card, until, goods),
        ...(first ? [nextCharge(amountOf(view, first), day(first.date))] : []),
      ].join(" "),
      texts.next,
    ],
    sums: [],
    facts: filled(
      facts.subscriptions.map(({ lines, next_charge: charge }) => ({
        label: product(lines),
        value:
          charge === null
            ? texts.none
            : words.labelled(words.nextCharge, `${amountOf(view, charge)}, ${day(charge.date)}`),
      })),
    ),
    button: { text: words.changePayment, url: facts.card_url },
    closing: [],
    because: words.becauseSubscribed(shop),
  };
}

const statusAfter = {
  fail: "PAYMENT_FAILED",
  pause: "PAUSED",
  cancel: "CANCELLED",
} as const satisfies Record<FinalAction, string>;

function amountOf({ amount }: View, facts: { amount: number; currency_code: string }): string {
  return amount(facts.amount, facts.currency_code);
}

type Failed = MailFacts["payment_failed"];

/** When it is tried again, or until when the customer has to act; while billing waits for the shop, neither. */
function nextStepOf(
  { words: { payment_failed: texts }, dayOf }: View,
  facts: Failed,
  sum: string,
): { subject: string; next: string } {
  const { next_try, ends_at } = facts;
  if (next_try !== null)
    return { subject: texts.subjectRetry(sum, dayOf(next_try)), next: texts.retry(dayOf(next_try)) };
  if (ends_at !== null) {
    const until = dayOf(ends_at);
    const next = isMethodAtFault(facts) ? texts.change(until) : texts.act(until);
    return { subject: texts.subjectAct(sum, until), next };
  }
  return { subject: texts.subjectShop(sum), next: texts.shop };
}

function unpaidRow({ words, dayOf }: View, { ends_at, final_action }: Failed): LetterRow | null {
  if (ends_at === null) return null;
  return { label: words.ifUnpaid, value: words.payment_failed.ifUnpaid[final_action](dayOf(ends_at)) };
}

function payText({ words }: View, facts: Failed): string {
  if (facts.ends_at === null) return words.manageSubscription;
  return isMethodAtFault(facts) ? words.changePayment : words.payNow;
}

/** A payment method that was declined for good cannot pay now. */
function isMethodAtFault({ next_try, reason }: Failed): boolean {
  return next_try === null && reason !== "unconfirmed" && reason !== "stock";
}

function returnText({ words }: View, action: FinalAction): Button["text"] {
  return { fail: words.payNow, pause: words.resume, cancel: words.startAgain }[action];
}
