import { billingAttempts } from "../../src/billing/tables.ts";
import type { Statement } from "../../src/db/client.ts";
import { commit } from "../../src/db/commit.ts";
import { deliveryDays, deliverySlots } from "../../src/delivery/tables.ts";
import { dunningEpisodes } from "../../src/dunning/tables.ts";
import { entities } from "../../src/entities/tables.ts";
import { activityLogs } from "../../src/journal/tables.ts";
import { newId } from "../../src/lib/ids.ts";
import { orderSubscriptions, orders } from "../../src/orders/tables.ts";
import { paymentMethods } from "../../src/payment-methods/tables.ts";
import { deliveryAddresses, profiles } from "../../src/profiles/tables.ts";
import { type ReasonKind, reasonKinds, reasons } from "../../src/reasons/tables.ts";
import { sellingPlans } from "../../src/selling-plans/tables.ts";
import type { Discount, Line } from "../../src/subscriptions/amounts.ts";
import { pricedColumns } from "../../src/subscriptions/lines.ts";
import { subscriptionSkips, subscriptions } from "../../src/subscriptions/tables.ts";
import { eventDeliveries, webhookEndpoints } from "../../src/webhook-endpoints/tables.ts";
import { type Answer, api, type Caller, nobody, type RequestOptions } from "./client.ts";
import { expectDocumented } from "./conform.ts";
import { insertOf, someOf, testDb } from "./database.ts";
import { connectedShop, deliveryHeaders, onShopify } from "./deliveries.ts";
import { accepts, isAnonymous, jsonBodyOf, type Operation, resolve, titleOf } from "./document.ts";
import { bearer, both, profileRow, type Tenant, tenant, token } from "./tenant.ts";

type Values = Record<string, string>;

/** What a slice adds to a tenant's world: its rows, and how requests name them. */
type Part = {
  writes: Statement[];
  /** Values of the path's parameters, by the path as documented. */
  paths?: Record<string, Values>;
  /** A body that succeeds, by operationId, where the document's example cannot (it names the demo store). */
  bodies?: Record<string, unknown>;
  /** A query that succeeds, by operationId, where parameters are required. */
  queries?: Record<string, Values>;
  /** Where the bytes of the body are what is signed, by operationId: how a request with them is made. */
  signed?: Record<string, Signed>;
};

/** The headers that a body is sent with, and where to. */
type Signed = (body: Uint8Array<ArrayBuffer>) => Promise<{ headers: Values; ask: typeof api }>;

/** Everything one tenant has, at least one record of each kind. `mark` stands in all of its texts. */
export type World = Required<Omit<Part, "writes">> & { tenant: Tenant; customerToken: () => Promise<string> };

/** The ids that parts refer each other to. `spare` is a profile that nothing refers to, so it can be deleted. */
type Ids = Record<
  | "profile"
  | "spare"
  | "address"
  | "entity"
  | "day"
  | "slot"
  | "plan"
  | "sparePlan"
  | "subscription"
  | "skipped"
  | "billed"
  | "skip"
  | "skipReason"
  | "method"
  | "line"
  | "discount"
  | "order"
  | "attempt"
  | "reviewed"
  | "episode"
  | "log"
  | "endpoint"
  | "delivery",
  string
>;
type Maker = (of: Tenant, mark: string, ids: Ids) => Part;

const now = "2026-01-01T00:00:00.000Z";
const stamps = { created_at: now, updated_at: now };

const profilePart: Maker = (of, mark, { profile, spare, address }) => ({
  writes: [
    insertOf(profiles, profileRow(of, { id: profile, email: `${mark}@customers.test`, first_name: mark })),
    insertOf(profiles, profileRow(of, { id: spare, email: `spare-${mark}@customers.test`, last_name: mark })),
    insertOf(deliveryAddresses, {
      id: address,
      account_id: of.account.id,
      profile_id: profile,
      address1: mark,
      city: mark,
      zip: "10115",
      country: "Germany",
      country_code: "DE",
      ...stamps,
    }),
  ],
  paths: {
    "/api/profiles/{id}": { id: spare },
    "/api/profiles/{id}/activity": { id: profile },
    "/api/profiles/{id}/addresses": { id: profile },
    "/api/profiles/{id}/addresses/{addressId}": { id: profile, addressId: address },
  },
  bodies: { createToken: { actor_type: "customer", profile_id: profile } },
});

