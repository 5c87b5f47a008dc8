import { deferred } from "../../../kit/http/deferred.ts";
import { operation } from "../../../kit/http/document/operation.ts";
import { applyDiscount, removeDiscount } from "../actions/discounts.ts";
import { addLine, changeLine, removeLine } from "../actions/lines.ts";
import {
  answer,
  answerAgain,
  changed,
  common,
  conflictErrors,
  isDry,
  one,
  path,
} from "../change-operations.ts";

const { DiscountCreate, discountPath } = deferred(() => import("./discount-schemas.ts"));
const { AddedLine, LineChange, linePath } = deferred(() => import("./line-schemas.ts"));

const onLine = { ...common, params: linePath };
const onDiscount = { ...common, params: discountPath };

/** The operations that change what a subscription contains: its lines and discounts. */
export const contentOperations = [
  operation({
    ...one,
    id: "addLine",
    method: "post",
    path: `${path}/{id}/lines`,
    summary: "Add a line",
    description:
      "The line is in every order from the next one on, or with is_one_time in the next order only.",
    body: AddedLine,
    errors: [...conflictErrors, "UNKNOWN_SELLING_PLAN"],
    success: changed,
    handler: ({ c, ctx, params, query, body }) =>
      answer(c, addLine(ctx, { ...params, dryRun: isDry(query), request: body })),
    answerAgain,
  }),
  operation({
    ...onLine,
    id: "changeLine",
    method: "put",
    path: `${path}/{id}/lines/{lineId}`,
    summary: "Change or swap a line",
    description:
      "Changes the fields that the body names; with another product it swaps the line. It counts from the next order on.",
    body: LineChange,
    errors: [...conflictErrors, "UNKNOWN_SELLING_PLAN"],
    success: changed,
    handler: ({ c, ctx, params, query, body }) =>
      answer(c, changeLine(ctx, { ...params, dryRun: isDry(query), request: body })),
  }),
  operation({
    ...onLine,
    id: "removeLine",
    method: "delete",
    path: `${path}/{id}/lines/{lineId}`,
    summary: "Remove a line",
    description: "The last recurring line cannot be removed; cancel the subscription instead.",
    errors: [...conflictErrors],
    success: changed,
    handler: ({ c, ctx, params, query }) => answer(c, removeLine(ctx, { ...params, dryRun: isDry(query) })),
  }),
  operation({
    ...one,
    id: "applyDiscount",
    method: "post",
    path: `${path}/{id}/discounts`,
    summary: "Apply a discount",
    description:
      "Takes something off the next orders, besides the discounts of the plans: for a number of billed cycles, or for as long as the subscription lasts.",
    body: DiscountCreate,
    errors: [...conflictErrors],
    success: changed,
    handler: ({ c, ctx, params, query, body }) =>
      answer(c, applyDiscount(ctx, { ...params, dryRun: isDry(query), request: body })),
    answerAgain,
  }),
  operation({
    ...onDiscount,
    id: "removeDiscount",
    method: "delete",
    path: `${path}/{id}/discounts/{discountId}`,
    summary: "Remove a discount",
    description: "It no longer counts from the next order on; the subscription still shows it as REMOVED.",
    errors: [...conflictErrors],
    success: changed,
    handler: ({ c, ctx, params, query }) =>
      answer(c, removeDiscount(ctx, { ...params, dryRun: isDry(query) })),
  }),
];
