import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { cancelSubscription } from "./actions/cancel.ts";
import { changeAddress, changeFrequency, reschedule } from "./actions/change.ts";
import { changeAllInstructions, changeInstructions } from "./actions/instructions.ts";
import { pauseSubscription } from "./actions/pause.ts";
import { reactivateSubscription, resumeSubscription } from "./actions/restart.ts";
import { skipDeliveries, skipSubscription, unskipSubscription } from "./actions/skip.ts";
import {
  answer,
  changed,
  changeOperation,
  conflictErrors,
  entryHeader,
  nameEntry,
  one,
  path,
} from "./change-operations.ts";
import { calendarOf, followingDelivery } from "./dates/index.ts";
import { contentOperations } from "./lines/content-operations.ts";
import { presentSubscription } from "./present.ts";
import { getSubscription, type SubscriptionView } from "./queries.ts";
import { undoChange } from "./undo/undo-change.ts";

const { CancelRequest, NoFields, PauseRequest, RestartRequest, SkipDeliveriesRequest, SkipRequest } =
  deferred(() => import("./lifecycle-requests.ts"));
const { AddressChange, FrequencyChange, InstructionsChange, ScheduleChange } = deferred(
  () => import("./requests.ts"),
);
const { UndoRequest } = deferred(() => import("./undo/requests.ts"));
const { InstructionsChanged, Rescheduled } = deferred(() => import("./schemas.ts"));

const ofCustomers = { ...one, customers: true } as const;

function presentRescheduled(view: SubscriptionView) {
  return {
    data: presentSubscription(view),
    following_delivery_date: followingDelivery(view.row, calendarOf(view)),
  };
}

const lifecycle = [
  changeOperation({
    ...ofCustomers,
    id: "pauseSubscription",
    method: "post",
    path: `${path}/{id}/pause`,
    summary: "Pause",
    description:
      "Pauses until a date, or until the subscription is resumed. No charge is made while it is paused; a payment that is owed stays owed. One that is paused gets the end and the reason that are named.",
    body: PauseRequest,
    errors: ["UNKNOWN_PAUSE_REASON"],
    act: pauseSubscription,
  }),
  changeOperation({
    ...ofCustomers,
    id: "resumeSubscription",
    method: "post",
    path: `${path}/{id}/resume`,
    summary: "Resume",
    description:
      "The next dates move to the requested date, or to the first cycle from tomorrow on; where charges are more than a month apart, a delivery whose day has passed comes as soon as possible. A payment that is owed is tried tomorrow. Nothing is charged today. Refused where that day is full in its slot; the refusal names the next free day.",
    body: RestartRequest,
    act: resumeSubscription,
  }),
  changeOperation({
    ...ofCustomers,
    id: "cancelSubscription",
    method: "post",
    path: `${path}/{id}/cancel`,
    summary: "Cancel",
    description:
      "Ends billing. Deliveries that are paid for are still made, unless the account's prepaid_on_end is stop.",
    destructive: true,
    body: CancelRequest,
    errors: ["UNKNOWN_CANCELLATION_REASON"],
    act: cancelSubscription,
  }),
  changeOperation({
    ...ofCustomers,
    id: "reactivateSubscription",
    method: "post",
    path: `${path}/{id}/reactivate`,
    summary: "Reactivate",
    description:
      "Starts a cancelled or expired subscription anew. Cycles count from 1. Deliveries that are paid for are made before the next billing. Refused while a living subscription of another request has its `migration_source_ref`, and where the day is full in its slot.",
    body: RestartRequest,
    act: reactivateSubscription,
  }),
  changeOperation({
    ...ofCustomers,
    id: "skipSubscription",
    method: "post",
    path: `${path}/{id}/skip`,
    summary: "Skip the next cycle by some weeks",
    description:
      "Moves the next dates by whole weeks. While the account has active skip reasons, everybody except staff must pick one. Refused for customers from the slot's cut-off on.",
    body: SkipRequest,
    errors: ["SKIP_REASON_REQUIRED", "UNKNOWN_SKIP_REASON", "BILLING_IN_PROGRESS"],
    act: skipSubscription,
  }),
  changeOperation({
    ...ofCustomers,
    id: "skipDeliveries",
    method: "post",
    path: `${path}/{id}/skip-deliveries`,
    summary: "Skip the next deliveries",
    description:
      "The next deliveries fall away, and the schedule keeps its days: a delivery on the 15th of each month is on the 15th again. Deliveries that are paid for are not lost, they come later. While the account has active skip reasons, everybody except staff must pick one. Refused for customers from the slot's cut-off on.",
    body: SkipDeliveriesRequest,
    errors: ["SKIP_REASON_REQUIRED", "UNKNOWN_SKIP_REASON", "BILLING_IN_PROGRESS"],
    act: skipDeliveries,
  }),
  changeOperation({
    ...ofCustomers,
    id: "unskipSubscription",
    method: "post",
    path: `${path}/{id}/unskip`,
    summary: "Undo the latest skip",
    description:
      "Possible until something else moves the dates, until the skipped delivery's day has passed or become full in its slot, and for customers until its cut-off.",
    body: NoFields,
    errors: ["BILLING_IN_PROGRESS"],
    act: unskipSubscription,
  }),
  changeOperation({
    ...ofCustomers,
    id: "undoChange",
    method: "post",
    path: `${path}/{id}/undo`,
    summary: "Undo a change",
    description:
      "Restores what a change has changed, as if it had not been made: a cancellation that is undone leaves the cycles, the minimum term and what is owed as they were. Possible within 24 hours, once, while nothing of it has changed since and no charge was made, and as long as it still fits: its day has not passed, its slot has room, no closed day is in the way. Customers undo their own changes, where the shop lets them make these. Pausing, resuming, skipping, cancelling, reactivating, and changes of the schedule, the frequency, the address, the instructions, the payment method, the lines and the discounts can be undone.",
    destructive: true,
    body: UndoRequest,
    errors: ["BILLING_IN_PROGRESS"],
    act: undoChange,
  }),
];

