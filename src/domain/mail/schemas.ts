import { z } from "@hono/zod-openapi";
import { portalLocales } from "../../base/accounts/portal-settings.ts";
import { demoId } from "../../base/demo.ts";
import { intervalFault } from "../../base/lib/intervals.ts";
import { named } from "../../kit/http/describe.ts";
import { idOut } from "../../kit/http/fields.ts";
import { dataOf, listOf, pageQuery } from "../../kit/http/pagination.ts";
import {
  dateIn,
  idIn,
  instant,
  intervalCount,
  intervalUnit,
  intervalUnitOut,
  localeName,
  orNull,
  pathId,
  queryList,
  text,
  wordInPath,
} from "../../kit/http/params.ts";
import { email } from "../profiles/schemas.ts";
import { hasControl } from "./headers.ts";
import { mailKinds, templateLengthMax } from "./kinds.ts";
import { mailProviders, mailStatuses, suppressedReasons } from "./tables.ts";

const Provider = z.enum(mailProviders).openapi("MailProvider", {
  description:
    "Who sends the mails. none: nobody. log: nobody either; they are kept and printed for developers, in local deployments alone. resend, postmark: these services. smtp: a mail server of the merchant's.",
});

const noControls = "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$";

/** Text that becomes part of a header field. */
function oneLine(max: number) {
  return text({ max })
    .refine((value) => !hasControl(value), "must be one line without control characters")
    .openapi({ pattern: noControls });
}

const KindSetting = z
  .strictObject({
    is_enabled: z.boolean().openapi({ description: "Whether mails of the kind are sent.", example: true }),
  })
  .openapi("MailKindSetting", { example: { is_enabled: true } });

type Kinds<Value> = Record<(typeof mailKinds)[number], Value>;

const kindTexts: Kinds<string> = {
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
  shipped: "An order that is on its way, with its tracking.",
};

function ofEachKind<Value>(value: Value) {
  return Object.fromEntries(mailKinds.map((kind) => [kind, value])) as Kinds<Value>;
}

const MailKinds = named("MailKinds", z.strictObject(ofEachKind(KindSetting)), kindTexts);
const MailKindsIn = named("MailKindsIn", z.strictObject(ofEachKind(KindSetting.optional())), kindTexts, {
  example: { receipt: { is_enabled: false } },
});

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
  { example: { interval: "MONTH", at_least: 2, days_before: 7 } },
);

