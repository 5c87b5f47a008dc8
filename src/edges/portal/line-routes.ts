import { demoId } from "../../base/demo.ts";
import { addOwnLine, changeOwnLine, removeOwnLine } from "../../domain/subscriptions/actions/own-lines.ts";
import { changeOperation } from "../../domain/subscriptions/change-operations.ts";
import { listLineChoices } from "../../domain/subscriptions/lines/list-line-choices.ts";
import { listOwnPictures } from "../../domain/subscriptions/lines/list-own-pictures.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { pathId } from "../../kit/http/document/params.ts";

const { LineChoicesData, OwnLineAdd, OwnLineChange } = deferred(
  () => import("../../domain/subscriptions/lines/own-line-schemas.ts"),
);
const { PicturesData } = deferred(() => import("../../domain/subscriptions/lines/picture-schemas.ts"));
const { linePath } = deferred(() => import("../../domain/subscriptions/lines/line-schemas.ts"));

const path = "/api/portal/subscriptions/{id}/lines";
const common = { tag: "Portal", credentials: "customer", resource: "portal", customers: true } as const;
const ofOne = { ...common, path, params: pathId("subscription", demoId("subscription", 1)) };
const onLine = { ...common, path: `${path}/{lineId}`, params: linePath };

/** Customers change the contents of their subscriptions, within the catalogue of the merchant. */
export const ownLineOperations = [
  operation({
    ...ofOne,
    id: "listLineChoices",
    method: "get",
    summary: "List what can be changed in one's own subscription",
    description:
      "The lines, and the items of the shop's catalogue that can be added or that lines can be swapped for. It lists what is accepted now: by the shop's settings, the subscription's plan and state, and the cut-off of its next delivery.",
    success: { status: 200, description: "What can be done now.", schema: LineChoicesData },
    handler: async ({ ctx, params }) => ({ data: await listLineChoices(ctx, params.id) }),
  }),
  operation({
    ...common,
    id: "listOwnPictures",
    method: "get",
    path: "/api/portal/me/pictures",
    summary: "List the pictures of what is in one's own subscriptions",
    description: "The pictures that the shop's catalogue has of the products in the newest subscriptions.",
    success: { status: 200, description: "The pictures.", schema: PicturesData },
    handler: async ({ ctx }) => ({ data: await listOwnPictures(ctx) }),
  }),
  changeOperation({
    ...ofOne,
    id: "addOwnLine",
    method: "post",
    summary: "Add an item of the catalogue to one's own subscription",
    description:
      "At the catalogue's price, with the discount and shipping of the subscription's plan as it is now. It is in every order from the next one that is charged on, or with is_one_time in that one only. The shop's can_add allows it.",
    body: OwnLineAdd,
    errors: ["ITEM_NOT_OFFERED"],
    act: addOwnLine,
  }),
  changeOperation({
    ...onLine,
    id: "changeOwnLine",
    method: "put",
    summary: "Change or swap a line of one's own subscription",
    description:
      "quantity keeps the line's price; the shop's can_change_quantity allows it. More than the price of an accepted offer is for are all at the catalogue's. store_variant_id swaps the line for an item of the catalogue, at its price; can_swap allows it. It counts from the next order that is charged on.",
    body: OwnLineChange,
    errors: ["ITEM_NOT_OFFERED"],
    act: changeOwnLine,
  }),
  changeOperation({
    ...onLine,
    id: "removeOwnLine",
    method: "delete",
    summary: "Remove a line of one's own subscription",
    description:
      "The last recurring line cannot be removed; cancel the subscription instead. The shop's can_remove allows it.",
    act: removeOwnLine,
  }),
];
