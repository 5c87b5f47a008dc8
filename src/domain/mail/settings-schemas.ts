import { z } from "@hono/zod-openapi";
import { intervalFault } from "../../base/lib/time/intervals.ts";
import { named } from "../../kit/http/document/describe.ts";
import { countWithinUnit, implies, isSent } from "../../kit/http/document/field-rules.ts";
import {
  intervalCount,
  intervalUnit,
  intervalUnitOut,
  orNull,
  text,
} from "../../kit/http/document/params.ts";
import { dataOf } from "../../kit/http/list/pagination.ts";
import { email } from "../profiles/schemas.ts";
import { credentialFields } from "./credentials.ts";
import { hasControl } from "./headers.ts";
import { kindTexts, ofEachKind, Provider } from "./kind-schemas.ts";
import { kindNamed, mailKinds } from "./kinds.ts";
import { type MailProvider, mailProviders } from "./tables.ts";

const controls = "\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029";

/** Text that becomes part of a header field. */
function oneLine(bounds: { min?: number; max: number }) {
  return text(bounds)
    .refine((value) => !hasControl(value), "must be one line without control characters")
    .openapi({ pattern: `^[^${controls}]*$` });
}

const KindSetting = z
  .strictObject({
    is_enabled: z.boolean().openapi({ description: "Whether mails of the kind are sent.", example: true }),
  })
  .openapi("MailKindSetting", { example: { is_enabled: true } });

const MailKinds = named("MailKinds", z.strictObject(ofEachKind(() => KindSetting)), kindTexts);
const MailKindsIn = named(
  "MailKindsIn",
  z.strictObject(ofEachKind(() => KindSetting.optional())),
  kindTexts,
  {
    example: { receipt: { is_enabled: false } },
  },
);

const days = z.int().min(1).max(60);
const ruleTexts = {
  interval: "The unit of the billing interval that the rule is about.",
  at_least: ["How many of the unit the interval has at least.", 2],
  days_before: ["How many days before a charge its customer is told: 1 to 60.", 7],
} as const;
const Rule = named(
  "ReminderRule",
  z.strictObject({ interval: intervalUnitOut, at_least: z.int(), days_before: z.int() }),
  ruleTexts,
);
const RuleIn = named(
  "ReminderRuleIn",
  z
    .strictObject({ interval: intervalUnit, at_least: intervalCount, days_before: days })
    .superRefine(({ interval, at_least }, c) => {
      const message = intervalFault(interval, at_least);
      if (message) c.addIssue({ code: "custom", path: ["at_least"], message });
    }),
  ruleTexts,
  {
    dependentSchemas: countWithinUnit("interval", "at_least"),
    example: { interval: "MONTH", at_least: 2, days_before: 7 },
  },
);

/** A user or password, as it was copied: no space or line end belongs to it that came along. */
const secret = oneLine({ min: 1, max: 500 })
  .refine((value) => value.trim() === value, "must be without spaces at its ends")
  .openapi({ pattern: `^[^\\s${controls}]([^${controls}]*[^\\s${controls}])?$` });

/** A key that a header carries. */
const token = text({ min: 1, max: 500 })
  .refine((value) => /^[!-~]*$/.test(value), "must be one line of visible ASCII characters without spaces")
  .openapi({ pattern: "^[!-~]*$" });

const Credentials = named(
  "MailCredentials",
  z.strictObject({
    api_key: token.optional(),
    webhook_secret: token
      .refine(
        (value) => /^(whsec_)?[A-Za-z0-9+/]{16,}={0,2}$/.test(value),
        "must be a secret such as whsec_…",
      )
      .openapi({ pattern: "^(whsec_)?[A-Za-z0-9+/]{16,}={0,2}$" })
      .optional(),
    server_token: token.optional(),
    webhook_user: secret.optional(),
    webhook_password: secret.optional(),
    host: text({ min: 1, max: 253 }).optional(),
    port: z.int().min(1).max(65_535).optional(),
    user: secret.optional(),
    password: secret.optional(),
  }),
  {
    api_key: ["Of resend: its API key.", "re_EXAMPLE"],
    webhook_secret: [
      "Of resend: the secret that signs its webhooks.",
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    ],
    server_token: ["Of postmark: the token of its server.", "00000000-0000-0000-0000-000000000000"],
    webhook_user: ["Of postmark: the user that its webhooks name.", "perennial"],
    webhook_password: ["Of postmark: the password that its webhooks name.", "a long password"],
    host: ["Of smtp: a public host name.", "smtp.example.com"],
    port: ["Of smtp: 465, 587 or 2525.", 587],
    user: ["Of smtp: the user.", "shop"],
    password: ["Of smtp: the password.", "a long password"],
  },
  { example: { api_key: "re_EXAMPLE" } },
);

