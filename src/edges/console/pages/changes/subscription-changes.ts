import { money } from "../../../../base/language/format.ts";
import { cardOf } from "../../../../base/language/names.ts";
import { addDays } from "../../../../base/lib/time/calendar.ts";
import { isOver } from "../../../../domain/subscriptions/lifecycle.ts";
import type { Fields } from "../../../pages/fields.ts";
import type { StaffVisit } from "../console-env.ts";
import { addressForm, addressNames } from "./address-form.ts";
import type { ChangeSubject, FormField, Known } from "./change.ts";
import { chargeRows, compareSubscriptions, type Shown, type SubscriptionChange } from "./compare.ts";
import { contentChanges } from "./content-changes.ts";

function isOpen(record: Shown): boolean {
  return !isOver(record);
}

function isActive({ status }: Shown): boolean {
  return status === "ACTIVE";
}

/** The fields as they are: those that were left empty are absent. */
function asSent(fields: Fields): object {
  return fields;
}

function nothing(): object {
  return {};
}

const date = "next_delivery_date";

function startForm({ today }: Known<Shown>): FormField[] {
  return [{ name: date, label: "First delivery", kind: "date", min: addDays(today, 1) } satisfies FormField];
}

function reasonField(name: string, { lists }: Known<Shown>): FormField[] {
  const choices = lists.reasons?.map(({ data: { id, label } }): [string, string] => [id, label]) ?? [];
  return choices.length === 0 ? [] : [{ name, label: "Reason", kind: "choice", choices }];
}

const plain = { isPossible: isOpen, rows: compareSubscriptions };

