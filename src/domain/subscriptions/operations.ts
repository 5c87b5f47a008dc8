import type { z } from "@hono/zod-openapi";
import type { ErrorCode } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { type Deferrable, deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { cancelSubscription } from "./actions/cancel.ts";
import { changeAddress, changeFrequency, reschedule } from "./actions/change.ts";
import type { CommandWith } from "./actions/change-subscription.ts";
import { changeAllInstructions, changeInstructions } from "./actions/instructions.ts";
import { pauseSubscription } from "./actions/pause.ts";
import { reactivateSubscription, resumeSubscription } from "./actions/restart.ts";
import { skipDeliveries, skipSubscription, unskipSubscription } from "./actions/skip.ts";
import {
  answer,
  answerAgain,
  changed,
  conflictErrors,
  entryHeader,
  isDry,
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

type Act<B> = (ctx: Ctx, command: CommandWith<B>) => Promise<SubscriptionView>;
type Named = {
  id: string;
  method: "post" | "put";
  on: string;
  summary: string;
  description?: string;
  destructive?: boolean;
};

function presentRescheduled(view: SubscriptionView) {
  return {
    data: presentSubscription(view),
    following_delivery_date: followingDelivery(view.row, calendarOf(view)),
  };
}

/** An operation for one action on one subscription, also for customers. */
function subscriptionCommand<B extends z.ZodType>(
  { on, ...named }: Named,
  body: Deferrable<B>,
  errors: ErrorCode[],
  act: Act<z.output<B>>,
) {
  return operation({
    ...one,
    ...named,
    path: `${path}/{id}/${on}`,
    customers: true,
    body,
    errors: [...conflictErrors, ...errors],
    success: changed,
    handler: ({ c, ctx, params, query, body }) =>
      answer(c, act(ctx, { ...params, dryRun: isDry(query), request: body as z.output<B> })),
    answerAgain,
  });
}

const lifecycle = [
  subscriptionCommand(
    {
      id: "pauseSubscription",
      method: "post",
      on: "pause",
      summary: "Pause",
      description:
        "Pauses until a date, or until the subscription is resumed. No charge is made while it is paused; a payment that is owed stays owed. One that is paused gets the end and the reason that are named.",
    },
    PauseRequest,
    ["UNKNOWN_PAUSE_REASON"],
    pauseSubscription,
  ),
  subscriptionCommand(
    {
      id: "resumeSubscription",
      method: "post",
      on: "resume",
      summary: "Resume",
      description:
        "The next dates move to the requested date, or to the first cycle from tomorrow on; where charges are more than a month apart, a delivery whose day has passed comes as soon as possible. A payment that is owed is tried tomorrow. Nothing is charged today. Refused where that day is full in its slot; the refusal names the next free day.",
    },
    RestartRequest,
    [],
    resumeSubscription,
  ),
  subscriptionCommand(
    {
      id: "cancelSubscription",
      method: "post",
      on: "cancel",
      summary: "Cancel",
      description:
        "Ends billing. Deliveries that are paid for are still made, unless the account's prepaid_on_end is stop.",
      destructive: true,
    },
    CancelRequest,
    ["UNKNOWN_CANCELLATION_REASON"],
    cancelSubscription,
  ),
  subscriptionCommand(
    {
      id: "reactivateSubscription",
      method: "post",
      on: "reactivate",
      summary: "Reactivate",
      description:
        "Starts a cancelled or expired subscription anew. Cycles count from 1. Deliveries that are paid for are made before the next billing. Refused while a living subscription of another request has its `migration_source_ref`, and where the day is full in its slot.",
    },
    RestartRequest,
    [],
    reactivateSubscription,
  ),
  subscriptionCommand(
    {
      id: "skipSubscription",
      method: "post",
      on: "skip",
      summary: "Skip the next cycle by some weeks",
      description:
        "Moves the next dates by whole weeks. While the account has active skip reasons, everybody except staff must pick one. Refused for customers from the slot's cut-off on.",
    },
    SkipRequest,
    ["SKIP_REASON_REQUIRED", "UNKNOWN_SKIP_REASON", "BILLING_IN_PROGRESS"],
    skipSubscription,
  ),
  subscriptionCommand(
    {
      id: "skipDeliveries",
      method: "post",
      on: "skip-deliveries",
      summary: "Skip the next deliveries",
      description:
        "The next deliveries fall away, and the schedule keeps its days: a delivery on the 15th of each month is on the 15th again. Deliveries that are paid for are not lost, they come later. While the account has active skip reasons, everybody except staff must pick one. Refused for customers from the slot's cut-off on.",
    },
    SkipDeliveriesRequest,
    ["SKIP_REASON_REQUIRED", "UNKNOWN_SKIP_REASON", "BILLING_IN_PROGRESS"],
    skipDeliveries,
  ),
  operation({
    ...one,
    id: "unskipSubscription",
    method: "post",
    path: `${path}/{id}/unskip`,
    summary: "Undo the latest skip",
    description:
      "Possible until something else moves the dates, until the skipped delivery's day has passed or become full in its slot, and for customers until its cut-off.",
    customers: true,
    body: NoFields,
    errors: [...conflictErrors, "BILLING_IN_PROGRESS"],
    success: changed,
    handler: ({ c, ctx, params, query }) =>
      answer(c, unskipSubscription(ctx, { ...params, dryRun: isDry(query) })),
    answerAgain,
  }),
  subscriptionCommand(
    {
      id: "undoChange",
      method: "post",
      on: "undo",
      summary: "Undo a change",
      description:
        "Restores what a change has changed, as if it had not been made: a cancellation that is undone leaves the cycles, the minimum term and what is owed as they were. Possible within 24 hours, once, while nothing of it has changed since and no charge was made, and as long as it still fits: its day has not passed, its slot has room, no closed day is in the way. Customers undo their own changes, where the shop lets them make these. Pausing, resuming, skipping, cancelling, reactivating, and changes of the schedule, the frequency, the address, the instructions, the payment method, the lines and the discounts can be undone.",
      destructive: true,
    },
    UndoRequest,
    ["BILLING_IN_PROGRESS"],
    undoChange,
  ),
];

const changes = [
  subscriptionCommand(
    {
      id: "changeFrequency",
      method: "put",
      on: "frequency",
      summary: "Change the frequency",
      description:
        "Sets how often it is billed, and how often it is delivered with it: a billing pays for as many deliveries as before. The next dates stay; later ones follow the new interval.",
    },
    FrequencyChange,
    ["FREQUENCY_NOT_OFFERED"],
    changeFrequency,
  ),
  operation({
    ...one,
    id: "changeDeliveryInstructions",
    method: "put",
    path: `${path}/{id}/delivery-instructions`,
    summary: "Change the delivery instructions",
    description:
      "With update_all_active, changes every active subscription of the profile, all or none. Refused for customers from the slot's cut-off on.",
    customers: true,
    body: InstructionsChange,
    errors: [...conflictErrors],
    success: {
      status: 200,
      description: "The subscription, or the ids of those that were changed.",
      schema: InstructionsChanged,
      headers: entryHeader,
    },
    handler: async ({ c, ctx, params, query, body }) => {
      const { delivery_instructions: text, update_all_active } = body;
      if (!update_all_active)
        return answer(c, changeInstructions(ctx, { ...params, dryRun: isDry(query), request: text }));
      const ids = await changeAllInstructions(ctx, { ...params, dryRun: isDry(query), request: text });
      return { data: { updated: ids.length, subscription_ids: ids } };
    },
  }),
  operation({
    ...one,
    id: "reschedule",
    method: "put",
    path: `${path}/{id}/schedule`,
    summary: "Change the next delivery's date or slot",
    description:
      "Moves the next delivery to another date, another slot or both; later deliveries are counted from it, or with `scope: this` keep their days. Refused while a billing attempt is in progress, where the day is full in its slot (the refusal names the next free day), and for customers from the slot's cut-off on.",
    customers: true,
    body: ScheduleChange,
    errors: [...conflictErrors, "UNKNOWN_DELIVERY_SLOT", "BILLING_IN_PROGRESS"],
    success: { ...changed, schema: Rescheduled },
    handler: async ({ c, ctx, params, query, body }) => {
      const view = await reschedule(ctx, { ...params, dryRun: isDry(query), request: body });
      nameEntry(c, view);
      return presentRescheduled(view);
    },
    answerAgain: async ({ ctx, params }) => presentRescheduled(await getSubscription(ctx, params.id)),
  }),
  subscriptionCommand(
    {
      id: "changeDeliveryAddress",
      method: "put",
      on: "delivery-address",
      summary: "Change the delivery address",
      description:
        "Delivers to a saved address of the customer, or to one in the body, from the next order on. The subscription keeps a copy. Refused for customers from the slot's cut-off on.",
    },
    AddressChange,
    ["UNKNOWN_DELIVERY_ADDRESS"],
    changeAddress,
  ),
];

/** The operations that change a subscription. Each has a dry run. */
export const subscriptionChanges = [...lifecycle, ...changes, ...contentOperations];