const entityPart: Maker = ({ account }, mark, { profile, entity }) => ({
  writes: [
    insertOf(entities, {
      id: entity,
      account_id: account.id,
      profile_id: profile,
      entity_type: mark,
      name: mark,
      is_active: 1,
      attributes: JSON.stringify({ breed: mark }),
      ...stamps,
    }),
  ],
  paths: { "/api/subscriptions/entities/{id}": { id: entity } },
  bodies: {
    createEntity: { profile_id: profile, entity_type: "dog", name: mark, attributes: { breed: "Beagle" } },
  },
});

const deliveryPart: Maker = ({ account }, mark, { day, slot }) => ({
  writes: [
    insertOf(deliveryDays, { id: day, account_id: account.id, day_of_week: 4, is_active: 1, ...stamps }),
    insertOf(deliverySlots, {
      id: slot,
      account_id: account.id,
      delivery_day_id: day,
      label: mark,
      start_time: "09:00",
      end_time: "12:00",
      is_all_day: 0,
      position: 0,
      is_active: 1,
      ...stamps,
    }),
  ],
  paths: {
    "/api/subscriptions/delivery-days/{id}": { id: day },
    "/api/subscriptions/delivery-slots/{id}": { id: slot },
  },
  bodies: {
    createDeliverySlot: { delivery_day_id: day, label: "Evening", start_time: "17:00", end_time: "21:00" },
  },
});

const planPart: Maker = ({ account }, mark, { plan, sparePlan }) => ({
  writes: [plan, sparePlan].map((id) =>
    someOf(sellingPlans, {
      id,
      account_id: account.id,
      name: mark,
      billing_interval: "MONTH",
      delivery_interval: "MONTH",
      is_active: 1,
      ...stamps,
    }),
  ),
  paths: { "/api/subscriptions/selling-plans/{id}": { id: sparePlan } },
  bodies: {
    createSellingPlan: {
      id: `plan-${newId()}`,
      name: "Monthly",
      billing_interval: "MONTH",
      billing_interval_count: 1,
    },
  },
});

const lineOf = (id: string, plan: string, mark: string): Line => ({
  id,
  store_product_id: mark,
  store_variant_id: mark,
  subscription_variant_id: null,
  product_title: mark,
  variant_title: null,
  sku: mark,
  selling_plan_id: plan,
  selling_plan_name: mark,
  entity_id: null,
  price: 2000,
  quantity: 1,
  selection_items: null,
  is_one_time: false,
  plan_shipping: 0,
  plan_discount: null,
});

const discountOf = (id: string, mark: string): Discount => ({
  id,
  status: "ACTIVE",
  discount_code: mark,
  title: mark,
  reduction: { type: "FIXED_AMOUNT", value: 100 },
  store_discount_id: mark,
  target_type: "ORDER",
  recurring_cycle_limit: null,
  cycles_used: 0,
  applied_at: now,
  exhausted_at: null,
  removed_at: null,
  created_at: now,
  updated_at: now,
});

const far = "2035-01-31";

