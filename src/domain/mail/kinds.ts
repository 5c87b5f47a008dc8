import { addressMissing } from "./kinds/address-missing.ts";
import { annualNotice } from "./kinds/annual-notice.ts";
import { cardExpiring } from "./kinds/card-expiring.ts";
import { changed } from "./kinds/changed.ts";
import { confirmPayment } from "./kinds/confirm-payment.ts";
import { declaration } from "./kinds/declaration.ts";
import { loginLink } from "./kinds/login-link.ts";
import { paymentEnded } from "./kinds/payment-ended.ts";
import { paymentFailed } from "./kinds/payment-failed.ts";
import { priceChange } from "./kinds/price-change.ts";
import { receipt } from "./kinds/receipt.ts";
import { shipped } from "./kinds/shipped.ts";
import { upcomingCharge } from "./kinds/upcoming-charge.ts";
import { welcome } from "./kinds/welcome.ts";
import type { MailKindDefinition } from "./mail-kind.ts";
import type { EveryMail } from "./render/facts.ts";

/** The mails that customers get, in the order of the documentation. */
const kinds = [
  loginLink,
  welcome,
  upcomingCharge,
  receipt,
  paymentFailed,
  confirmPayment,
  addressMissing,
  paymentEnded,
  cardExpiring,
  changed,
  priceChange,
  annualNotice,
  shipped,
  declaration,
] as const;

type Kind = (typeof kinds)[number];
export type MailKind = Kind["name"];
export const mailKinds: readonly MailKind[] = kinds.map(({ name }) => name);

/** The facts of a mail, by its kind. */
export type MailFacts = { [Each in Kind as Each["name"]]: Awaited<ReturnType<Each["prepare"]>> };

/** The facts of one mail, with its kind. */
export type AnyMail = { [Name in MailKind]: { kind: Name; facts: MailFacts[Name] } }[MailKind];

type AnyKind = MailKindDefinition<MailKind, EveryMail>;
const byName: ReadonlyMap<MailKind, AnyKind> = new Map(kinds.map((kind) => [kind.name, kind]));
const byEvent: ReadonlyMap<string, AnyKind> = new Map(
  kinds.flatMap((kind) => kind.events.map((type) => [type, kind] as const)),
);

/** All that is particular to a kind. */
export function kindNamed(name: MailKind): AnyKind {
  return byName.get(name)!;
}

/** The kind of the mail that an event becomes; undefined for a test and for an event that becomes none. */
export function kindOf(eventType: string): AnyKind | undefined {
  return byEvent.get(eventType);
}

/** The type of a test mail, which is no event of the stream. */
export const testMailType = "mail.test";