const secret = text({ min: 1, max: 500 });
const Credentials = named(
  "MailCredentials",
  z.strictObject({
    api_key: secret.optional(),
    webhook_secret: secret
      .refine(
        (value) => /^(whsec_)?[A-Za-z0-9+/]{16,}={0,2}$/.test(value),
        "must be a secret such as whsec_…",
      )
      .openapi({ pattern: "^(whsec_)?[A-Za-z0-9+/]{16,}={0,2}$" })
      .optional(),
    server_token: secret.optional(),
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

const settingTexts = {
  provider: "Who sends the mails. none until it is set.",
  from_name: ["The sender's name, at most 100 characters. The account's name by default.", "Demo Store"],
  from_address: [
    "The sender's address, of a domain that the provider may send for. Null: none, which the provider log alone does without.",
    "hello@shop.example.com",
  ],
  reply_to: ["Where answers go; null: to the sender.", "help@shop.example.com"],
  is_enabled: "Whether mails are sent. Setting the first provider switches them on.",
  kinds:
    "Whether mails of each kind are sent. All are, but on a connected store welcome and receipt, which it sends itself. A change names the kinds that it changes.",
  postal_address: [
    "The sender's postal address, at the foot of each mail, at most 500 characters; null: none.",
    "12 Elm Street, Brooklyn, NY 11201",
  ],
  reminders:
    "How many days before a charge customers are told of it, by how often they are billed: of several rules that match the longest notice. Other intervals have the account's `payment_reminder_days_before`.",
} as const;

export const MailSettingsBody = named(
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

export const MailSettingsUpdate = named(
  "MailSettingsUpdate",
  z.strictObject({
    provider: Provider.optional(),
    from_name: oneLine(100).optional(),
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
    example: {
      provider: "resend",
      from_address: "hello@shop.example.com",
      credentials: { api_key: "re_EXAMPLE" },
    },
  },
);
export type MailSettingsChanges = z.output<typeof MailSettingsUpdate>;

const kindsInWords = mailKinds.map((kind) => `${kind}: ${kindTexts[kind]}`).join(" ");

export const MailKindName = z
  .enum(mailKinds)
  .openapi("MailKind", { description: `What a mail is about. ${kindsInWords}` });
const MailKindOfMail = z.enum([...mailKinds, "test"]).openapi("MailKindOrTest", {
  description: `What a mail is about. ${kindsInWords} test: an example that the merchant has sent to try the settings.`,
});
const Status = z.enum(mailStatuses).openapi("MailStatus", {
  description:
    "PENDING: to be sent. SENT: the provider has accepted it. BOUNCED: it came back. COMPLAINED: its reader reported it as spam. SUPPRESSED: it is not sent, as suppressed_reason says. FAILED: every try has failed.",
});
const Suppressed = z.enum(suppressedReasons).openapi("MailSuppressedReason", {
  description:
    "Why a mail is not sent. late: it was of no use any more. joined: a newer mail says it. outdated: what it was about has changed. imported: the subscription was moved in from elsewhere. address_suppressed: the customer's address takes no mails. no_customer: the customer was deleted or erased. kind_disabled: mails of the kind are switched off. disabled: mails were switched off. store_sends: the store sends such a mail itself.",
});

export const MailBody = named(
  "Mail",
  z.strictObject({
    id: idOut,
    kind: MailKindOfMail,
    event_id: idOut.nullable(),
    profile_id: idOut.nullable(),
    subscription_id: idOut.nullable(),
    order_id: idOut.nullable(),
    to: z.string().nullable(),
    subject: z.string().nullable(),
    status: Status,
    suppressed_reason: orNull(Suppressed),
    last_error: z.string().nullable(),
    provider: orNull(Provider),
    provider_id: z.string().nullable(),
    attempt_count: z.int(),
    sent_at: instant.nullable(),
    created_at: instant,
  }),
  {
    id: ["The mail's id.", demoId("mail", 1)],
    kind: "What it is about.",
    event_id: ["The id of the event that it tells of; null for a test.", demoId("activity_log", 1)],
    profile_id: ["The id of the profile: the customer. Null for a test.", demoId("profile", 1)],
    subscription_id: ["The id of the subscription; null if it is about none.", demoId("subscription", 1)],
    order_id: ["The id of the order; null if it is about none.", null],
    to: [
      "The address that it was sent to. Masked after 30 days; null before it is sent and once the customer is erased.",
      "ada@example.com",
    ],
    subject: [
      "Its subject; null before it is sent and once the customer is erased.",
      "Your payment of $40.90",
    ],
    status: "What came of it.",
    suppressed_reason: "Why it is not sent; null unless it is SUPPRESSED.",
    last_error: ["Why the last try has failed; null if it has not.", null],
    provider: "Who has sent it; null before the first try.",
    provider_id: ["The provider's id of it; null where there is none.", null],
    attempt_count: ["How often it was tried.", 1],
    sent_at: [
      "When the provider accepted it: UTC, real time. Null if it has not.",
      "2026-11-20T12:00:00.000Z",
    ],
    created_at: ["When it was made, with its event: UTC, real time.", "2026-11-20T12:00:00.000Z"],
  },
  { description: "A mail to a customer, and what came of it. Kept for 400 days." },
);
export const MailData = dataOf(MailBody, "MailData", "The mail.");
export const MailList = listOf(MailBody, "MailList");

export const MailContent = dataOf(
  named(
    "MailContentBody",
    z.strictObject({
      subject: z.string(),
      html: z.string(),
      text: z.string(),
      is_rendered_anew: z.boolean(),
    }),
    {
      subject: ["Its subject.", "Your payment of $40.90"],
      html: ["Its HTML.", "<!doctype html><html>…</html>"],
      text: ["Its plain text.", "Your next payment of $40.90 is on 23 November."],
      is_rendered_anew:
        "Whether it was rendered for this answer, of the records as they are now; false for one that was kept as it was sent.",
    },
  ),
  "MailContent",
  "The mail in words.",
);

function bound(what: string) {
  return dateIn.optional().openapi({
    param: {
      description: `Only mails that were made ${what}: a date-time, or a date, which is its whole day in the account's time zone.`,
    },
  });
}

export const MailQuery = z.strictObject({
  ...pageQuery,
  status: queryList(mailStatuses).optional(),
  kind: queryList([...mailKinds, "test"]).optional(),
  profile_id: idIn.optional().openapi({
    description: "Only mails to this customer.",
    example: demoId("profile", 1),
  }),
  from: bound("at this time or later"),
  to: bound("at this time or earlier"),
});

export const mailParams = pathId("mail", demoId("mail", 1));

export const MailTest = named(
  "MailTest",
  z.strictObject({ to: email }),
  { to: ["Where the test is sent.", "ada@example.com"] },
  { example: { to: "ada@example.com" } },
);

const words = text({ max: templateLengthMax });
const wordTexts = {
  subject: ["The subject, one line; empty for ours.", "{first_name}, your next box is coming"],
  intro: ["The text above the facts.", "Hello {first_name}, your {product} is on its way to being packed."],
  closing: ["The text below the facts.", "Questions? Write to {support_email}."],
} as const;
const templateExample = {
  subject: wordTexts.subject[1],
  intro: wordTexts.intro[1],
  closing: wordTexts.closing[1],
};

export const MailTemplateBody = named(
  "MailTemplate",
  z.strictObject({
    kind: MailKindName,
    locale: localeName,
    subject: z.string(),
    intro: z.string(),
    closing: z.string(),
    updated_at: instant,
  }),
  {
    ...wordTexts,
    kind: "The kind of mail.",
    locale: "Its language.",
    updated_at: [
      "When the words were last changed: UTC, in the account's own time.",
      "2026-11-20T12:00:00.000Z",
    ],
  },
);
export const MailTemplateData = dataOf(MailTemplateBody, "MailTemplateData", "The words.");

export const MailTemplateUpdate = named(
  "MailTemplateUpdate",
  z.strictObject({ subject: words, intro: words, closing: words }),
  wordTexts,
  { example: templateExample },
);

export const MailPreviewRequest = named(
  "MailPreviewRequest",
  z.strictObject({ subscription_id: idIn.optional() }),
  {
    subscription_id: [
      "The subscription that the mail is about; absent for an example.",
      demoId("subscription", 1),
    ],
  },
  { example: {} },
);

export const MailPreview = dataOf(
  named("MailPreviewBody", z.strictObject({ subject: z.string(), html: z.string(), text: z.string() }), {
    subject: ["Its subject.", "Your payment of $40.90"],
    html: ["Its HTML.", "<!doctype html><html>…</html>"],
    text: ["Its plain text.", "Your next payment of $40.90 is on 23 November."],
  }),
  "MailPreview",
  "The mail in words.",
);

export const templateParams = z.object({
  kind: wordInPath("kind", {
    description: `The kind of mail: ${mailKinds.join(", ")}.`,
    example: "upcoming_charge",
  }),
  locale: wordInPath("locale", {
    description: `The language: ${portalLocales.join(", ")}.`,
    example: "en",
  }),
});
