import { credentialFields } from "../../../../domain/mail/credentials.ts";
import type { Field } from "../forms/fields.ts";
import type { StaffForm } from "../forms/form.ts";
import { required, secret, text } from "./fields.ts";

const providers = { resend: "Resend", postmark: "Postmark", smtp: "a server of yours (SMTP)" } as const;

const labels: Record<string, Omit<Field, "name">> = {
  api_key: secret("", "API key"),
  webhook_secret: secret("", "Secret of its webhooks"),
  server_token: secret("", "Token of the server"),
  webhook_user: text("", "User of its webhooks"),
  webhook_password: secret("", "Password of its webhooks"),
  host: text("", "Host"),
  port: { label: "Port", kind: "number", help: "465, 587 or 2525" },
  user: text("", "User"),
  password: secret("", "Password"),
};

function mailForm(provider: keyof typeof providers): StaffForm {
  const { needed, optional } = credentialFields[provider];
  const field = (name: string, more: Partial<Field>): Field => ({
    label: name,
    ...labels[name],
    ...more,
    name: `credentials.${name}`,
  });
  return {
    operation: "updateMailSettings",
    title: `Send mails by ${providers[provider]}`,
    button: "Use it",
    note: "The keys are stored sealed, and never shown again. The first provider switches mails on.",
    fields: [
      {
        ...{ name: "from_address", label: "Sender’s address", kind: "email", isRequired: true },
        help: "of a domain that may be sent for",
      },
      ...needed.map((name) => field(name, required)),
      ...optional.map((name) => field(name, {})),
    ],
    bodyOf: (values) => ({ provider, ...values }),
    back: "/settings/mail",
    isDirect: true,
  };
}

const back = "/settings/store";

/** The forms with the keys of others: of the store, and of who sends mails. */
export const connectionForms: Record<string, StaffForm> = {
  "connect-store": {
    operation: "connectStore",
    title: "Connect the shop to Stripe",
    button: "Connect it",
    note: "The keys are tried at Stripe, stored sealed, and never shown again.",
    fields: [
      secret("secret_key", "Secret or restricted key", required),
      text("publishable_key", "Publishable key", required),
      secret("webhook_secret", "Secret of a webhook endpoint that was made by hand"),
    ],
    bodyOf: (values) => ({ store: "stripe", ...values }),
    back,
    isDirect: true,
  },
  "disconnect-store": {
    operation: "disconnectStore",
    title: "Disconnect the shop from Stripe",
    button: "Disconnect it",
    note: "Nobody is charged then, and the keys are deleted.",
    back,
    isDangerous: true,
  },
  "mail-by-resend": mailForm("resend"),
  "mail-by-postmark": mailForm("postmark"),
  "mail-by-smtp": mailForm("smtp"),
};