const subscriptionPart: Maker = ({ account }, mark, ids) => {
  const { profile, entity, subscription, skipped, billed, reviewed, skip, method, line, discount, plan } =
    ids;
  const owing = newId();
  const row = (id: string, number: number, more: Partial<typeof subscriptions.$inferInsert> = {}) =>
    someOf(subscriptions, {
      id,
      account_id: account.id,
      revision: 1,
      number,
      profile_id: profile,
      entity_id: entity,
      entity_label: mark,
      status: "ACTIVE",
      currency_code: "USD",
      billing_interval: "MONTH",
      billing_interval_count: 1,
      delivery_interval: "MONTH",
      delivery_interval_count: 1,
      anchor_date: far,
      next_index: 0,
      next_billed_index: 0,
      schedule_revision: 1,
      next_billing_date: far,
      next_delivery_date: far,
      payment_method_id: method,
      store_contract_id: number,
      note: mark,
      delivery_instructions: mark,
      ...pricedColumns([lineOf(line, plan, mark), lineOf(newId(), plan, mark)], [discountOf(discount, mark)]),
      ...stamps,
      ...more,
    });
  const path = "/api/subscriptions/{id}";
  const onIt = [
    "",
    ...[
      "payment-method",
      "upcoming",
      "skips",
      "pause",
      "resume",
      "cancel",
      "reactivate",
      "skip",
      "frequency",
    ],
    ...["delivery-instructions", "schedule", "delivery-address", "lines", "discounts"],
    ...["ship-now", "billing-attempts", "dunning-episodes"],
  ];
  const item = {
    store_product_id: "product-1",
    store_variant_id: "variant-1",
    product_title: "Kibble",
    selling_plan_id: plan,
    price: 10,
    quantity: 1,
  };
  return {
    writes: [
      insertOf(paymentMethods, {
        id: method,
        account_id: account.id,
        profile_id: profile,
        store_payment_method_id: mark,
        brand: mark,
        is_default: 1,
        status: "VALID",
        ...stamps,
      }),
      row(subscription, 1001),
      row(skipped, 1002),
      row(owing, 1003, { status: "PAYMENT_FAILED" }),
      row(billed, 1004, {
        open_attempt_id: reviewed,
        billing_blocked_reason: "amount_mismatch",
        payment_method_id: null,
      }),
      insertOf(subscriptionSkips, {
        id: skip,
        account_id: account.id,
        subscription_id: skipped,
        cycle: 1,
        skip_weeks: 1,
        reason: mark,
        previous_anchor_date: "2035-01-24",
        previous_delivery_date: "2035-01-24",
        previous_billing_date: "2035-01-24",
        schedule_revision: 1,
        created_at: now,
      }),
    ],
    paths: {
      ...Object.fromEntries(
        onIt.map((on) => [on === "" ? path : `${path}/${on}`, { id: subscription }] as const),
      ),
      [`${path}/unskip`]: { id: skipped },
      [`${path}/retry-payment`]: { id: owing },
      [`${path}/lines/{lineId}`]: { id: subscription, lineId: line },
      [`${path}/discounts/{discountId}`]: { id: subscription, discountId: discount },
    },
    bodies: {
      createSubscriptions: {
        profile_id: profile,
        store_payment_method_id: "pm_success",
        next_delivery_date: far,
        lines: [item],
      },
      addLine: item,
      skipSubscription: { skip_weeks: 1, skip_reason_id: ids.skipReason },
      pauseSubscription: { reason: "Away" },
      cancelSubscription: { reason: "Enough" },
      reschedule: { next_delivery_date: "2035-02-15" },
      changeDeliveryAddress: { delivery_address_id: ids.address },
    },
  };
};

const attemptOf = (mark: string, slot: string) => ({
  activation: 1,
  cycle: 1,
  attempt_number: 1,
  origin: "RECURRING" as const,
  amount: 3900,
  currency_code: "USD",
  frozen: JSON.stringify({
    billing_date: "2026-01-01",
    delivery_date: "2026-01-03",
    production_date: "2026-01-02",
    delivery_slot_id: slot,
    payment_method_id: null,
    lines: [],
    discounts: [],
    deliveries: 1,
    subtotal: 3900,
    discount_amount: 0,
    isOffSchedule: false,
  }),
  claims: 1,
  unanswered: 0,
  requested_at: now,
  error_code: mark,
  error_message: mark,
  is_refused: 0 as const,
  uncounted_claims: 0,
  ...stamps,
});