/** The changes of a subscription, the likeliest first: its page shows three as buttons, and the others under More. */
const changes: Record<string, SubscriptionChange> = {
  "retry-payment": {
    title: "Try the payment again",
    done: "The payment was started. Its outcome stands under Charges in a moment.",
    note: "Charges what is owed now, instead of at the next try.",
    operation: "retryPayment",
    isPossible: ({ can_retry_payment }) => can_retry_payment,
    names: [],
    bodyOf: nothing,
    rows: chargeRows,
    isShownAsCall: true,
  },
  "resume-billing": {
    ...plain,
    title: "Bill again",
    done: "Billing goes on.",
    note: "Billing waits for you. From now on it is charged again.",
    operation: "resumeBilling",
    isPossible: ({ billing_blocked_reason }) => billing_blocked_reason !== null,
    names: [],
    bodyOf: nothing,
  },
  resume: {
    ...plain,
    title: "Resume",
    done: "The subscription was resumed.",
    operation: "resumeSubscription",
    isPossible: ({ can_resume }) => can_resume,
    names: [date],
    form: startForm,
    bodyOf: asSent,
  },
  reactivate: {
    ...plain,
    title: "Reactivate",
    done: "The subscription is active again.",
    operation: "reactivateSubscription",
    isPossible: ({ can_reactivate }) => can_reactivate,
    names: [date],
    form: startForm,
    bodyOf: asSent,
  },
  skip: {
    ...plain,
    title: "Skip",
    done: "The next delivery is skipped.",
    note: "What is skipped is neither delivered nor charged.",
    operation: "skipDeliveries",
    isPossible: isActive,
    names: ["count", "skip_reason_id"],
    lists: () => ({ reasons: { id: "listSkipReasons" } }),
    form: (known) => [
      { name: "count", label: "Deliveries to skip", kind: "number", value: 1, min: 1, isRequired: true },
      ...reasonField("skip_reason_id", known),
    ],
    bodyOf: ({ count, ...rest }) => ({ ...rest, count: Number(count) }),
    isShownAsCall: true,
  },
  schedule: {
    ...plain,
    title: "Move",
    done: "The delivery was moved.",
    operation: "reschedule",
    isPossible: (record) => isOpen(record) && record.next_delivery_date !== null,
    names: [date, "scope", "delivery_slot_id"],
    lists: () => ({ slots: { id: "listDeliverySlots", query: { limit: "100" } } }),
    form: ({ record, lists, today }) => [
      {
        ...{ name: date, label: "New date", kind: "date", min: addDays(today, 1), isRequired: true },
        value: record.next_delivery_date,
      },
      {
        ...{ name: "scope", label: "Which deliveries", kind: "choice", value: "this", isRequired: true },
        choices: [
          ["this", "The next one alone"],
          ["following", "The next one and all that follow"],
        ],
      },
      ...slotField(record, lists.slots),
    ],
    bodyOf: asSent,
  },
  pause: {
    ...plain,
    title: "Pause",
    done: "The subscription is paused.",
    operation: "pauseSubscription",
    isPossible: ({ can_pause }) => can_pause,
    names: ["pause_until", "pause_reason_id"],
    lists: () => ({ reasons: { id: "listPauseReasons" } }),
    form: (known) => [
      { name: "pause_until", label: "Until", kind: "date", min: addDays(known.today, 1) },
      ...reasonField("pause_reason_id", known),
    ],
    bodyOf: asSent,
    isShownAsCall: true,
  },
  unskip: {
    ...plain,
    title: "Take back the last skip",
    done: "The skip was taken back.",
    operation: "unskipSubscription",
    isPossible: isActive,
    names: [],
    bodyOf: nothing,
  },
  "ship-now": {
    title: "Send now",
    done: "The payment for the delivery was started. Its outcome stands under Charges in a moment.",
    note: "Charges the next delivery now, and sends it once it is paid.",
    operation: "shipNow",
    isPossible: (record) => isActive(record) && !record.is_in_dunning,
    names: [],
    bodyOf: nothing,
    rows: chargeRows,
  },
  frequency: {
    ...plain,
    title: "Change the frequency",
    done: "The frequency was changed.",
    operation: "changeFrequency",
    names: ["interval_count", "interval"],
    form: ({ record }) => [
      {
        ...{ name: "interval_count", label: "Every", kind: "number", min: 1, isRequired: true },
        value: record.billing_interval_count,
      },
      {
        ...{
          name: "interval",
          label: "Unit",
          kind: "choice",
          value: record.billing_interval,
          isRequired: true,
        },
        choices: [
          ["DAY", "days"],
          ["WEEK", "weeks"],
          ["MONTH", "months"],
          ["YEAR", "years"],
        ],
      },
    ],
    bodyOf: ({ interval, interval_count }) => ({ interval, interval_count: Number(interval_count) }),
  },
  address: {
    ...plain,
    title: "Change the address",
    done: "The address was changed.",
    operation: "changeDeliveryAddress",
    names: addressNames,
    form: ({ record }) => addressForm(record.delivery_address),
    bodyOf: asSent,
  },
  instructions: {
    ...plain,
    title: "Change the instructions",
    done: "The instructions were changed.",
    operation: "changeDeliveryInstructions",
    names: ["delivery_instructions"],
    form: ({ record }) => [
      {
        ...{ name: "delivery_instructions", label: "For whoever delivers", kind: "long" },
        value: record.delivery_instructions,
      },
    ],
    bodyOf: ({ delivery_instructions = "" }) => ({ delivery_instructions }),
  },
  "payment-method": {
    title: "Change the card",
    done: "Another card is charged from now on.",
    note: "What is owed may be charged at once.",
    operation: "changePaymentMethod",
    isPossible: isOpen,
    names: ["payment_method_id"],
    lists: (id) => ({ methods: { id: "getSubscriptionPaymentMethods", path: { id } } }),
    form: ({ lists }) => [
      {
        ...{ name: "payment_method_id", label: "Card", kind: "choice", isRequired: true },
        choices: (lists.methods?.data.alternatives ?? []).map(({ id, brand, last4 }) => [
          id,
          cardOf(brand, last4),
        ]),
      },
    ],
    bodyOf: asSent,
    rows: (visit, before, answer) => [
      ...compareSubscriptions(visit, before, answer),
      ...chargeRows(visit, before, answer),
    ],
  },
  ...contentChanges,
  cancel: {
    ...plain,
    title: "Cancel",
    done: "The subscription is cancelled.",
    note: "Nothing is delivered or charged any more.",
    operation: "cancelSubscription",
    isPossible: ({ can_cancel }) => can_cancel,
    names: ["cancellation_reason_id"],
    lists: () => ({ reasons: { id: "listCancellationReasons" } }),
    form: (known) => reasonField("cancellation_reason_id", known),
    bodyOf: asSent,
    isDangerous: true,
    isShownAsCall: true,
  },
  undo: {
    ...plain,
    title: "Undo",
    done: "It is as it was before.",
    operation: "undoChange",
    names: ["entry_id"],
    linked: ["entry_id"],
    bodyOf: asSent,
  },
};

function slotField({ delivery_slot_id }: Shown, slots: Known<Shown>["lists"]["slots"]): FormField[] {
  if (delivery_slot_id === null || !slots) return [];
  const choices = slots.data
    .filter(({ is_active }) => is_active)
    .map(({ id, label, start_time, end_time }): [string, string] => [
      id,
      `${label} ${start_time}–${end_time}`,
    ]);
  return [{ name: "delivery_slot_id", label: "Slot", kind: "choice", value: delivery_slot_id, choices }];
}

/** Whose it is, how often it comes, and for how much. */
export function titleOf(_: StaffVisit, { profile, frequency_label, total, currency_code }: Shown): string {
  const frequency = frequency_label.charAt(0).toLowerCase() + frequency_label.slice(1);
  return `${profile.full_name || profile.email} · ${frequency} · ${money("en", total, currency_code)}`;
}

export const subscriptionSubject: ChangeSubject<Shown> = {
  folder: "subscriptions",
  noun: "subscription",
  read: (id) => ({ id: "getSubscription", path: { id } }),
  titleOf,
  history: (id) => ({ subscription_id: id }),
  changes,
};
