import { z } from "@hono/zod-openapi";
import { mailKinds } from "./kinds.ts";
import { mailProviders } from "./tables.ts";

export const Provider = z.enum(mailProviders).openapi("MailProvider", {
  description:
    "Who sends the mails. none: nobody. log: nobody either; they are kept and printed for developers, in local deployments alone. resend, postmark: these services. smtp: a mail server of the merchant's.",
});

/** A value for each kind of mail. */
export type Kinds<Value> = Record<(typeof mailKinds)[number], Value>;

/** Each kind as the API describes it. */
export const kindTexts: Kinds<string> = {
  login_link: "The link that signs a customer in to the portal. One that is 15 minutes late is not sent.",
  welcome: "A new subscription: what, how often, for how much, and how to cancel.",
  upcoming_charge: "A charge that is coming: its amount and date, and until when it can be changed.",
  receipt: "An order: its lines, discounts, shipping, tax, card and delivery date.",
  payment_failed: "A payment that has failed: why, when it is tried again, and where to pay.",
  confirm_payment: "A payment that waits for the customer's confirmation, and where to confirm it.",
  payment_ended: "All retries of a payment have failed: what happens now.",
  card_expiring: "A card that expires soon, of a living subscription: 30 and 7 days before.",
  changed:
    "A change by somebody else than the customer; a cancellation and a reactivation always. Changes within 5 minutes are one mail.",
  price_change:
    "A new price, announced beforehand: the old one, the new one, the first charge at it, and where to cancel.",
  shipped: "An order that is on its way, with its tracking.",
};

const kindsInWords = mailKinds.map((kind) => `${kind}: ${kindTexts[kind]}`).join(" ");

export const MailKindName = z
  .enum(mailKinds)
  .openapi("MailKind", { description: `What a mail is about. ${kindsInWords}` });
export const MailKindOfMail = z.enum([...mailKinds, "test"]).openapi("MailKindOrTest", {
  description: `What a mail is about. ${kindsInWords} test: an example that the merchant has sent to try the settings.`,
});
