import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { type FieldText, named } from "../../kit/http/document/describe.ts";
import { commonTexts, idOut, referenceTexts } from "../../kit/http/document/fields.ts";
import { moneyOut } from "../../kit/http/document/money.ts";
import { dateOut, instant, orNull } from "../../kit/http/document/params.ts";
import { dataOf, listOf } from "../../kit/http/list/pagination.ts";
import { SubscriptionBody, SubscriptionsSwitched } from "../subscriptions/schemas.ts";
import { attemptOrigins, attemptStatuses } from "./tables.ts";

export const AttemptStatus = z.enum(attemptStatuses).openapi("BillingAttemptStatus", {
  description:
    "The state of a billing attempt. QUEUED: not sent to the store yet. PROCESSING: sent, the outcome is open. ACTION_REQUIRED: the customer has to confirm the payment. REVIEW: the outcome has been open for too long, people have to look. SUCCEEDED, FAILED and CANCELLED (nothing was charged) are final.",
});

export const AttemptTrigger = z.enum(attemptOrigins).openapi("BillingAttemptTrigger", {
  description:
    "What started a billing attempt. SHIP_NOW: a request to ship now. RECURRING: the schedule, or the end of a wait. DUNNING: a retry of a failed payment, or a new payment method. RETRY: a request to try the payment again.",
});

/** The descriptions of the fields that billed records share. */
const billedTexts = {
  ...commonTexts,
  ...referenceTexts,
  cycle: ["The number of the cycle that is paid for, counted from 1 in each life of the subscription.", 4],
  billing_date: [
    "The calendar date for which the cycle is billed, in the account's time zone.",
    "2026-11-21",
  ],
  delivery_date: [
    "The calendar date of the delivery that is billed, in the account's time zone.",
    "2026-11-24",
  ],
} as const satisfies Record<string, FieldText>;

const billed = {
  amount: moneyOut,
  currency_code: z.string(),
  billing_date: dateOut,
  delivery_date: dateOut,
  production_date: dateOut.nullable(),
  delivery_slot_id: idOut.nullable(),
};

const previewTexts = {
  ...billedTexts,
  amount: ["What would be charged: major units of currency_code.", 40.9],
} as const satisfies Record<string, FieldText>;

const BillingPreview = named(
  "BillingPreview",
  z.strictObject({
    cycle: z.int(),
    ...billed,
  }),
  previewTexts,
  { description: "What a billing attempt would charge and deliver, and when." },
);

const ChargePreview = named(
  "ChargePreview",
  z.strictObject({
    cycle: z.int(),
    amount: moneyOut,
    currency_code: z.string(),
    billing_date: dateOut,
  }),
  previewTexts,
  { description: "What an operation would charge at once." },
);

/** The fields beside `data` that an operation answers which may charge at once. */
const charged = {
  billing_attempt_id: idOut.nullable().optional(),
  dry_run: orNull(ChargePreview).optional(),
};

const chargedTexts = {
  billing_attempt_id: [
    "The id of the billing attempt that this has started; null where it has started none. Absent for a dry run.",
    demoId("billing_attempt", 1),
  ],
  dry_run: "For a dry run: what would be charged at once; null where nothing would be. Absent otherwise.",
} as const satisfies Record<string, FieldText>;

/** The answer to a request to bill; `status` is present if an attempt was started before. */
export const BillingStarted = named(
  "BillingStarted",
  z.strictObject({
    success: z.literal(true),
    message: z.string(),
    billing_attempt_id: idOut.optional(),
    status: AttemptStatus.optional(),
    dry_run: orNull(BillingPreview).optional(),
    following_delivery_date: dateOut.nullable().optional(),
  }),
  {
    success: "Always true: a request that cannot be billed is an error.",
    message: [
      "The state of the billing attempt, in a sentence for people.",
      "The billing attempt has started",
    ],
    billing_attempt_id: [
      "The id of the attempt that was started, or that answers the request; absent for a dry run.",
      demoId("billing_attempt", 1),
    ],
    status:
      "The state of the attempt that was started before, and answers the request; absent where a new one is started.",
    dry_run:
      "For a dry run: what would be billed and delivered, and when; null where no attempt would be started, as the one of `status` answers. Absent otherwise.",
    following_delivery_date: [
      "For a dry run that would bill: the date of the delivery after that one, once it is paid; null where none follows.",
      "2030-02-15",
    ],
  },
);

