import { demoId } from "../../base/demo.ts";
import type { Ctx } from "../../kit/context.ts";
import { answerAffecting, answerRecord, answerRemoved } from "../../kit/http/answer-record.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { pathId } from "../../kit/http/document/params.ts";
import { answerList, pageAnswer } from "../../kit/http/list/list-answer.ts";
import { answersDry, previewed } from "../../kit/http/preview/previewed.ts";
import {
  changeDeliveryDay,
  changeDeliverySlot,
  createDeliveryDay,
  createDeliverySlot,
  removeDeliveryDay,
  removeDeliverySlot,
} from "./actions.ts";
import { presentDeliveryDay, presentDeliverySlot } from "./present.ts";
import {
  countInSlot,
  countOnDay,
  getDeliveryDay,
  getDeliverySlot,
  listDeliveryDays,
  listDeliverySlots,
} from "./queries.ts";

const {
  DeliveryDayChanged,
  DeliveryDayCreate,
  DeliveryDayData,
  DeliveryDayList,
  DeliveryDayUpdate,
  DeliveryQuery,
  DeliverySlotChanged,
  DeliverySlotCreate,
  DeliverySlotData,
  DeliverySlotList,
  DeliverySlotUpdate,
} = deferred(() => import("./schemas.ts"));

const days = { tag: "Delivery days", credentials: "either", resource: "delivery" } as const;
const daysPath = "/api/subscriptions/delivery-days";
const dayParams = pathId("delivery day", demoId("delivery_day", 1));

export const deliveryDayOperations = [
  operation({
    ...days,
    id: "listDeliveryDays",
    method: "get",
    path: daysPath,
    summary: "List delivery days",
    description: "Newest first. A customer's token lists the active ones only.",
    customers: true,
    query: DeliveryQuery,
    success: pageAnswer("A page of days.", DeliveryDayList),
    handler: ({ c, ctx, query }) =>
      answerList(
        { c, query },
        (page) => listDeliveryDays(ctx, page, activeDays(ctx)),
        (day) => presentDeliveryDay(day, ctx.account),
      ),
  }),
  operation({
    ...days,
    id: "createDeliveryDay",
    ...previewed,
    method: "post",
    path: daysPath,
    summary: "Create a delivery day",
    description:
      "Adds a day of the week on which the store delivers. Give it slots next: customers choose those.",
    body: DeliveryDayCreate,
    success: { status: 201, description: "The new day.", schema: DeliveryDayData },
    alsoAnswers: answersDry("the day as it would be", DeliveryDayData),
    handler: ({ ctx, body }) => answerRecord(createDeliveryDay(ctx, body), presentDeliveryDay, ctx.account),
    answerAgain: ({ ctx, created }) =>
      answerRecord(getDeliveryDay(ctx, created.deliveryDay), presentDeliveryDay, ctx.account),
  }),
  operation({
    ...days,
    id: "getDeliveryDay",
    method: "get",
    path: `${daysPath}/{id}`,
    summary: "Get a delivery day",
    description: "One delivery day by id. Deleted days are not found.",
    params: dayParams,
    success: { status: 200, description: "The day.", schema: DeliveryDayData },
    handler: ({ ctx, params }) =>
      answerRecord(getDeliveryDay(ctx, params.id), presentDeliveryDay, ctx.account),
  }),
  operation({
    ...days,
    id: "updateDeliveryDay",
    ...previewed,
    method: "put",
    path: `${daysPath}/{id}`,
    summary: "Change a delivery day",
    description:
      "Existing dates stay. Subscriptions whose dates no longer fit show `delivery_slot_valid: false`.",
    params: dayParams,
    body: DeliveryDayUpdate,
    success: { status: 200, description: "The changed day.", schema: DeliveryDayChanged },
    handler: ({ ctx, params, body }) =>
      answerAffecting(
        ctx,
        answerRecord(changeDeliveryDay(ctx, params.id, body), presentDeliveryDay, ctx.account),
        () => countOnDay(ctx, params.id),
      ),
  }),
  operation({
    ...days,
    id: "deleteDeliveryDay",
    ...previewed,
    method: "delete",
    path: `${daysPath}/{id}`,
    summary: "Delete a delivery day",
    description:
      "Deletes the day and its slots. Subscriptions in these slots keep them and show `delivery_slot_valid: false`.",
    params: dayParams,
    success: { status: 204, description: "Deleted." },
    alsoAnswers: answersDry("the day that would be deleted", DeliveryDayChanged),
    handler: ({ c, ctx, params }) =>
      answerRemoved(
        { c, ctx, affected: () => countOnDay(ctx, params.id) },
        removeDeliveryDay(ctx, params.id),
        presentDeliveryDay,
        ctx.account,
      ),
  }),
];

