import { shorten } from "../../../base/lib/text.ts";
import type { MailKind } from "../kinds.ts";
import { clean, cleanLines } from "./clean.ts";
import type { MailFacts } from "./facts.ts";
import { toHtml } from "./html.ts";
import type { Letter } from "./letter.ts";
import { receiptLetter, shippedLetter } from "./letters/orders.ts";
import {
  cardExpiringLetter,
  confirmPaymentLetter,
  paymentEndedLetter,
  paymentFailedLetter,
  upcomingChargeLetter,
} from "./letters/payments.ts";
import { priceChangeLetter } from "./letters/prices.ts";
import { loginLinkLetter } from "./letters/sign-in.ts";
import { addressMissingLetter, changedLetter, welcomeLetter } from "./letters/subscriptions.ts";
import type { Look } from "./look.ts";
import { applyTemplate, templateValues } from "./template.ts";
import { toText } from "./text.ts";
import { type View, viewOf } from "./view.ts";

/** A mail as it is sent. The subject is one line; `html` and `text` say the same. */
export type RenderedMail = { subject: string; html: string; text: string };

/** The longest subject, in characters: programs show less. */
export const subjectMax = 150;

/** Writes a mail of a kind in the customer's language. The same facts and look make the same mail. */
export function renderMail<Kind extends MailKind>(
  kind: Kind,
  facts: MailFacts[Kind],
  look: Look,
): RenderedMail {
  const [harmless, shop] = [clean(facts), cleanLook(look)];
  const view = viewOf(shop, harmless);
  const ours = letters[kind](view, harmless);
  const letter = applyTemplate(ours, shop.template, templateValues(view, shop, harmless));
  return {
    subject: shorten(letter.subject, subjectMax),
    html: toHtml(letter, view, shop),
    text: toText(letter, view, shop),
  };
}

const letters: { [Kind in MailKind]: (view: View, facts: MailFacts[Kind]) => Letter } = {
  login_link: loginLinkLetter,
  welcome: welcomeLetter,
  upcoming_charge: upcomingChargeLetter,
  receipt: receiptLetter,
  payment_failed: paymentFailedLetter,
  confirm_payment: confirmPaymentLetter,
  address_missing: addressMissingLetter,
  payment_ended: paymentEndedLetter,
  card_expiring: cardExpiringLetter,
  changed: changedLetter,
  price_change: priceChangeLetter,
  shipped: shippedLetter,
};

/** The template is cleaned where it is filled in, and the postal address keeps its lines. */
function cleanLook({ template, postal_address, ...look }: Look): Look {
  const postal = postal_address === null ? null : cleanLines(postal_address).trim();
  return { ...clean(look), template, postal_address: postal || null };
}
