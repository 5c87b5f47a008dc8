import { z } from "zod";
import type { WebhookKind } from "../webhooks.ts";

/** Reads from a payload which record it is about. Nothing else of it is read, stored or trusted. */
type Reading = z.ZodType<string>;

export type ShopifyTopic = {
  kind: WebhookKind;
  /** The fields that Shopify is asked to send; undefined for the compliance topics, which its API cannot register. */
  fields?: string[];
  /** Whether money depends on it: a store whose app may not register it is not connected. */
  isRequired?: boolean;
  subjectIn: (shop: string) => Reading;
};

const number = z.int().positive();

function record(kind: string, id = String.raw`\d{1,20}`): Reading {
  return z
    .looseObject({ admin_graphql_api_id: z.string().regex(new RegExp(`^gid://shopify/${kind}/${id}$`)) })
    .transform(({ admin_graphql_api_id }) => admin_graphql_api_id);
}

const orderOfRecord: Reading = z
  .looseObject({ order_id: number })
  .transform(({ order_id }) => `gid://shopify/Order/${order_id}`);

/**
 * The subject is the attempt's global id and its key, by which ours are found; one may contain spaces that somebody else has made. A shop
 * whose webhooks were registered for the key alone sends no id.
 */
const attemptNames: Reading = z
  .looseObject({
    idempotency_key: z.string().min(1).max(255),
    admin_graphql_api_id: z
      .string()
      .regex(/^gid:\/\/shopify\/SubscriptionBillingAttempt\/\d{1,20}$/)
      .default(""),
  })
  .transform(({ admin_graphql_api_id, idempotency_key }) => `${admin_graphql_api_id} ${idempotency_key}`);

function always(reading: Reading) {
  return (): Reading => reading;
}

/**
 * Shopify drops a webhook whose payload equals another one's of the same moment, so a field that differs with each change
 * (`updated_at`, a revision) is requested too. All fields are ids and instants.
 */
const attempt: ShopifyTopic = {
  kind: "attempt",
  fields: ["admin_graphql_api_id", "idempotency_key"],
  isRequired: true,
  subjectIn: always(attemptNames),
};
const contract: ShopifyTopic = {
  kind: "contract",
  fields: ["admin_graphql_api_id", "revision_id", "status"],
  isRequired: true,
  subjectIn: always(record("SubscriptionContract")),
};
/** The subject is the contract's global id and the number by which Shopify counts the cycle. */
const cycle: ShopifyTopic = {
  kind: "cycle",
  fields: ["subscription_contract_id", "cycle_index", "skipped"],
  isRequired: true,
  subjectIn: always(
    z
      .looseObject({ subscription_contract_id: number, cycle_index: number })
      .transform(
        ({ subscription_contract_id: id, cycle_index: index }) =>
          `gid://shopify/SubscriptionContract/${id} ${index}`,
      ),
  ),
};
const order: ShopifyTopic = {
  kind: "order",
  fields: ["admin_graphql_api_id", "updated_at"],
  isRequired: true,
  subjectIn: always(record("Order")),
};
const refund: ShopifyTopic = {
  kind: "order",
  fields: ["id", "order_id"],
  isRequired: true,
  subjectIn: always(orderOfRecord),
};
const fulfillment: ShopifyTopic = {
  kind: "order",
  fields: ["id", "order_id", "updated_at"],
  subjectIn: always(orderOfRecord),
};
/** A return's status is what each of its webhooks reports. Some name the order with its global id, others by its number. */
const returnWithOrder: ShopifyTopic = {
  kind: "order",
  fields: ["admin_graphql_api_id", "status", "order"],
  subjectIn: always(
    z
      .looseObject({
        order: z.looseObject({
          admin_graphql_api_id: z.string().regex(/^gid:\/\/shopify\/Order\/\d{1,20}$/),
        }),
      })
      .transform(({ order: { admin_graphql_api_id } }) => admin_graphql_api_id),
  ),
};
const returnWithNumber: ShopifyTopic = {
  kind: "order",
  fields: ["admin_graphql_api_id", "status", "order_id"],
  subjectIn: always(orderOfRecord),
};
const paymentMethod: ShopifyTopic = {
  kind: "payment_method",
  fields: ["admin_graphql_api_id"],
  isRequired: true,
  subjectIn: always(record("CustomerPaymentMethod", "[A-Za-z0-9]{1,64}")),
};
const sellingPlans: ShopifyTopic = {
  kind: "selling_plans",
  fields: ["admin_graphql_api_id"],
  subjectIn: always(record("SellingPlanGroup")),
};

const customerChange: ShopifyTopic = {
  kind: "customer",
  fields: ["admin_graphql_api_id", "updated_at"],
  subjectIn: always(record("Customer")),
};

