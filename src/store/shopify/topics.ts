import { z } from "zod";

/** What a topic tells of: the same is done for all topics of a kind. */
export type TopicKind =
  | "attempt"
  | "contract"
  | "order"
  | "payment_method"
  | "selling_plans"
  | "uninstalled"
  | "data_request"
  | "customer_redaction"
  | "shop_redaction";

/** Reads of a payload which record it is about; nothing else of it is looked at, kept or believed. */
type Reading = z.ZodType<string>;

export type Topic = {
  kind: TopicKind;
  /** What Shopify is asked to send; undefined for the compliance topics, which its API does not register. */
  fields?: string[];
  subjectIn: (shop: string) => Reading;
};

const number = z.int().positive();

const record = (kind: string, id = String.raw`\d{1,20}`): Reading =>
  z
    .looseObject({ admin_graphql_api_id: z.string().regex(new RegExp(`^gid://shopify/${kind}/${id}$`)) })
    .transform(({ admin_graphql_api_id }) => admin_graphql_api_id);

const itsOrder: Reading = z
  .looseObject({ order_id: number })
  .transform(({ order_id }) => `gid://shopify/Order/${order_id}`);

const idempotencyKey: Reading = z
  .looseObject({ idempotency_key: z.string().min(1).max(255) })
  .transform(({ idempotency_key }) => idempotency_key);

const always = (reading: Reading) => (): Reading => reading;

/**
 * Shopify drops deliveries that equal another of the same moment: where a payload has something that differs with each
 * change (`updated_at`, a revision), it is asked for as well. It is ids and instants only.
 */
const attempt: Topic = { kind: "attempt", fields: ["idempotency_key"], subjectIn: always(idempotencyKey) };
const contract: Topic = {
  kind: "contract",
  fields: ["admin_graphql_api_id", "revision_id", "status"],
  subjectIn: always(record("SubscriptionContract")),
};
const order: Topic = {
  kind: "order",
  fields: ["admin_graphql_api_id", "updated_at"],
  subjectIn: always(record("Order")),
};
const refund: Topic = { kind: "order", fields: ["id", "order_id"], subjectIn: always(itsOrder) };
const fulfillment: Topic = {
  kind: "order",
  fields: ["id", "order_id", "updated_at"],
  subjectIn: always(itsOrder),
};
const paymentMethod: Topic = {
  kind: "payment_method",
  fields: ["admin_graphql_api_id"],
  subjectIn: always(record("CustomerPaymentMethod", "[A-Za-z0-9]{1,64}")),
};
const sellingPlans: Topic = {
  kind: "selling_plans",
  fields: ["admin_graphql_api_id"],
  subjectIn: always(record("SellingPlanGroup")),
};

/** The shop itself: whether it is so is asked of the store. */
const uninstalled: Topic = {
  kind: "uninstalled",
  fields: ["id"],
  subjectIn: (shop) => z.looseObject({}).transform(() => shop),
};

/** What only one of the compliance topics says, so that none can pass for another. */
const inShop = (shop: string) => ({ shop_id: number, shop_domain: z.literal(shop) });
const customer = z.looseObject({ id: number });
const customerIn = ({ customer: { id } }: { customer: { id: number } }) => `gid://shopify/Customer/${id}`;
const dataRequest: Topic = {
  kind: "data_request",
  subjectIn: (shop) =>
    z
      .looseObject({ ...inShop(shop), customer, data_request: z.looseObject({ id: number }) })
      .transform(customerIn),
};
const customerRedaction: Topic = {
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
const shopRedaction: Topic = {
  kind: "shop_redaction",
  subjectIn: (shop) =>
    z.looseObject({ ...inShop(shop), customer: z.never().optional() }).transform(() => shop),
};

const all: Record<string, Topic> = {
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
  "orders/create": order,
  "orders/updated": order,
  "orders/paid": order,
  "orders/cancelled": order,
  "orders/fulfilled": order,
  "orders/partially_fulfilled": order,
  "refunds/create": refund,
  "fulfillments/create": fulfillment,
  "fulfillments/update": fulfillment,
  "customer_payment_methods/create": paymentMethod,
  "customer_payment_methods/update": paymentMethod,
  "customer_payment_methods/revoke": paymentMethod,
  "selling_plan_groups/create": sellingPlans,
  "selling_plan_groups/update": sellingPlans,
  "selling_plan_groups/delete": sellingPlans,
  "app/uninstalled": uninstalled,
  "customers/data_request": dataRequest,
  "customers/redact": customerRedaction,
  "shop/redact": shopRedaction,
};

/** Every topic that is of interest, by the name in X-Shopify-Topic. */
export const topics: ReadonlyMap<string, Topic> = new Map(Object.entries(all));

/** Those that Shopify's API registers, as it spells them. */
export const registrable = Object.entries(all).flatMap(([name, { fields }]) =>
  fields ? [{ topic: name.toUpperCase().replace("/", "_"), fields }] : [],
);

/** Those that are named in the app's configuration. */
export const complianceTopics = Object.keys(all).filter((name) => !all[name]?.fields);
