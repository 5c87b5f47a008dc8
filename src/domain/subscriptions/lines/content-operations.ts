import { deferred } from "../../../kit/http/deferred.ts";
import { applyDiscount, removeDiscount } from "../actions/discounts.ts";
import { addLine, changeLine, removeLine } from "../actions/lines.ts";
import { changeOperation, common, one, path } from "../change-operations.ts";

const { DiscountCreate, discountPath } = deferred(() => import("./discount-schemas.ts"));
const { AddedLine, LineChange, linePath } = deferred(() => import("./line-schemas.ts"));

const onLine = { ...common, params: linePath };
const onDiscount = { ...common, params: discountPath };

/** The operations that change what a subscription contains: its lines and discounts. */
export const contentOperations = [
  changeOperation({
    ...one,
    id: "addLine",
    method: "post",
    path: `${path}/{id}/lines`,
    summary: "Add a line",
    description:
      "The line is in every order from the next one on, or with is_one_time in the next order only.",
    body: AddedLine,
    errors: ["UNKNOWN_SELLING_PLAN"],
    act: addLine,
  }),
  changeOperation({
    ...onLine,
    id: "changeLine",
    method: "put",
    path: `${path}/{id}/lines/{lineId}`,
    summary: "Change or swap a line",
    description:
      "Changes the fields that the body names; with another product it swaps the line. It counts from the next order on.",
    body: LineChange,
    errors: ["UNKNOWN_SELLING_PLAN"],
    act: changeLine,
  }),
  changeOperation({
    ...onLine,
    id: "removeLine",
    method: "delete",
    path: `${path}/{id}/lines/{lineId}`,
    summary: "Remove a line",
    description: "The last recurring line cannot be removed; cancel the subscription instead.",
    act: removeLine,
  }),
  changeOperation({
    ...one,
    id: "applyDiscount",
    method: "post",
    path: `${path}/{id}/discounts`,
    summary: "Apply a discount",
    description:
      "Takes something off the next orders, besides the discounts of the plans: for a number of billed cycles, or for as long as the subscription lasts.",
    body: DiscountCreate,
    act: applyDiscount,
  }),
  changeOperation({
    ...onDiscount,
    id: "removeDiscount",
    method: "delete",
    path: `${path}/{id}/discounts/{discountId}`,
    summary: "Remove a discount",
    description: "It no longer counts from the next order on; the subscription still shows it as REMOVED.",
    act: removeDiscount,
  }),
];