const sentByStores = mailKinds.filter((kind) => kindNamed(kind).isSentByStores);

const settingTexts = {
  provider: "Who sends the mails. none until it is set.",
  from_name: ["The sender's name, at most 100 characters. The account's name by default.", "Demo Store"],
  from_address: [
    "The sender's address, of a domain that the provider may send for. Null: none, which the provider log alone does without.",
    "hello@shop.example.com",
  ],
  reply_to: ["Where answers go; null: to the sender.", "help@shop.example.com"],
  is_enabled: "Whether mails are sent. Setting the first provider switches them on.",
  kinds: `Whether mails of each kind are sent. All are, but on a connected store ${sentByStores.join(" and ")}, which it sends itself. A change names the kinds that it changes.`,
  postal_address: [
    "The sender's postal address, at the foot of each mail, at most 500 characters; null: none.",
    "12 Elm Street, Brooklyn, NY 11201",
  ],
  reminders:
    "How many days before a charge customers are told of it, by how often they are billed: of several rules that match the longest notice. Other intervals have the account's `payment_reminder_days_before`.",
} as const;

const MailSettingsBody = named(
  "MailSettings",
  z.strictObject({
    provider: Provider,
    from_name: z.string(),
    from_address: z.string().nullable(),
    reply_to: z.string().nullable(),
    has_credentials: z.boolean(),
    is_enabled: z.boolean(),
    kinds: MailKinds,
    postal_address: z.string().nullable(),
    reminders: z.array(Rule),
  }),
  { ...settingTexts, has_credentials: "Whether credentials of the provider are stored. They are not shown." },
);
export const MailSettingsData = dataOf(MailSettingsBody, "MailSettingsData", "The settings.");

/** The document's rule about each provider: beside it are sent its own credentials, which it cannot do without, and neither can mails without a sender. */
function ofProvider(provider: MailProvider): object {
  const { needed, optional } = credentialFields[provider];
  const sends = needed.length > 0;
  const credentials = sends
    ? { type: "object", propertyNames: { enum: [...needed, ...optional] } }
    : { type: ["object", "null"], maxProperties: 0 };
  return implies(isSent("provider", provider), {
    properties: {
      credentials,
      ...(sends ? { from_address: { not: { type: "null" } } } : {}),
      ...(provider === "none" ? { is_enabled: { const: false } } : {}),
    },
  });
}

export const MailSettingsUpdate = named(
  "MailSettingsUpdate",
  z.strictObject({
    provider: Provider.optional(),
    from_name: oneLine({ max: 100 }).optional(),
    from_address: orNull(email).optional(),
    reply_to: orNull(email).optional(),
    credentials: orNull(Credentials).optional(),
    is_enabled: z.boolean().optional(),
    kinds: MailKindsIn.optional(),
    postal_address: text({ max: 500 }).nullable().optional(),
    reminders: z.array(RuleIn).max(50).optional(),
  }),
  {
    ...settingTexts,
    credentials:
      "What the provider is reached with; stored sealed and never shown. A change names what it changes; another provider begins without any; null removes all.",
  },
  {
    dependentSchemas: { provider: { allOf: mailProviders.map(ofProvider) } },
    example: {
      provider: "resend",
      from_address: "hello@shop.example.com",
      credentials: { api_key: "re_EXAMPLE" },
    },
  },
);
export type MailSettingsChanges = z.output<typeof MailSettingsUpdate>;

export const MailTest = named(
  "MailTest",
  z.strictObject({ to: email }),
  { to: ["Where the test is sent.", "ada@example.com"] },
  { example: { to: "ada@example.com" } },
);