const changes = [
  changeOperation({
    ...ofCustomers,
    id: "changeFrequency",
    method: "put",
    path: `${path}/{id}/frequency`,
    summary: "Change the frequency",
    description:
      "Sets how often it is billed, and how often it is delivered with it: a billing pays for as many deliveries as before. The next dates stay; later ones follow the new interval.",
    body: FrequencyChange,
    errors: ["FREQUENCY_NOT_OFFERED"],
    act: changeFrequency,
  }),
  operation({
    ...ofCustomers,
    id: "changeDeliveryInstructions",
    method: "put",
    path: `${path}/{id}/delivery-instructions`,
    summary: "Change the delivery instructions",
    description:
      "With update_all_active, changes every active subscription of the profile, all or none. Refused for customers from the slot's cut-off on.",
    body: InstructionsChange,
    errors: [...conflictErrors],
    success: {
      status: 200,
      description: "The subscription, or the ids of those that were changed.",
      schema: InstructionsChanged,
      headers: entryHeader,
    },
    handler: async ({ c, ctx, params, body }) => {
      const { delivery_instructions: text, update_all_active } = body;
      if (!update_all_active) return answer(c, changeInstructions(ctx, { ...params, request: text }));
      const ids = await changeAllInstructions(ctx, { ...params, request: text });
      return { data: { updated: ids.length, subscription_ids: ids } };
    },
  }),
  operation({
    ...ofCustomers,
    id: "reschedule",
    method: "put",
    path: `${path}/{id}/schedule`,
    summary: "Change the next delivery's date or slot",
    description:
      "Moves the next delivery to another date, another slot or both; later deliveries are counted from it, or with `scope: this` keep their days. Refused while a billing attempt is in progress, where the day is full in its slot (the refusal names the next free day), and for customers from the slot's cut-off on.",
    body: ScheduleChange,
    errors: [...conflictErrors, "UNKNOWN_DELIVERY_SLOT", "BILLING_IN_PROGRESS"],
    success: { ...changed, schema: Rescheduled },
    handler: async ({ c, ctx, params, body }) => {
      const view = await reschedule(ctx, { ...params, request: body });
      nameEntry(c, view);
      return presentRescheduled(view);
    },
    answerAgain: async ({ ctx, params }) => presentRescheduled(await getSubscription(ctx, params.id)),
  }),
  changeOperation({
    ...ofCustomers,
    id: "changeDeliveryAddress",
    method: "put",
    path: `${path}/{id}/delivery-address`,
    summary: "Change the delivery address",
    description:
      "Delivers to a saved address of the customer, or to one in the body, from the next order on. The subscription keeps a copy. Refused for customers from the slot's cut-off on.",
    body: AddressChange,
    errors: ["UNKNOWN_DELIVERY_ADDRESS"],
    act: changeAddress,
  }),
];

/** The operations that change a subscription. Each has a dry run. */
export const subscriptionChanges = [...lifecycle, ...changes, ...contentOperations];
