import { insertRows } from "../../src/db/bulk.ts";
import type { Statement, Value } from "../../src/db/client.ts";
import { demoId } from "../../src/demo.ts";
import { eventTypeOf } from "../../src/event-types.ts";
import { searchTextOf } from "../../src/lib/text.ts";
import { derived } from "../../src/profiles/rules.ts";
import { draw, pick } from "./draw.ts";
import { cities, entityNames, firstNames, lastNames, staff } from "./names.ts";
import { contractRow, paymentMethodRow, subscriptionRow, weeksOf } from "./subscriptions.ts";

/** How many records to create, and after how many of each. The n-th record is always the same except for its time. */
export type Amounts = { profiles: number; subscriptions: number; orders: number };
type Extent = { amounts: Amounts; after: Amounts; nextNumber: number };

type Row = Record<string, Value>;

const account_id = demoId("account", 1);
const dayMs = 86_400_000;

const range = (after: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => after + index + 1);

const at = (now: Date, daysAgo: number, n: number): string =>
  new Date(now.getTime() - daysAgo * dayMs - draw(n, 99, dayMs / 2)).toISOString();
const dateOf = (instant: string): string => instant.slice(0, 10);

const profileRow = (n: number, now: Date): Row => {
  const first_name = pick(n, 1, firstNames);
  const last_name = pick(n, 2, lastNames);
  const [city, region, postal_code] = pick(n, 3, cities);
  const created_at = at(now, 400 + draw(n, 4, 300), n);
  const fields = {
    email: `${first_name}.${last_name}.${n}@example.com`
      .replaceAll("ø", "o")
      .replaceAll("ı", "i")
      .normalize("NFKD")
      .replaceAll(/[^\w.@-]/g, ""),
    first_name,
    last_name,
    phone_number: `+1 555 ${String(1_000_000 + n).slice(-7)}`,
    external_id: n % 3 === 0 ? `crm-${n}` : null,
    store_customer_id: `customer-${n}`,
  };
  return {
    id: demoId("profile", n),
    account_id,
    revision: 1,
    ...fields,
    ...derived(fields),
    email_status: pick(n, 5, ["subscribed", "subscribed", "unsubscribed", "suppressed", null]),
    sms_status: pick(n, 6, ["subscribed", "unsubscribed", null]),
    timezone: "America/New_York",
    address1: `${1 + draw(n, 7, 400)} ${pick(n, 8, lastNames)} Street`,
    city,
    region,
    country: "United States",
    country_code: "US",
    postal_code,
    created_at,
    updated_at: created_at,
  };
};

const addressRow = (n: number, now: Date): Row => {
  const { first_name, last_name, address1, city, region, postal_code, country, country_code, created_at } =
    profileRow(n, now);
  return {
    id: demoId("delivery_address", n),
    account_id,
    profile_id: demoId("profile", n),
    first_name,
    last_name,
    address1,
    city,
    zip: postal_code,
    province: region,
    country,
    country_code,
    created_at,
    updated_at: created_at,
  } as Row;
};

const entityRow = (n: number, now: Date): Row => {
  const entity_type = pick(n, 11, ["dog", "dog", "cat", "person"]);
  const created_at = at(now, 380 + draw(n, 12, 20), n);
  return {
    id: demoId("entity", n),
    account_id,
    profile_id: demoId("profile", n),
    entity_type,
    name: pick(n, 13, entityNames),
    is_active: draw(n, 14, 8) === 0 ? 0 : 1,
    image_url: null,
    attributes: JSON.stringify(entity_type === "person" ? {} : { weight_kg: 3 + draw(n, 15, 30) }),
    created_at,
    updated_at: created_at,
  };
};

/** How many days ago the k-th last order of a subscription was placed. */
const daysAgoOf = (n: number, k: number): number => 1 + draw(n, 22, 7) + k * weeksOf(n) * 7;

/** A subscription amid its owner, entity and the orders it has made. */
const madeSubscription = (n: number, extent: Extent, now: Date): Row => {
  const { amounts, after, nextNumber } = extent;
  const index = n - after.subscriptions - 1;
  const owner = after.profiles + (index % amounts.profiles) + 1;
  const own = range(0, Math.ceil(amounts.orders / amounts.subscriptions))
    .map((k) => index + (k - 1) * amounts.subscriptions)
    .filter((position) => position < amounts.orders)
    .map((position) => orderRow(after.orders + position + 1, position, extent, now))
    .filter(({ of }) => of === n);
  const around = {
    number: nextNumber + index,
    owner: profileRow(owner, now),
    entity: draw(n, 23, 3) > 0 ? entityRow(owner, now) : undefined,
    created_at: at(now, Math.max(365, daysAgoOf(n, Math.ceil(amounts.orders / amounts.subscriptions))), n),
    lastOrderId: (own[0]?.order.id as string | undefined) ?? null,
    revenue: own
      .filter(({ order }) => order.status !== "PENDING" && order.status !== "CANCELLED")
      .reduce((sum, { order }) => sum + (order.total as number) - (order.refunded_amount as number), 0),
  };
  return subscriptionRow(n, around, now);
};

