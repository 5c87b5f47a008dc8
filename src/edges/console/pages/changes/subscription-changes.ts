import { money } from "../../../../base/language/format.ts";
import { cardOf } from "../../../../base/language/names.ts";
import { addDays } from "../../../../base/lib/time/calendar.ts";
import { isOver } from "../../../../domain/subscriptions/lifecycle.ts";
import type { StaffVisit } from "../console-env.ts";
import type { Field, Known } from "../forms/fields.ts";
import type { FormSubject } from "../forms/form.ts";
import { addressFields } from "./address-form.ts";
import { chargeRows, compareSubscriptions, type Shown, type SubscriptionForm } from "./compare.ts";
import { contentForms } from "./content-changes.ts";

function isOpen(record: Shown): boolean {
  return !isOver(record);
}

function isActive({ status }: Shown): boolean {
  return status === "ACTIVE";
}

/** Whether it delivers more often than it bills. */
function isPrepaid(record: Shown): boolean {
  return (
    record.delivery_interval !== record.billing_interval ||
    record.delivery_interval_count !== record.billing_interval_count
  );
}

const nextDelivery = { name: "next_delivery_date", kind: "date", min: tomorrow } as const;
const firstDelivery = { ...nextDelivery, label: "First delivery" };

function tomorrow({ today }: Known<Shown>): string {
  return addDays(today, 1);
}

function reasonField(name: string): Field<Shown> {
  const choices = ({ lists }: Known<Shown>) =>
    lists.reasons?.map(({ data: { id, label } }) => [id, label] as const) ?? [];
  return { name, label: "Reason", kind: "choice", choices };
}

const plain = { isPossible: isOpen, rows: compareSubscriptions };

