import { z } from "@hono/zod-openapi";
import { kindNamed, type MailKind, mailKinds } from "./kinds.ts";
import { mailProviders } from "./tables.ts";

export const Provider = z.enum(mailProviders).openapi("MailProvider", {
  description:
    "Who sends the mails. none: nobody. log: nobody either; they are kept and printed for developers, in local deployments alone. resend, postmark: these services. smtp: a mail server of the merchant's.",
});

/** A value for each kind of mail. */
export function ofEachKind<Value>(make: (kind: MailKind) => Value): Record<MailKind, Value> {
  return Object.fromEntries(mailKinds.map((kind) => [kind, make(kind)])) as Record<MailKind, Value>;
}

/** Each kind as the API describes it. */
export const kindTexts = ofEachKind((kind) => kindNamed(kind).description);

const kindsInWords = mailKinds.map((kind) => `${kind}: ${kindTexts[kind]}`).join(" ");

export const MailKindName = z
  .enum(mailKinds)
  .openapi("MailKind", { description: `What a mail is about. ${kindsInWords}` });
export const MailKindOfMail = z.enum([...mailKinds, "test"]).openapi("MailKindOrTest", {
  description: `What a mail is about. ${kindsInWords} test: an example that the merchant has sent to try the settings.`,
});