const orderRow = (
  n: number,
  index: number,
  { amounts, after }: Extent,
  now: Date,
): { order: Row; of: number | null } => {
  const of = after.subscriptions + (index % amounts.subscriptions) + 1;
  const age = daysAgoOf(of, Math.floor(index / amounts.subscriptions));
  const order_type = pick(n, 31, [
    "SUBSCRIPTION",
    "SUBSCRIPTION",
    "SUBSCRIPTION",
    "SUBSCRIPTION",
    "UPSELL",
    "ONE_TIME",
  ]);
  const isOld = age > 5;
  const status = pick(
    n,
    32,
    isOld
      ? ["PAID", "PAID", "PAID", "PAID", "PAID", "PAID", "PARTIALLY_REFUNDED", "REFUNDED", "CANCELLED"]
      : ["PAID", "PAID", "PENDING"],
  );
  const fulfillment_status =
    status === "CANCELLED" || status === "PENDING"
      ? "UNFULFILLED"
      : isOld
        ? pick(n, 33, ["FULFILLED", "FULFILLED", "FULFILLED", "PARTIALLY_FULFILLED"])
        : "UNFULFILLED";
  const shipped = fulfillment_status !== "UNFULFILLED";
  const tracking = shipped ? `1Z${String(10_000_000 + n)}` : null;
  const subtotal = 1800 + draw(n, 34, 80) * 100 + 95;
  const discount_amount = draw(n, 35, 4) === 0 ? Math.round(subtotal / 10) : 0;
  const total = subtotal - discount_amount;
  const created_at = at(now, age, n);
  const number = `D${10_000 + n}`;
  const owner = after.profiles + ((index % amounts.subscriptions) % amounts.profiles) + 1;
  const refunds: Record<string, number> = { REFUNDED: total, PARTIALLY_REFUNDED: Math.round(total / 2) };
  const delivered = new Date(Date.parse(created_at) + 3 * dayMs).toISOString();
  return {
    of: order_type === "ONE_TIME" ? null : of,
    order: {
      id: demoId("order", n),
      account_id,
      revision: 1,
      status,
      fulfillment_status,
      order_type,
      is_checkout_order: order_type === "ONE_TIME" ? 1 : 0,
      has_subscription: order_type === "ONE_TIME" ? 0 : 1,
      store_order_id: `store-order-${n}`,
      store_order_number: number,
      external_order_number: n % 2 === 0 ? `ERP-${n}` : null,
      external_source: n % 2 === 0 ? "erp" : null,
      profile_id: demoId("profile", owner),
      delivery_slot_id: draw(n, 36, 2) === 0 ? demoId("delivery_slot", 1 + draw(n, 37, 4)) : null,
      currency_code: "USD",
      subtotal,
      discount_amount,
      total,
      refunded_amount: refunds[status] ?? 0,
      billing_date: dateOf(created_at),
      production_date: dateOf(created_at),
      delivery_date: dateOf(delivered),
      order_created_at: created_at,
      tracking_number: tracking,
      tracking_company: tracking && "UPS",
      tracking_url: tracking && `https://tracking.example.com/${tracking}`,
      search_text: searchTextOf([`store-order-${n}`, number, n % 2 === 0 ? `ERP-${n}` : null, tracking]),
      created_at,
      updated_at: created_at,
    },
  };
};

type About = { type: "subscription" | "order"; subscription_id: Value; order_id: Value; profile_id: Value };

const entryRow = (id: string, action: string, about: About, created_at: string, more: Row): Row =>
  ({
    id,
    account_id,
    action,
    description: null,
    metadata: null,
    actor_type: "system",
    actor_name: null,
    loggable_type: about.type,
    loggable_id: about.type === "order" ? about.order_id : about.subscription_id,
    subscription_id: about.subscription_id,
    order_id: about.order_id,
    profile_id: about.profile_id,
    ...more,
    created_at,
    type: eventTypeOf(action),
  }) as Row;

/** Ids of entries: the order's or subscription's own number, and which entry of it. */
const entryId = (record: number, which: number): string => demoId("activity_log", record * 8 + which);