const slots = { tag: "Delivery slots", credentials: "either", resource: "delivery" } as const;
const slotsPath = "/api/subscriptions/delivery-slots";
const slotParams = pathId("delivery slot", demoId("delivery_slot", 1));

export const deliverySlotOperations = [
  operation({
    ...slots,
    id: "listDeliverySlots",
    method: "get",
    path: slotsPath,
    summary: "List delivery slots",
    description: "Newest first. A customer's token lists the active ones only.",
    customers: true,
    query: DeliveryQuery,
    success: pageAnswer("A page of slots.", DeliverySlotList),
    handler: ({ c, ctx, query }) =>
      answerList({ c, query }, (page) => listDeliverySlots(ctx, page, servedSlots(ctx)), presentDeliverySlot),
  }),
  operation({
    ...slots,
    id: "createDeliverySlot",
    ...previewed,
    method: "post",
    path: slotsPath,
    summary: "Create a delivery slot",
    description:
      "Adds hours to a delivery day, which subscriptions can then name; with a cut-off for customers' changes and a bound of deliveries a day, if the store has them.",
    body: DeliverySlotCreate,
    errors: ["UNKNOWN_DELIVERY_DAY"],
    success: { status: 201, description: "The new slot.", schema: DeliverySlotData },
    alsoAnswers: answersDry("the slot as it would be", DeliverySlotData),
    handler: ({ ctx, body }) => answerRecord(createDeliverySlot(ctx, body), presentDeliverySlot),
    answerAgain: ({ ctx, created }) =>
      answerRecord(getDeliverySlot(ctx, created.deliverySlot), presentDeliverySlot),
  }),
  operation({
    ...slots,
    id: "getDeliverySlot",
    method: "get",
    path: `${slotsPath}/{id}`,
    summary: "Get a delivery slot",
    description: "One delivery slot by id. Deleted slots are not found.",
    params: slotParams,
    success: { status: 200, description: "The slot.", schema: DeliverySlotData },
    handler: ({ ctx, params }) => answerRecord(getDeliverySlot(ctx, params.id), presentDeliverySlot),
  }),
  operation({
    ...slots,
    id: "updateDeliverySlot",
    ...previewed,
    method: "put",
    path: `${slotsPath}/{id}`,
    summary: "Change a delivery slot",
    description:
      "Changes the fields that the body names. Dates of subscriptions stay; those that no longer fit show `delivery_slot_valid: false`.",
    params: slotParams,
    body: DeliverySlotUpdate,
    errors: ["UNKNOWN_DELIVERY_DAY"],
    success: { status: 200, description: "The changed slot.", schema: DeliverySlotChanged },
    handler: ({ ctx, params, body }) =>
      answerAffecting(ctx, answerRecord(changeDeliverySlot(ctx, params.id, body), presentDeliverySlot), () =>
        countInSlot(ctx, params.id),
      ),
  }),
  operation({
    ...slots,
    id: "deleteDeliverySlot",
    ...previewed,
    method: "delete",
    path: `${slotsPath}/{id}`,
    summary: "Delete a delivery slot",
    description: "Deletes the slot. Subscriptions in it keep it and show `delivery_slot_valid: false`.",
    params: slotParams,
    success: { status: 204, description: "Deleted." },
    alsoAnswers: answersDry("the slot that would be deleted", DeliverySlotChanged),
    handler: ({ c, ctx, params }) =>
      answerRemoved(
        { c, ctx, affected: () => countInSlot(ctx, params.id) },
        removeDeliverySlot(ctx, params.id),
        presentDeliverySlot,
      ),
  }),
];

function servedSlots(ctx: Ctx) {
  return ctx.actor.type === "customer" ? { is_served: 1 } : {};
}

/** A customer chooses from what is active. */
function activeDays(ctx: Ctx) {
  return ctx.actor.type === "customer" ? { is_active: 1 } : {};
}
