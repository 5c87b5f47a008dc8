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
  login_link: "The link into the portal; not sent 15 minutes late.",
  welcome: "A new subscription: what, how often, for how much, and how to cancel.",
  upcoming_charge: "A coming charge, and until when it can be changed.",
  receipt: "An order, its amounts and its delivery date.",
  payment_failed: "A failed payment, when it is tried again, and where to pay.",
  confirm_payment: "A payment to confirm, and where to do so.",
  address_missing: "What a delivery address lacks, and where to give it.",
  payment_ended: "All retries of a payment have failed: what happens now.",
  card_expiring: "A card that expires soon, of a living subscription: 30 and 7 days before.",
  changed:
    "A change by somebody else than the customer; a cancellation and a reactivation always. Changes within 5 minutes are one mail.",
  price_change: "A new price, the first charge at it, and where to cancel.",
  shipped: "An order that is on its way, with its tracking.",
};

const kindsInWords = mailKinds.map((kind) => `${kind}: ${kindTexts[kind]}`).join(" ");

export const MailKindName = z
  .enum(mailKinds)
  .openapi("MailKind", { description: `What a mail is about. ${kindsInWords}` });
export const MailKindOfMail = z.enum([...mailKinds, "test"]).openapi("MailKindOrTest", {
  description: `What a mail is about. ${kindsInWords} test: an example that the merchant has sent to try the settings.`,
});