const subscriptionEntries = (n: number, row: Row): Row[] => {
  const about: About = {
    type: "subscription",
    subscription_id: row.id ?? null,
    order_id: null,
    profile_id: row.profile_id ?? null,
  };
  const admin = { actor_type: "admin", actor_name: pick(n, 41, staff) };
  const started = Date.parse(row.created_at as string);
  const later = (days: number): string => new Date(started + days * dayMs).toISOString();
  const ends: Record<string, [string, Row]> = {
    PAUSED: ["subscription_paused", { actor_type: "customer" }],
    CANCELLED: ["subscription_cancelled", admin],
    EXPIRED: ["subscription_expired", {}],
    PAYMENT_FAILED: ["dunning_exhausted", {}],
  };
  const end = ends[row.status as string];
  return [
    entryRow(entryId(n, 0), "subscription_created", about, row.created_at as string, {
      actor_type: "api",
      actor_name: "demo",
    }),
    ...(n % 2 === 0 ? [entryRow(entryId(n, 1), "frequency_changed", about, later(40), admin)] : []),
    ...(n % 3 === 0
      ? [entryRow(entryId(n, 2), "subscription_skipped", about, later(90), { actor_type: "customer" })]
      : []),
    ...(end ? [entryRow(entryId(n, 3), end[0], about, later(300), end[1])] : []),
  ];
};

const orderEntries = (n: number, { order, of }: { order: Row; of: number | null }): Row[] => {
  const about: About = {
    type: "order",
    subscription_id: of === null ? null : demoId("subscription", of),
    order_id: order.id ?? null,
    profile_id: order.profile_id ?? null,
  };
  const placed = order.created_at as string;
  const later = (hours: number): string => new Date(Date.parse(placed) + hours * 3_600_000).toISOString();
  const shipped = order.fulfillment_status !== "UNFULFILLED";
  return [
    entryRow(entryId(n, 4), "order_placed", about, placed, {}),
    ...(shipped ? [entryRow(entryId(n, 5), "order_fulfilled", about, later(26), {})] : []),
    ...(shipped && n % 4 === 0
      ? [
          entryRow(entryId(n, 6), "integration_label_printed", about, later(20), {
            actor_type: "api",
            actor_name: "warehouse",
            metadata: JSON.stringify({ carrier: "UPS" }),
          }),
        ]
      : []),
  ];
};

const inPieces = <T>(list: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );

const pieceSize = 20_000;

/** The statements that make the records, in pieces that each are one batch. */
/** How many batches so many records are. */
export function batchesOf(amounts: Amounts): number {
  return Object.values(amounts).reduce((sum, count) => sum + Math.ceil(count / pieceSize), 0);
}

export function* recordBatches(extent: Extent, now: Date): Generator<Statement[]> {
  const { amounts, after } = extent;
  for (const piece of inPieces(range(after.profiles, amounts.profiles), pieceSize))
    yield [
      ...insertRows(
        "profiles",
        piece.map((n) => profileRow(n, now)),
      ),
      ...insertRows(
        "payment_methods",
        piece.map((n) => paymentMethodRow(n, profileRow(n, now))),
      ),
      ...insertRows(
        "delivery_addresses",
        piece.map((n) => addressRow(n, now)),
      ),
      ...insertRows(
        "entities",
        piece.map((n) => entityRow(n, now)),
      ),
    ];
  for (const piece of inPieces(range(after.subscriptions, amounts.subscriptions), pieceSize)) {
    const rows = piece.map((n) => madeSubscription(n, extent, now));
    yield [
      ...insertRows("subscriptions", rows),
      ...insertRows(
        "sandbox_contracts",
        rows.map((row, index) => contractRow(piece[index] ?? 0, row)),
      ),
      ...insertRows(
        "activity_logs",
        rows.flatMap((row, index) => subscriptionEntries(piece[index] ?? 0, row)),
      ),
    ];
  }
  for (const piece of inPieces(range(after.orders, amounts.orders), pieceSize)) {
    const records = piece.map((n) => ({ n, ...orderRow(n, n - after.orders - 1, extent, now) }));
    const links = records.flatMap(({ order, of }) =>
      of === null
        ? []
        : [{ account_id, subscription_id: demoId("subscription", of), order_id: order.id ?? null }],
    );
    yield [
      ...insertRows(
        "orders",
        records.map(({ order }) => order),
      ),
      ...insertRows("order_subscriptions", links),
      ...insertRows(
        "activity_logs",
        records.flatMap((record) => orderEntries(record.n, record)),
      ),
    ];
  }
}