const billingPart: Maker = (
  { account },
  mark,
  { subscription, billed, attempt, reviewed, episode, slot },
) => ({
  writes: [
    insertOf(billingAttempts, {
      ...attemptOf(mark, slot),
      id: attempt,
      account_id: account.id,
      subscription_id: subscription,
      status: "FAILED",
      store_key: mark,
      settled_at: now,
    }),
    insertOf(billingAttempts, {
      ...attemptOf(mark, slot),
      id: reviewed,
      account_id: account.id,
      subscription_id: billed,
      status: "REVIEW",
      store_key: `reviewed-${mark}`,
    }),
    insertOf(dunningEpisodes, {
      id: episode,
      account_id: account.id,
      subscription_id: subscription,
      cycle: 1,
      status: "CLOSED",
      attempt_count: 1,
      retry_days: "[1,3,7]",
      last_error_code: mark,
      last_error_message: mark,
      opened_at: now,
      closed_at: now,
      retries_from: now,
    }),
  ],
  paths: {
    "/api/subscriptions/{id}/billing-attempts/{attemptId}": { id: subscription, attemptId: attempt },
    "/api/billing-attempts/{id}/settle": { id: reviewed },
  },
  bodies: {
    settleBillingAttempt: { charged: true, store_order_id: `found-${mark}`, amount: 39 },
    updateAccount: { name: "Another name" },
    advanceTestClock: { advance_to: new Date(Date.now() + 86_400_000).toISOString() },
  },
});

const orderPart: Maker = ({ account }, mark, { profile, slot, subscription, order }) => ({
  writes: [
    insertOf(orders, {
      id: order,
      account_id: account.id,
      revision: 1,
      status: "PAID",
      fulfillment_status: "UNFULFILLED",
      order_type: "SUBSCRIPTION",
      is_checkout_order: 0,
      has_subscription: 1,
      store_order_id: `order-${mark}`,
      profile_id: profile,
      delivery_slot_id: slot,
      currency_code: "USD",
      subtotal: 4250,
      discount_amount: 0,
      total: 4250,
      refunded_amount: 0,
      tracking_number: mark,
      search_text: mark,
      ...stamps,
    }),
    insertOf(orderSubscriptions, {
      account_id: account.id,
      subscription_id: subscription,
      order_id: order,
    }),
  ],
  paths: { "/api/subscriptions/orders/{id}": { id: order } },
  queries: {
    listOrders: { profile_id: profile, subscription_id: subscription, search: mark, tracking_number: mark },
  },
});

const activityPart: Maker = ({ account }, mark, { profile, order, log }) => ({
  writes: [
    insertOf(activityLogs, {
      id: log,
      account_id: account.id,
      action: `integration_${mark}`,
      description: mark,
      metadata: JSON.stringify({ mark }),
      actor_type: "admin",
      actor_name: mark,
      loggable_type: "order",
      loggable_id: order,
      order_id: order,
      profile_id: profile,
      created_at: now,
      type: `integration.${mark}`,
    }),
  ],
  paths: { "/api/events/{id}": { id: log } },
  bodies: {
    createActivityLog: { loggable_type: "order", loggable_id: order, action: "integration_checked" },
  },
  queries: { listActivityLogs: { start_date: "2026-01-01", end_date: "2026-12-31", order_id: order } },
});

const reasonPart =
  (kind: ReasonKind): Maker =>
  ({ account }, mark, { skipReason }) => {
    const ids = [kind === "skip" ? skipReason : newId(), newId()];
    const title = `${kind[0]?.toUpperCase()}${kind.slice(1)}Reason`;
    return {
      writes: ids.map((id, position) =>
        insertOf(reasons, {
          id,
          account_id: account.id,
          kind,
          label: mark,
          description: mark,
          position,
          is_active: 1,
          ...stamps,
        }),
      ),
      paths: { [`/api/subscriptions/${kind}-reasons/{id}`]: { id: ids[0]! } },
      bodies: { [`reorder${title}s`]: { ordered_ids: ids.toReversed() } },
    };
  };

