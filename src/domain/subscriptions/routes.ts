import { demoId } from "../../base/demo.ts";
import { readProvinces } from "../../base/lib/places/provinces.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { pathId, sortOrder } from "../../kit/http/document/params.ts";
import { answerList, pageAnswer } from "../../kit/http/list/list-answer.ts";
import { previewed } from "../../kit/http/preview/previewed.ts";
import { presentPaymentMethod } from "../payment-methods/present.ts";
import { selectMethodsOfCustomer } from "../payment-methods/queries.ts";
import { presentAsOf } from "./as-of/present.ts";
import { readSince } from "./as-of/queries.ts";
import { parseFilters } from "./list/filters.ts";
import { listSkips } from "./list/list-readers.ts";
import { answerListWithin } from "./list-within.ts";
import { presentListItem, presentSkip, presentSubscription } from "./present.ts";
import { getSubscription, getSubscriptionAnd, listCreated, listSubscriptions } from "./queries.ts";
import { warningsOf } from "./warnings.ts";

const { SubscriptionQuery } = deferred(() => import("./list/list-query.ts"));
const { SubscriptionCreate } = deferred(() => import("./requests.ts"));
const { PaymentMethods, SubscriptionList, SubscriptionRead, SubscriptionReadQuery, SubscriptionsCreated } =
  deferred(() => import("./schemas.ts"));
const { SkipList, SkipQuery } = deferred(() => import("./skip-schemas.ts"));

const path = "/api/subscriptions";
const params = pathId("subscription", demoId("subscription", 1));
const common = { tag: "Subscriptions", credentials: "either", resource: "subscriptions" } as const;

/** The operations that read and create subscriptions. Those that change one are in operations.ts. */
export const subscriptionOperations = [
  operation({
    ...common,
    id: "listSubscriptions",
    method: "get",
    path,
    summary: "List subscriptions",
    description: "Newest first by default. A customer's token lists its own subscriptions only.",
    customers: true,
    query: SubscriptionQuery,
    success: pageAnswer("A page of subscriptions.", SubscriptionList),
    handler: ({ c, ctx, query }) => {
      const sort = sortOrder(query.sort_by, query.sort_order, ["status"]);
      return answerList(
        { c, query },
        (page) => listSubscriptions(ctx, { ...page, ...sort }, parseFilters(query, ctx)),
        presentListItem,
      );
    },
  }),
  operation({
    ...common,
    id: "createSubscriptions",
    method: "post",
    path,
    summary: "Create subscriptions",
    description:
      "Lines are grouped by entity and by their plans' intervals and cycle limits. Each group becomes a subscription; all of them are created, or none. A `migration_source_ref` that a living subscription of another request has is 409 INVALID_STATE, with the id of that one in `details`; so is a day on which the slot has no room for all of them, with the next free day in `details`.",
    ...previewed,
    body: SubscriptionCreate,
    errors: [
      "UNKNOWN_PROFILE",
      "UNKNOWN_SELLING_PLAN",
      "UNKNOWN_ENTITY",
      "UNKNOWN_DELIVERY_SLOT",
      "UNKNOWN_DELIVERY_ADDRESS",
      "UNKNOWN_PAYMENT_METHOD",
      "INVALID_STATE",
      "VERSION_CONFLICT",
    ],
    success: {
      status: 201,
      description: "The ids of every subscription created.",
      schema: SubscriptionsCreated,
    },
    alsoAnswers: { 200: { description: "A dry run: what would be created.", schema: SubscriptionsCreated } },
    handler: async ({ c, ctx, body }) => {
      const { createSubscriptions } = await import("./actions/create.ts");
      const { ids, views, warnings } = await createSubscriptions(ctx, {
        request: body,
      });
      const created = { ids, ...(warnings.length > 0 ? { warnings } : {}) };
      return views ? c.json({ ...created, data: views.map(presentSubscription) }, 200) : created;
    },
    answerAgain: async ({ ctx, created }) => {
      const rows = await listCreated(ctx, created.subscriptions);
      const warnings = warningsOf({ ...ctx, provinces: await readProvinces() }, rows);
      return { ids: rows.map(({ id }) => id), ...(warnings.length > 0 ? { warnings } : {}) };
    },
  }),
  operation({
    ...common,
    id: "getSubscription",
    method: "get",
    path: `${path}/{id}`,
    summary: "Get a subscription",
    description:
      "One subscription by id, with its lines, amounts and what the caller can do with it now. With `as_of` as it was then.",
    customers: true,
    params,
    query: SubscriptionReadQuery,
    errors: ["INVALID_STATE"],
    success: { status: 200, description: "The subscription.", schema: SubscriptionRead },
    handler: async ({ ctx, params, query: { as_of } }) => {
      if (as_of === undefined) return { data: presentSubscription(await getSubscription(ctx, params.id)) };
      const { view, entries } = await readSince(ctx, params.id, as_of);
      return presentAsOf(view, entries, as_of);
    },
  }),
  operation({
    ...common,
    id: "getSubscriptionPaymentMethods",
    method: "get",
    path: `${path}/{id}/payment-method`,
    summary: "Get a subscription's payment method and its alternatives",
    description:
      "The payment method that is charged, and the customer's others that are known here. Nothing is asked of the store.",
    customers: true,
    params,
    success: { status: 200, description: "The methods.", schema: PaymentMethods },
    handler: async ({ ctx, params }) => {
      const methods = selectMethodsOfCustomer(ctx, params.id);
      const [{ method }, { all }] = await getSubscriptionAnd(ctx, params.id, { all: methods });
      const alternatives = all.filter(({ id, status }) => id !== method?.id && status !== "REVOKED");
      return {
        data: {
          current: method ? presentPaymentMethod(method) : null,
          alternatives: alternatives.map(presentPaymentMethod),
        },
      };
    },
  }),
  operation({
    ...common,
    id: "listSkips",
    method: "get",
    path: `${path}/{id}/skips`,
    summary: "List skips",
    description: "Newest first. Each has the label that its reason had at the time.",
    customers: true,
    params,
    query: SkipQuery,
    success: pageAnswer("A page of skips.", SkipList),
    handler: (input) => answerListWithin(input, listSkips, presentSkip),
  }),
];
