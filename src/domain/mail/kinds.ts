import { characters } from "../../base/lib/text.ts";
import { withSuggestion } from "../../kit/http/nearest-name.ts";

/** The mails that customers get. */
export const mailKinds = [
  "login_link",
  "welcome",
  "upcoming_charge",
  "receipt",
  "payment_failed",
  "confirm_payment",
  "address_missing",
  "payment_ended",
  "card_expiring",
  "changed",
  "price_change",
  "shipped",
] as const;
export type MailKind = (typeof mailKinds)[number];

/** The parts of a mail that a merchant can word; each is plain text. */
export const templateParts = ["subject", "intro", "closing"] as const;
export type MailTemplate = Record<(typeof templateParts)[number], string>;

/** The most characters (Unicode code points) of each part. */
export const templateLengthMax = 2000;

const everywhere = ["first_name", "shop_name", "support_email"] as const;
const subscription = [
  ...everywhere,
  ...(["number", "product", "frequency", "next_date", "amount", "manage_url"] as const),
] as const;
const order = ["order_number", "delivery_date", "tracking_url"] as const;
const price = ["old_price", "new_price", "first_date", "cancel_url"] as const;
const card = ["brand", "last4", "expires"] as const;

/** The names that a template of each kind may have in braces. */
export const templateNames = {
  login_link: everywhere,
  welcome: subscription,
  upcoming_charge: subscription,
  receipt: [...subscription, ...order],
  payment_failed: [...subscription, "reason", "next_try"],
  confirm_payment: subscription,
  address_missing: subscription,
  payment_ended: [...subscription, "reason"],
  card_expiring: [...everywhere, ...card],
  changed: subscription,
  price_change: [...subscription, ...price],
  shipped: [...subscription, ...order],
} as const satisfies Record<MailKind, readonly string[]>;
export type TemplateName = (typeof templateNames)[MailKind][number];

/** A name in braces. Braces cannot be written otherwise: a text that needs them for something else is refused as an unknown name. */
export const placeholderPattern = /\{([^{}]*)\}/g;

/**
 * Checks a part of a template and returns a message for each fault: a name that its kind does not have, with the nearest that it has; too many
 * characters; a line break in a subject.
 */
export function checkTemplate(kind: MailKind, text: string, part?: keyof MailTemplate): string[] {
  const known: readonly string[] = templateNames[kind];
  const sent = new Set(Array.from(text.matchAll(placeholderPattern), ([, name = ""]) => name));
  const unknown = [...sent].filter((name) => !known.includes(name));
  const tooLong = characters(text) > templateLengthMax;
  return [
    ...(tooLong ? [`must have at most ${templateLengthMax} characters`] : []),
    ...(part === "subject" && /[\r\n\u2028\u2029]/.test(text) ? ["must be one line"] : []),
    ...unknown.map((name) =>
      withSuggestion(`has the unknown name {${name.slice(0, longestShown)}}`, known, name),
    ),
  ];
}

/** A misspelt name is shown in its message, but not a whole text between two braces. */
const longestShown = 64;