/** The subject is both customers: the one that remains, and the one that is gone. */
const customerId = z.string().regex(/^gid:\/\/shopify\/Customer\/\d{1,20}$/);
const customerMerge: ShopifyTopic = {
  kind: "customer_merge",
  fields: ["admin_graphql_api_customer_kept_id", "admin_graphql_api_customer_deleted_id", "status"],
  subjectIn: always(
    z
      .looseObject({
        admin_graphql_api_customer_kept_id: customerId,
        admin_graphql_api_customer_deleted_id: customerId,
      })
      .transform(
        ({ admin_graphql_api_customer_kept_id: kept, admin_graphql_api_customer_deleted_id: gone }) =>
          `${kept} ${gone}`,
      ),
  ),
};

/** The subject is the shop itself. Whether it is true is verified with the store. */
const uninstalled: ShopifyTopic = {
  kind: "uninstalled",
  fields: ["id"],
  isRequired: true,
  subjectIn: (shop) => z.looseObject({}).transform(() => shop),
};

/** The subject is the shop itself, which is asked for the scopes that it gives now. */
const scopes: ShopifyTopic = {
  kind: "scopes",
  fields: ["id", "updated_at"],
  subjectIn: (shop) => z.looseObject({}).transform(() => shop),
};

/** Each compliance topic requires fields that the others do not have, so that none passes for another. */
function inShop(shop: string) {
  return { shop_id: number, shop_domain: z.literal(shop) };
}
const customer = z.looseObject({ id: number });
function customerIn({ customer: { id } }: { customer: { id: number } }) {
  return `gid://shopify/Customer/${id}`;
}
const dataRequest: ShopifyTopic = {
  kind: "data_request",
  subjectIn: (shop) =>
    z
      .looseObject({ ...inShop(shop), customer, data_request: z.looseObject({ id: number }) })
      .transform(customerIn),
};
const customerRedaction: ShopifyTopic = {
  kind: "customer_redaction",
  subjectIn: (shop) =>
    z
      .looseObject({
        ...inShop(shop),
        customer,
        orders_to_redact: z.array(z.unknown()),
      })
      .transform(customerIn),
};
const shopRedaction: ShopifyTopic = {
  kind: "shop_redaction",
  subjectIn: (shop) =>
    z.looseObject({ ...inShop(shop), customer: z.never().optional() }).transform(() => shop),
};

const all: Record<string, ShopifyTopic> = {
  "subscription_billing_attempts/success": attempt,
  "subscription_billing_attempts/failure": attempt,
  "subscription_billing_attempts/challenged": attempt,
  "subscription_contracts/create": contract,
  "subscription_contracts/update": contract,
  "subscription_contracts/activate": contract,
  "subscription_contracts/pause": contract,
  "subscription_contracts/cancel": contract,
  "subscription_contracts/fail": contract,
  "subscription_contracts/expire": contract,
  "subscription_billing_cycles/skip": cycle,
  "subscription_billing_cycles/unskip": cycle,
  "orders/create": order,
  "orders/updated": order,
  "orders/paid": order,
  "orders/cancelled": order,
  "orders/fulfilled": order,
  "orders/partially_fulfilled": order,
  "refunds/create": refund,
  "returns/request": returnWithOrder,
  "returns/approve": returnWithOrder,
  "returns/decline": returnWithOrder,
  "returns/cancel": returnWithNumber,
  "returns/close": returnWithNumber,
  "returns/reopen": returnWithNumber,
  "fulfillments/create": fulfillment,
  "fulfillments/update": fulfillment,
  "customer_payment_methods/create": paymentMethod,
  "customer_payment_methods/update": paymentMethod,
  "customer_payment_methods/revoke": paymentMethod,
  "customers/update": customerChange,
  "customers/merge": customerMerge,
  "selling_plan_groups/create": sellingPlans,
  "selling_plan_groups/update": sellingPlans,
  "selling_plan_groups/delete": sellingPlans,
  "app/uninstalled": uninstalled,
  "app/scopes_update": scopes,
  "customers/data_request": dataRequest,
  "customers/redact": customerRedaction,
  "shop/redact": shopRedaction,
};

/** Every topic that is not ignored, by its name in X-Shopify-Topic. */
export const topics: ReadonlyMap<string, ShopifyTopic> = new Map(Object.entries(all));

/** The topics that Shopify's API can register, in its spelling. */
export const registrable: RegistrableTopic[] = Object.entries(all).flatMap(
  ([name, { fields, isRequired = false }]) =>
    fields ? [{ topic: name.toUpperCase().replace("/", "_"), fields, isRequired }] : [],
);

export type RegistrableTopic = { topic: string; fields: string[]; isRequired: boolean };

/** The topics that the app's configuration has to name. */
export const complianceTopics = Object.keys(all).filter((name) => !all[name]?.fields);
