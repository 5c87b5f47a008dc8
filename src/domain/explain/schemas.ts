import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { named } from "../../kit/http/document/describe.ts";
import { idOut } from "../../kit/http/document/fields.ts";
import { moneyOut } from "../../kit/http/document/money.ts";
import { instant, orNull } from "../../kit/http/document/params.ts";
import { dataOf } from "../../kit/http/list/pagination.ts";
import { AttemptStatus } from "../billing/schemas.ts";
import { MailKindOfMail } from "../mail/kind-schemas.ts";
import { SubscriptionStatus } from "../orders/schemas.ts";

const eventText = [
  "The id of the event that proves it; absent where none does.",
  demoId("activity_log", 1),
] as const;

const WhyFact = named(
  "WhyFact",
  z.strictObject({ fact: z.string(), since: instant, event_id: idOut.optional() }),
  {
    fact: ["A sentence for people.", "The subscription has been active since it was taken out."],
    since: ["Since when it is so: UTC, in the account's own time.", "2026-11-20T12:00:00.000Z"],
    event_id: eventText,
  },
  { description: "A reason why a subscription is as it is." },
);

const NextStep = named(
  "NextStep",
  z.strictObject({ what: z.string(), when: z.string(), depends_on: z.string().optional() }),
  {
    what: ["What happens, as a sentence for people.", "$40.90 is charged."],
    when: [
      "When it happens: a calendar date in the account's time zone, or where the minute is known an instant, UTC.",
      "2026-11-24",
    ],
    depends_on: [
      "What has to be so for it to happen, as a sentence; absent where nothing is in doubt.",
      "The payment has to succeed.",
    ],
  },
  { description: "Something that happens if nobody acts." },
);

const Blocked = named(
  "BillingBlock",
  z.strictObject({ code: z.string(), fact: z.string() }),
  {
    code: ["The subscription's `billing_blocked_reason`.", "import_held"],
    fact: [
      "The same as a sentence for people.",
      "Your subscription has been moved here, and nothing is charged until the shop has released it. You don’t need to do anything.",
    ],
  },
  { description: "What has billing stand still." },
);

export const SubscriptionExplanationBody = named(
  "SubscriptionExplanation",
  z.strictObject({
    state: SubscriptionStatus,
    why: z.array(WhyFact),
    next: z.array(NextStep),
    blocked_by: orNull(Blocked),
  }),
  {
    state: "The subscription's status.",
    why: "Why it is so: what has led to the state first, then what is owed, what billing waits for, and what has moved the next delivery.",
    next: "What happens next if nobody acts, in the order of time, up to the next charge and its delivery. Empty once it has ended, but for deliveries that are paid for.",
    blocked_by: "What has billing stand still; null where nothing does, also in dunning and in a pause.",
  },
  { description: "A subscription, explained." },
);

export const SubscriptionExplanation = dataOf(
  SubscriptionExplanationBody,
  "SubscriptionExplanationData",
  "The explanation.",
);

const AttemptPart = named(
  "AmountPart",
  z.strictObject({ what: z.string(), amount: moneyOut, event_id: idOut.optional() }),
  {
    what: ["A line's goods, a discount, shipping, tax, or a difference that the store has made.", "Kibble"],
    amount: [
      "Its share of the amount: major units of the attempt's currency. Below 0 for a discount.",
      39.95,
    ],
    event_id: eventText,
  },
  { description: "A part of an amount." },
);

const ProvenFact = named(
  "ProvenFact",
  z.strictObject({ fact: z.string(), event_id: idOut.optional() }),
  { fact: ["A sentence for people.", "It was due on Sat, Nov 21, 2026."], event_id: eventText },
  { description: "A reason, with the event that proves it." },
);

const ToldMail = named(
  "ToldMail",
  z.strictObject({ mail_id: idOut, kind: MailKindOfMail, at: instant }),
  {
    mail_id: ["The id of the mail.", demoId("mail", 1)],
    kind: "What it is about.",
    at: ["When the provider of mails has accepted it: UTC, real time.", "2026-11-20T12:00:00.000Z"],
  },
  { description: "A mail that the customer was sent." },
);

const Outcome = named(
  "AttemptOutcome",
  z.strictObject({ status: AttemptStatus, error_code: z.string().nullable(), fact: z.string() }),
  {
    status: "The state of the attempt.",
    error_code: ["Why it failed, or is under review, as a code; null while nothing is wrong.", null],
    fact: ["What has come of it, as a sentence for people.", "On Nov 21, 2026 $40.90 was paid."],
  },
  { description: "What has come of an attempt." },
);

export const AttemptExplanationBody = named(
  "BillingAttemptExplanation",
  z.strictObject({
    amount: moneyOut,
    parts: z.array(AttemptPart),
    why_now: z.array(ProvenFact),
    told: z.array(ToldMail),
    outcome: Outcome,
  }),
  {
    amount: ["What was to be charged: major units of the attempt's currency.", 40.9],
    parts: "What the amount is made of. The parts add up to it, to the minor unit.",
    why_now: "Why the payment was tried at that time.",
    told: "The mails that the customer was sent about it, the oldest first.",
    outcome: "What has come of it.",
  },
  { description: "A billing attempt, explained." },
);

export const AttemptExplanation = dataOf(
  AttemptExplanationBody,
  "BillingAttemptExplanationData",
  "The explanation.",
);
