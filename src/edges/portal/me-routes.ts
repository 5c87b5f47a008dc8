import { demoId } from "../../base/demo.ts";
import { presentOrder } from "../../domain/orders/present.ts";
import { getOrderOf, listOrders } from "../../domain/orders/queries.ts";
import { changeProfile } from "../../domain/profiles/actions.ts";
import { createAddress, removeAddress } from "../../domain/profiles/addresses.ts";
import { presentAddress, presentProfile } from "../../domain/profiles/present.ts";
import { getAddress, getProfile, listAddresses } from "../../domain/profiles/queries.ts";
import { changeAddress } from "../../domain/subscriptions/actions/follow-address.ts";
import type { Ctx } from "../../kit/context.ts";
import { answerRecord, answerRemoved } from "../../kit/http/answer-record.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { pathId } from "../../kit/http/document/params.ts";
import { answerList, pageAnswer } from "../../kit/http/list/list-answer.ts";
import { answersDry, previewed } from "../../kit/http/preview/previewed.ts";

const { OrderData, OrderList } = deferred(() => import("../../domain/orders/schemas.ts"));

const { AddressChanged, AddressCreate, AddressData, AddressList, AddressQuery, AddressUpdate } = deferred(
  () => import("../../domain/profiles/address-schemas.ts"),
);
const { ProfileData } = deferred(() => import("../../domain/profiles/schemas.ts"));
const { OwnProfileUpdate } = deferred(() => import("./schemas.ts"));

const path = "/api/portal/me";
const common = { tag: "Portal", credentials: "customer", resource: "portal", customers: true } as const;
const oneAddress = {
  ...common,
  path: `${path}/addresses/{id}`,
  params: pathId("delivery address", demoId("delivery_address", 1)),
};

/** Whose token it is: only customers' tokens reach these operations. */
function ownId({ actor }: Ctx): string {
  return actor.profile_id ?? "";
}

/**
 * The operations that a customer reaches besides subscriptions: their own profile, addresses and orders. Others' records are 404.
 */
export const ownOperations = [
  operation({
    ...common,
    id: "getOwnProfile",
    method: "get",
    path,
    summary: "Get one's own profile",
    description: "The profile of the customer whose token it is.",
    success: { status: 200, description: "The customer's profile.", schema: ProfileData },
    handler: ({ ctx }) => answerRecord(getProfile(ctx, ownId(ctx)), presentProfile),
  }),
  operation({
    ...common,
    id: "updateOwnProfile",
    method: "put",
    path,
    summary: "Change one's own name, phone number or language",
    description: "The e-mail address is the shop's to change.",
    body: OwnProfileUpdate,
    errors: ["VERSION_CONFLICT"],
    success: { status: 200, description: "The changed profile.", schema: ProfileData },
    handler: ({ ctx, body }) => answerRecord(changeProfile(ctx, ownId(ctx), body), presentProfile),
  }),
  operation({
    ...common,
    id: "listOwnAddresses",
    method: "get",
    path: `${path}/addresses`,
    summary: "List one's own delivery addresses",
    description: "Newest first.",
    query: AddressQuery,
    success: pageAnswer("A page of addresses.", AddressList),
    handler: ({ c, ctx, query }) =>
      answerList(
        { c, query },
        (page) => listAddresses(ctx, page, { profile_id: ownId(ctx) }),
        presentAddress,
      ),
  }),
  operation({
    ...common,
    id: "createOwnAddress",
    ...previewed,
    method: "post",
    path: `${path}/addresses`,
    summary: "Add a delivery address of one's own",
    description: "Subscriptions keep theirs until their address is changed to this one. At most 50.",
    body: AddressCreate,
    errors: ["INVALID_STATE", "VERSION_CONFLICT"],
    success: { status: 201, description: "The new address.", schema: AddressData },
    alsoAnswers: answersDry("the address as it would be", AddressData),
    handler: ({ ctx, body }) => answerRecord(createAddress(ctx, ownId(ctx), body), presentAddress),
    answerAgain: ({ ctx, created }) =>
      answerRecord(getAddress(ctx, ownId(ctx), created.address), presentAddress),
  }),
  operation({
    ...oneAddress,
    id: "updateOwnAddress",
    ...previewed,
    method: "put",
    summary: "Change a delivery address of one's own",
    description: "Subscriptions that deliver to it keep theirs, unless update_subscriptions is true.",
    body: AddressUpdate,
    errors: ["INVALID_STATE", "VERSION_CONFLICT"],
    success: { status: 200, description: "The changed address.", schema: AddressChanged },
    handler: ({ ctx, params, body }) => changeAddress(ctx, { profileId: ownId(ctx), id: params.id }, body),
  }),
  operation({
    ...oneAddress,
    id: "deleteOwnAddress",
    ...previewed,
    method: "delete",
    summary: "Delete a delivery address of one's own",
    description: "Subscriptions that deliver to it keep a copy.",
    errors: ["VERSION_CONFLICT"],
    success: { status: 204, description: "Deleted." },
    alsoAnswers: answersDry("the address that would be deleted", AddressData),
    handler: ({ c, ctx, params }) =>
      answerRemoved({ c, ctx }, removeAddress(ctx, ownId(ctx), params.id), presentAddress),
  }),
  operation({
    ...common,
    id: "listOwnOrders",
    method: "get",
    path: `${path}/orders`,
    summary: "List one's own orders",
    description: "Newest first.",
    query: AddressQuery,
    success: pageAnswer("A page of orders.", OrderList),
    handler: ({ c, ctx, query }) =>
      answerList(
        { c, query },
        (page) => listOrders(ctx, page, { profile_id: ownId(ctx) }),
        (order) => presentOrder(order, ctx.account),
      ),
  }),
  operation({
    ...common,
    id: "getOwnOrder",
    method: "get",
    path: `${path}/orders/{id}`,
    summary: "Get an order of one's own",
    description: "404 for the order of another customer, as for none.",
    params: pathId("order", demoId("order", 1)),
    success: { status: 200, description: "The order.", schema: OrderData },
    handler: ({ ctx, params }) =>
      answerRecord(getOrderOf(ctx, params.id, ownId(ctx)), presentOrder, ctx.account),
  }),
];