const portalPart: Maker = ({ account }) => ({
  writes: [],
  queries: { listPublicSkipReasons: { shop: account.shop } },
});

/** A shop on Shopify of its own, which the world's tenant, on the sandbox, cannot be. */
const webhookPart: Maker = () => {
  let connected: Promise<string> | undefined;
  return {
    writes: [],
    bodies: { receiveShopifyWebhook: { id: 1 } },
    signed: {
      async receiveShopifyWebhook(body) {
        connected ??= connectedShop();
        return { headers: await deliveryHeaders(await connected, "app/uninstalled", body), ask: onShopify };
      },
    },
  };
};

/** After the part with the entry: it is sent nothing unless a test asks for it. */
const webhookEndpointPart: Maker = ({ account }, mark, { endpoint, delivery, log }) => {
  const path = "/api/webhook-endpoints/{id}";
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  return {
    writes: [
      insertOf(webhookEndpoints, {
        id: endpoint,
        account_id: account.id,
        url: `https://${mark}.example.com/`,
        description: mark,
        event_types: `["integration.${mark}"]`,
        payload: "full",
        is_enabled: 1,
        secret: "",
        ...stamps,
      }),
      insertOf(eventDeliveries, {
        id: delivery,
        account_id: account.id,
        endpoint_id: endpoint,
        event_id: log,
        event_type: `integration.${mark}`,
        sequence: 1,
        status: "DELIVERED",
        attempt_count: 1,
        created_at: now,
        delivered_at: now,
      }),
    ],
    paths: {
      ...Object.fromEntries(
        ["", "/rotate-secret", "/test", "/recover", "/deliveries"].map((part) => [
          path + part,
          { id: endpoint },
        ]),
      ),
      [`${path}/deliveries/{deliveryId}/resend`]: { id: endpoint, deliveryId: delivery },
    },
    bodies: { recoverWebhookEndpoint: { since: yesterday } },
  };
};

/** A new slice registers here: a row of each kind it keeps, and how its paths name it. */
const makers: Maker[] = [
  profilePart,
  entityPart,
  deliveryPart,
  planPart,
  subscriptionPart,
  billingPart,
  orderPart,
  activityPart,
  ...reasonKinds.map(reasonPart),
  portalPart,
  webhookPart,
  webhookEndpointPart,
];

const newIds = (): Ids => ({
  profile: newId(),
  spare: newId(),
  address: newId(),
  entity: newId(),
  day: newId(),
  slot: newId(),
  plan: newId(),
  sparePlan: newId(),
  subscription: newId(),
  skipped: newId(),
  billed: newId(),
  skip: newId(),
  skipReason: newId(),
  method: newId(),
  line: newId(),
  discount: newId(),
  order: newId(),
  attempt: newId(),
  reviewed: newId(),
  episode: newId(),
  log: newId(),
  endpoint: newId(),
  delivery: newId(),
});

/** A fresh tenant with a record of every kind. */
export const world = async (mark = `mark-${newId()}`): Promise<World> => {
  const of = await tenant();
  const ids = newIds();
  const parts = makers.map((maker) => maker(of, mark, ids));
  await commit(
    { db: testDb() },
    parts.flatMap(({ writes }) => writes),
  );
  return {
    tenant: of,
    customerToken: () => token(of, { actor_type: "customer", profile_id: ids.profile }),
    paths: Object.assign({}, ...parts.map(({ paths }) => paths)),
    bodies: Object.assign({}, ...parts.map(({ bodies }) => bodies)),
    queries: Object.assign({}, ...parts.map(({ queries }) => queries)),
    signed: Object.assign({}, ...parts.map(({ signed }) => signed)),
  };
};