/** The changes of a subscription, the likeliest first: its page shows three as buttons, and the others under More. */
const forms: Record<string, SubscriptionForm> = {
  "retry-payment": {
    title: "Try the payment again",
    done: "The payment was started. Its outcome stands under Charges in a moment.",
    note: "Charges what is owed now, instead of at the next try.",
    operation: "retryPayment",
    isPossible: ({ can_retry_payment }) => can_retry_payment,
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
  },
  resume: {
    ...plain,
    title: "Resume",
    done: "The subscription was resumed.",
    operation: "resumeSubscription",
    isPossible: ({ can_resume }) => can_resume,
    fields: [firstDelivery],
  },
  reactivate: {
    ...plain,
    title: "Reactivate",
    done: "The subscription is active again.",
    operation: "reactivateSubscription",
    isPossible: ({ can_reactivate }) => can_reactivate,
    fields: [firstDelivery],
  },
  skip: {
    ...plain,
    title: "Skip",
    done: "The next delivery is skipped.",
    note: "What is skipped is neither delivered nor charged.",
    operation: "skipDeliveries",
    isPossible: isActive,
    lists: () => ({ reasons: { id: "listSkipReasons" } }),
    fields: [
      { name: "count", label: "Deliveries to skip", kind: "number", value: 1, min: 1, isRequired: true },
      reasonField("skip_reason_id"),
    ],
    isShownAsCall: true,
  },
  schedule: {
    ...plain,
    title: "Move",
    done: "The delivery was moved.",
    operation: "reschedule",
    isPossible: (record) => isOpen(record) && record.next_delivery_date !== null,
    lists: () => ({ slots: { id: "listDeliverySlots", query: { limit: "100" } } }),
    fields: [
      {
        ...nextDelivery,
        label: "New date",
        isRequired: true,
        value: ({ record }) => record.next_delivery_date,
      },
      {
        ...{ name: "scope", label: "Which deliveries", kind: "choice", value: "this", isRequired: true },
        choices: [
          ["this", "The next one alone"],
          ["following", "The next one and all that follow"],
        ],
      },
      {
        ...{ name: "delivery_slot_id", label: "Slot", kind: "choice", choices: slotsOf },
        value: ({ record }) => record.delivery_slot_id,
      },
    ],
  },
  pause: {
    ...plain,
    title: "Pause",
    done: "The subscription is paused.",
    operation: "pauseSubscription",
    isPossible: ({ can_pause }) => can_pause,
    lists: () => ({ reasons: { id: "listPauseReasons" } }),
    fields: [
      { name: "pause_until", label: "Until", kind: "date", min: tomorrow },
      reasonField("pause_reason_id"),
    ],
    isShownAsCall: true,
  },
  unskip: {
    ...plain,
    title: "Take back the last skip",
    done: "The skip was taken back.",
    operation: "unskipSubscription",
    isPossible: isActive,
  },
  "ship-now": {
    title: "Send now",
    done: "The payment for the delivery was started. Its outcome stands under Charges in a moment.",
    note: "Charges the next delivery now, and sends it once it is paid.",
    operation: "shipNow",
    isPossible: (record) => isActive(record) && !record.is_in_dunning,
    rows: chargeRows,
  },
  frequency: {
    ...plain,
    title: "Change the frequency",
    done: "The frequency was changed.",
    operation: "changeFrequency",
    fields: [
      {
        ...{ name: "interval_count", label: "Every", kind: "number", min: 1, isRequired: true },
        value: ({ record }) => record.billing_interval_count,
      },
      {
        ...{ name: "interval", label: "Unit", kind: "choice", isRequired: true },
        value: ({ record }) => record.billing_interval,
        choices: [
          ["DAY", "days"],
          ["WEEK", "weeks"],
          ["MONTH", "months"],
          ["YEAR", "years"],
        ],
      },
    ],
  },
  address: {
    ...plain,
    title: "Change the address",
    done: "The address was changed.",
    operation: "changeDeliveryAddress",
    fields: addressFields(({ record }) => record.delivery_address),
  },
  instructions: {
    ...plain,
    title: "Change the instructions",
    done: "The instructions were changed.",
    operation: "changeDeliveryInstructions",
    fields: [
      {
        ...{ name: "delivery_instructions", label: "For whoever delivers", kind: "long" },
        value: ({ record }) => record.delivery_instructions,
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
    lists: (id) => ({ methods: { id: "getSubscriptionPaymentMethods", path: { id } } }),
    fields: [
      {
        ...{ name: "payment_method_id", label: "Card", kind: "choice", isRequired: true },
        choices: ({ lists }) =>
          (lists.methods?.data.alternatives ?? []).map(({ id, brand, last4 }) => [id, cardOf(brand, last4)]),
      },
    ],
    rows: (visit, before, answer) => [
      ...compareSubscriptions(visit, before, answer),
      ...chargeRows(visit, before, answer),
    ],
  },
  ...contentForms,
  cancel: {
    ...plain,
    title: "Cancel",
    done: "The subscription is cancelled.",
    note: ({ account }, record) =>
      isPrepaid(record) && account.prepaid_on_end === "deliver"
        ? "Nothing is charged any more. Deliveries that are paid for still come."
        : "Nothing is delivered or charged any more.",
    operation: "cancelSubscription",
    isPossible: ({ can_cancel }) => can_cancel,
    lists: () => ({ reasons: { id: "listCancellationReasons" } }),
    fields: [reasonField("cancellation_reason_id")],
    isDangerous: true,
    isShownAsCall: true,
  },
  undo: {
    ...plain,
    title: "Undo",
    done: "It is as it was before.",
    operation: "undoChange",
    params: ["entry_id"],
    bodyOf: (_, { entry_id }) => ({ entry_id }),
  },
};

/** The slots that there are; none for a subscription without one. */
function slotsOf({ record, lists: { slots } }: Known<Shown>): [id: string, words: string][] {
  if (record.delivery_slot_id === null || !slots) return [];
  return slots.data
    .filter(({ is_active }) => is_active)
    .map(({ id, label, start_time, end_time }) => [id, `${label} ${start_time}–${end_time}`]);
}

/** Whose it is, how often it comes, and for how much. */
export function titleOf(_: StaffVisit, { profile, frequency_label, total, currency_code }: Shown): string {
  const frequency = frequency_label.charAt(0).toLowerCase() + frequency_label.slice(1);
  return `${profile.full_name || profile.email} · ${frequency} · ${money("en", total, currency_code)}`;
}

export const subscriptionSubject: FormSubject<Shown> = {
  folder: "subscriptions",
  noun: "subscription",
  read: (id) => ({ id: "getSubscription", path: { id } }),
  titleOf,
  history: (id) => ({ subscription_id: id }),
  forms,
};