export const BillingAttemptBody = named(
  "BillingAttempt",
  z.strictObject({
    id: idOut,
    subscription_id: idOut,
    cycle: z.int(),
    attempt_number: z.int(),
    trigger: AttemptTrigger,
    status: AttemptStatus,
    ...billed,
    error_code: z.string().nullable(),
    error_message: z.string().nullable(),
    next_action_url: z.string().nullable(),
    next_action_expires_at: instant.nullable(),
    order_id: idOut.nullable(),
    settled_at: instant.nullable(),
    created_at: instant,
    updated_at: instant,
  }),
  {
    ...billedTexts,
    id: ["The billing attempt's id.", demoId("billing_attempt", 1)],
    attempt_number: ["The number of the attempt among those of its cycle, counted from 1.", 1],
    trigger: "What started the attempt.",
    status: "The state of the attempt.",
    amount: [
      "What is charged, without tax that the store adds; after a settled review, what was charged. Major units of currency_code.",
      40.9,
    ],
    error_code: [
      "Why it failed, or why it is under review, as the store's or the service's code; null while nothing is wrong.",
      null,
    ],
    error_message: ["The same as a sentence; null while nothing is wrong.", null],
    next_action_url: [
      "Where the customer has to confirm the payment; null unless that is asked of them.",
      null,
    ],
    next_action_expires_at: [
      "Until when the customer can confirm the payment: UTC, 72 hours after that was first asked of them. Then the attempt has FAILED. Null unless it is ACTION_REQUIRED.",
      null,
    ],
    order_id: ["The id of the order that was paid for; null before it SUCCEEDED.", demoId("order", 1)],
    settled_at: ["When its outcome was known: UTC. Null while it is open.", "2026-11-21T12:00:03.000Z"],
  },
  {
    description: "An attempt to charge the customer for one cycle. What it charges is frozen when it starts.",
  },
);

const MethodOfOneChanged = named(
  "PaymentMethodOfOneChanged",
  z.strictObject({ data: SubscriptionBody, ...charged }),
  { data: "The subscription, with its new payment method.", ...chargedTexts },
);

const ChargeOfOne = named(
  "ChargePreviewOfSubscription",
  z.strictObject({ subscription_id: idOut, ...ChargePreview.shape }),
  { ...previewTexts, subscription_id: ["The id of the subscription.", demoId("subscription", 1)] },
  { description: "What an operation would charge at once for one of several subscriptions." },
);

const MethodOfAllChanged = named(
  "PaymentMethodOfAllChanged",
  z.strictObject({
    data: SubscriptionsSwitched,
    billing_attempt_ids: z.array(idOut).optional(),
    dry_run: z.array(ChargeOfOne).optional(),
  }),
  {
    data: "The customer's living subscriptions, which all have the payment method now.",
    billing_attempt_ids: [
      "The ids of the billing attempts that this has started, one for each payment that is owed. Absent for a dry run.",
      [demoId("billing_attempt", 1)],
    ],
    dry_run: "For a dry run: what would be charged at once. Absent otherwise.",
  },
);

/** The subscription, or with update_all those of the customer. */
export const PaymentMethodChanged = z
  .union([MethodOfOneChanged, MethodOfAllChanged])
  .openapi("PaymentMethodChanged");

export const BillingAttemptSettled = named(
  "BillingAttemptSettled",
  z.strictObject({ data: BillingAttemptBody, ...charged }),
  { data: "The settled attempt.", ...chargedTexts },
);

export const BillingAttemptData = dataOf(BillingAttemptBody, "BillingAttemptData", "The billing attempt.");
export const BillingAttemptList = listOf(BillingAttemptBody, "BillingAttemptList");