const unregistered = (operation: Operation, what: string): Error =>
  new Error(`${titleOf(operation)}: test/support/world.ts knows no ${what} for it; register one there`);

/** The values of a path's parameters in a world. Throws where the world has no such record yet. */
export const paramsOf = (operation: Operation, { paths }: World): Values => {
  const names = [...operation.path.matchAll(/\{(.+?)\}/g)].map(([, name]) => name!);
  const values = paths[operation.path] ?? {};
  if (names.some((name) => values[name] === undefined)) throw unregistered(operation, "record");
  return values;
};

export const fill = (path: string, values: Values): string =>
  path.replaceAll(/\{(.+?)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));

/** The path of an operation on a world's own record. */
export const pathOf = (operation: Operation, of: World): string =>
  fill(operation.path, operation.path.includes("{") ? paramsOf(operation, of) : {});

/** A JSON body with which an operation succeeds in a world; undefined where it takes none. */
export const bodyOf = (operation: Operation, { bodies }: World): unknown => {
  const schema = jsonBodyOf(operation);
  if (!schema) return undefined;
  const body = bodies[operation.operationId] ?? resolve(schema).example;
  if (body === undefined) throw unregistered(operation, "body, nor has the document an example");
  return structuredClone(body);
};

/** The query with which an operation succeeds in a world. */
export const queryOf = (operation: Operation, { queries }: World): Values => {
  const query = queries[operation.operationId] ?? {};
  const required = operation.parameters?.filter(
    (parameter) => parameter.in === "query" && parameter.required,
  );
  if (required?.some(({ name }) => query[name] === undefined)) throw unregistered(operation, "query");
  return query;
};

const tokens = new WeakMap<Tenant, Promise<string>>();

/** The tenant's admin token, made once. */
export const adminToken = (of: Tenant): Promise<string> => {
  const known = tokens.get(of) ?? token(of);
  tokens.set(of, known);
  return known;
};

/** The least with which an operation may be called. */
export const callerOf = async (operation: Operation, { tenant: of }: World): Promise<Caller> => {
  if (isAnonymous(operation)) return nobody;
  if (accepts(operation, "apiKey")) return of;
  if (accepts(operation, "bearer")) return bearer(await adminToken(of));
  return both(of, await adminToken(of));
};

export type Call = RequestOptions & { path?: string; as?: Caller };

const bytesOf = async ({
  raw,
  body,
}: Pick<RequestOptions, "raw" | "body">): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(raw ?? (body === undefined ? null : JSON.stringify(body))).arrayBuffer());

/** The request as its sender signs it; a body that was a stream still is one. */
const signedAs = async (sign: Signed, { raw, body, headers, ...rest }: RequestOptions) => {
  const bytes = await bytesOf({ body, ...(raw === undefined ? {} : { raw }) });
  const signed = await sign(bytes);
  const json: Values = body === undefined ? {} : { "Content-Type": "application/json" };
  const sent = raw instanceof ReadableStream ? new Blob([bytes]).stream() : bytes;
  return {
    ask: signed.ask,
    options: { ...rest, raw: sent, headers: { ...json, ...signed.headers, ...headers } },
  };
};

/** A request that succeeds unless the test changes it; its answer is checked against the document. */
export const call = async (
  operation: Operation,
  of: World,
  changed: Call = {},
): Promise<Answer<Schemaless>> => {
  const { path = pathOf(operation, of), as = await callerOf(operation, of), ...options } = changed;
  const given = "body" in changed || "raw" in changed ? {} : { body: bodyOf(operation, of) };
  const request = { query: queryOf(operation, of), ...given, ...options };
  const sign = of.signed[operation.operationId];
  const { ask, options: whole } = sign ? await signedAs(sign, request) : { ask: api, options: request };
  const answer = await ask(as, operation.method, path, whole);
  expectDocumented(operation, answer);
  return answer;
};

// biome-ignore lint/suspicious/noExplicitAny: the document has checked the body already
type Schemaless = any;
