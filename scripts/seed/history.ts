import type { Statement, Value } from "../../src/base/db/port.ts";
import { demoId } from "../../src/base/demo.ts";
import { eventTypeOf } from "../../src/base/event-types.ts";
import { dayMs } from "../../src/base/lib/time/durations.ts";
import { demoAccountSeq } from "./account.ts";
import { pick } from "./draw.ts";
import type { Extent, Range } from "./extent.ts";
import { staff } from "./names.ts";
import { laterBy } from "./times.ts";

type Row = Record<string, Value>;

export function subscriptionEntries(n: number, row: Row): Row[] {
  const entry = (which: number, action: string, created_at: string, actor: Row): Row => ({
    id: entryId(n, which),
    account_seq,
    action,
    actor_type: "system",
    actor_name: null,
    ...actor,
    loggable_type: "subscription",
    loggable_id: row.id ?? null,
    subscription_id: row.id ?? null,
    profile_id: row.profile_id ?? null,
    created_at,
    type: eventTypeOf(action),
  });
  const admin = { actor_type: "admin", actor_name: pick(n, 41, staff) };
  const customer = { actor_type: "customer" };
  const started = row.created_at as string;
  const ends: Record<string, [string, Row]> = {
    PAUSED: ["subscription_paused", customer],
    CANCELLED: ["subscription_cancelled", admin],
    EXPIRED: ["subscription_expired", {}],
    PAYMENT_FAILED: ["dunning_exhausted", {}],
  };
  const end = ends[row.status as string];
  return [
    entry(0, "subscription_created", started, { actor_type: "api", actor_name: "demo" }),
    ...(n % 2 === 0 ? [entry(1, "frequency_changed", laterBy(started, 40 * dayMs), admin)] : []),
    ...(n % 3 === 0 ? [entry(2, "subscription_skipped", laterBy(started, 90 * dayMs), customer)] : []),
    ...(end ? [entry(3, end[0], laterBy(started, 300 * dayMs), end[1])] : []),
  ];
}

/**
 * The history of orders, made from the orders themselves: most of all rows, which so never pass through JavaScript. `sequenceOf` is the
 * SQL of the place in the stream of events of an entry that was made then; a trigger gives it where that is not given.
 */
export function orderHistory(
  { first, last }: Range,
  { amounts, after }: Extent,
  sequenceOf?: (createdAt: string) => string,
): Statement {
  return {
    sql: `INSERT INTO ${sequenceOf ? "placed_entries" : "new_entries"} (id, account_seq, action, actor_type, actor_name, metadata, loggable_type, loggable_id,
      order_id, subscription_id, profile_id, created_at, type, sequence)
    WITH entry AS MATERIALIZED (
      SELECT value ->> 'which' AS which, value ->> 'action' AS action, value ->> 'type' AS type, value ->> 'hours' AS hours,
        value ->> 'is_of_shipping' AS is_of_shipping, value ->> 'every' AS every, value ->> 'actor_type' AS actor_type,
        value ->> 'actor_name' AS actor_name, value ->> 'metadata' AS metadata
      FROM json_each(?))
    SELECT ${idsOf("activity_log")} || printf('%012x', o.n * 8 + entry.which), o.account_seq, entry.action, entry.actor_type,
      entry.actor_name, entry.metadata, 'order', o.id, o.id,
      iif(o.has_subscription, ${idsOf("subscription")} || printf('%012x', ${after.subscriptions + 1}
        + (o.n - ${after.orders + 1}) % ${amounts.subscriptions}), NULL),
      o.profile_id,
      ${createdAt}, entry.type, ${sequenceOf?.(createdAt) ?? "NULL"}
    FROM (
        SELECT id, account_seq, profile_id, has_subscription, fulfillment_status, created_at,
          CAST(substr(store_order_id, ${"store-order-".length + 1}) AS INTEGER) AS n
        FROM orders WHERE account_seq = ? AND id BETWEEN ? AND ? ORDER BY id
      ) AS o CROSS JOIN entry
    WHERE o.n % entry.every = 0 AND (entry.is_of_shipping = 0 OR o.fulfillment_status <> 'UNFULFILLED')`,
    params: [
      JSON.stringify(orderEntries.map((entry) => ({ ...entry, type: eventTypeOf(entry.action) }))),
      account_seq,
      demoId("order", first),
      demoId("order", last),
    ],
  };
}

const account_seq = demoAccountSeq;

/** Ids of entries: eight for each number, the first four for its subscription, the others for its order. */
function entryId(record: number, which: number): string {
  return demoId("activity_log", record * 8 + which);
}

type OrderEntry = {
  which: number;
  action: string;
  hours: number;
  /** 1 if only an order that was shipped has it. */
  is_of_shipping: 0 | 1;
  /** The order in so many that has it. */
  every: number;
  actor_type: string;
  actor_name?: string;
  metadata?: string;
};

const orderEntries: OrderEntry[] = [
  { which: 4, action: "order_placed", hours: 0, is_of_shipping: 0, every: 1, actor_type: "system" },
  { which: 5, action: "order_fulfilled", hours: 26, is_of_shipping: 1, every: 1, actor_type: "system" },
  {
    which: 6,
    action: "integration_label_printed",
    hours: 20,
    is_of_shipping: 1,
    every: 4,
    actor_type: "api",
    actor_name: "warehouse",
    metadata: JSON.stringify({ carrier: "UPS" }),
  },
];

function idsOf(kind: Parameters<typeof demoId>[0]): string {
  return `'${demoId(kind, 0).slice(0, -12)}'`;
}

const createdAt = `iif(entry.hours = 0, o.created_at,
        strftime('%Y-%m-%dT%H:%M:%fZ', o.created_at, '+' || entry.hours || ' hours'))`;
