import type { AccountSeq } from "../../src/base/db/columns.ts";
/** Statements that put the records of an account with so many subscriptions into a database without triggers. */
export function manyRecords(account_seq: AccountSeq, many: number): Sql[] {
  return [
    ...rowsOf(many).map(({ table, count, columns }) => {
      const values = Object.values(columns).join(", ");
      const names = Object.keys(perRow).filter((name) => new RegExp(`\\b${name}\\b`).test(values));
      const of = (nth: string): string => [nth, ...names.map((name) => perRow[name]?.(nth))].join(", ");
      return {
        sql: `INSERT INTO ${table} (account_seq, ${Object.keys(columns).join(", ")})
      WITH RECURSIVE numbers (${["i", ...names].join(", ")}) AS (SELECT ${of("0")} UNION ALL SELECT ${of("i + 1")} FROM numbers WHERE i + 1 < ${count})
      SELECT ?, ${values} FROM numbers`,
        params: [Number(account_seq)],
      };
    }),
    ...counted.map((sql) => ({ sql, params: [] })),
  ];
}

export function idOf(kind: keyof typeof kinds, nth: number): string {
  return `${kinds[kind].toString(16).padStart(8, "0")}-0000-7000-8000-${nth.toString(16).padStart(12, "0")}`;
}

/** The id of the n-th record of a kind, as SQL or of a number. */
function idSql(kind: number, nth = "i") {
  const tail = nth === "i" ? "hex_of_i" : hex(nth);
  return `'${kind.toString(16).padStart(8, "0")}-0000-7000-8000-' || ${tail}`;
}

const kinds = {
  ...{ profile: 1, entity: 2, subscription: 3, order: 4, attempt: 5, entry: 6, reason: 7 },
  ...{ method: 8, slot: 9, day: 10, episode: 11 },
};
const { profile, entity, subscription, order, attempt, entry, reason, method, slot, day, episode } = kinds;

function hex(nth: string) {
  return `printf('%012x', ${nth})`;
}

/** Four records have one time, the next four twenty minutes later; their dates follow their creation, as a shop's do. */
const createdAt = "time_of_i";

/** Values that several columns of a row have, and that take long to make. */
const perRow: Record<string, (nth: string) => string> = {
  hex_of_i: hex,
  time_of_i: (nth) => `strftime('%Y-%m-%dT%H:%M:%fZ', 1704067200 + (${nth}) / 4 * 1200, 'unixepoch')`,
};

const stamps = { created_at: createdAt, updated_at: createdAt };

function dateAfter(days: number) {
  return `date(${1704067200 + days * 86_400} + i / 4 * 1200, 'unixepoch')`;
}

/** One of some values, each as often as it is named. */
function among(values: string[], step = 1) {
  const cases = values.map((value, nth) => `WHEN ${nth} THEN '${value}'`).join(" ");
  return `CASE i / ${step} % ${values.length} ${cases} END`;
}

/** A few are billed tomorrow, which may be reminded of. */
const nextBilling = `iif(i % 6 > 3, NULL, iif(i % 43 = 0, date('now', '+1 day'), ${dateAfter(300)}))`;

/** The type of an entry: the rare, that of integrations for a while, the common, and two that come by turns. */
function typeSql(many: number, [rare, integrations, common, one, other]: string[]) {
  return `iif(i % 90 = 0, '${rare}', iif(i BETWEEN ${2 * many} AND ${2.6 * many}, '${integrations}', ${among([`${common}`, `${common}`, `${one}`, `${other}`])}))`;
}

type Rows = { table: string; count: number; columns: Record<string, string> };

function rowsOf(many: number): Rows[] {
  return [
    {
      table: "profiles",
      count: many,
      columns: {
        ...{ id: idSql(profile), revision: "1", ...stamps },
        email: "'c' || i || '@customers.test'",
        email_folded: "'c' || i || '@customers.test'",
        email_status: among(["subscribed", "subscribed", "unsubscribed"]),
        store_customer_id: "'c-' || i",
        search_identity: "'common' || char(10) || 'c' || i || '@customers.test'",
        search_other: "''",
      },
    },
    {
      table: "entities",
      count: Math.floor(many / 5),
      columns: {
        ...{ id: idSql(entity), profile_id: idSql(profile), attributes: "'{}'", ...stamps },
        name: "'n' || i",
        entity_type: "iif(i % 1000 = 0, 'rare', 'dog')",
        is_active: "i % 50 > 0",
      },
    },
    {
      table: "payment_methods",
      count: many,
      columns: {
        ...{ id: idSql(method), profile_id: idSql(profile), store_payment_method_id: "'m' || i", ...stamps },
        ...{
          exp_month: "1 + i % 12",
          exp_year: "iif(i % 97 = 0, 2024, 2034)",
          is_default: "1",
          status: "'VALID'",
        },
      },
    },
    {
      table: "delivery_days",
      count: 1,
      columns: { id: idSql(day), is_active: "1", day_of_week: "1", ...stamps },
    },
    {
      table: "delivery_slots",
      count: 2,
      columns: {
        ...{ id: idSql(slot), delivery_day_id: idSql(day, "0"), is_active: "1", position: "i", ...stamps },
        ...{ label: "'s' || i", start_time: "'08:00'", end_time: "'09:00'", is_all_day: "0" },
      },
    },
    {
      table: "subscription_contents",
      count: many,
      columns: {
        kind: "'variant'",
        value: "iif(i % 997 = 0, 'rare', iif(i % 31 = 0, 'some', 'everything'))",
        subscription_id: idSql(subscription),
      },
    },
    {
      table: "subscription_contents",
      count: many,
      columns: {
        kind: "'plan'",
        value: "iif(i % 97 = 0, 'rare', 'everything')",
        subscription_id: idSql(subscription),
      },
    },
    {
      table: "subscriptions",
      count: many,
      columns: {
        ...{ id: idSql(subscription), revision: "1", number: "1000 + i", ...stamps },
        profile_id: idSql(profile),
        payment_method_id: idSql(method),
        delivery_slot_id: `iif(i % 3 = 0, ${idSql(slot, "iif(i % 97 = 0, 1, 0)")}, NULL)`,
        billing_blocked_reason: "iif(i % 11 = 0, 'import_held', NULL)",
        entity_id: `iif(i < ${Math.floor(many / 5)}, ${idSql(entity)}, NULL)`,
        status: `iif(i % 997 = 0, 'PAYMENT_FAILED', ${among(["ACTIVE", "ACTIVE", "ACTIVE", "PAUSED", "CANCELLED", "EXPIRED"])})`,
        dunning_episode_id: "iif(i % 10 = 0, 'e', NULL)",
        currency_code: "'USD'",
        ...{ billing_interval: "'MONTH'", billing_interval_count: "1" },
        ...{ delivery_interval: "'MONTH'", delivery_interval_count: "1" },
        ...{ anchor_date: dateAfter(0), next_index: "1", next_billed_index: "1", schedule_revision: "1" },
        ...{ activation: "1", current_billing_cycle: "1", lines: "'[]'", discounts: "'[]'" },
        next_billing_date: nextBilling,
        last_payment_reminder_billing_date: `iif(i % 4 = 1, ${nextBilling}, NULL)`,
        last_payment_reminder_sent_at: `iif(i % 4 = 1, ${createdAt}, NULL)`,
        migration_source_ref: "iif(i % 97 = 0, 'rare', 'everything')",
        next_delivery_date: `iif(i % 6 > 3, NULL, ${dateAfter(310)})`,
        next_production_date: `iif(i % 6 > 3, NULL, ${dateAfter(305)})`,
        ...{
          subtotal: "1000",
          discount_amount: "0",
          shipping_amount: "0",
          tax_amount: "0",
          total_revenue: "0",
        },
        total: "1000 + i % 7 * 500",
        store_contract_id: "1000000 + i",
        cancellation_reason_id: `iif(i % 6 = 4 AND i % 997 > 0, ${idSql(reason, "i / 6 % 2")}, NULL)`,
        search_text: "CAST(1000 + i AS TEXT)",
      },
    },
    {
      table: "orders",
      count: 2 * many,
      columns: {
        ...{ id: idSql(order), revision: "1", order_type: "'SUBSCRIPTION'", ...stamps },
        status: `iif(i % 97 = 0, 'REFUNDED', ${among(["PAID", "PAID", "PAID", "PENDING", "CANCELLED"])})`,
        fulfillment_status: `iif(i < ${1.5 * many}, 'FULFILLED', 'UNFULFILLED')`,
        is_checkout_order: "i % 89 = 0",
        has_subscription: "i % 83 > 0",
        store_order_id: "'store-' || i",
        profile_id: idSql(profile, `i % ${many}`),
        currency_code: "'USD'",
        ...{ subtotal: "1000", discount_amount: "0", refunded_amount: "0", total: "1000 + i % 7 * 500" },
        ...{ production_date: dateAfter(1), billing_date: dateAfter(0), delivery_date: dateAfter(4) },
        tracking_number: "'1Z' || i",
        search_text: "'store-' || i",
      },
    },
    {
      table: "order_subscriptions",
      count: 2 * many,
      columns: { order_id: idSql(order), subscription_id: idSql(subscription, `i % ${many}`) },
    },
    {
      table: "billing_attempts",
      count: many,
      columns: {
        ...{
          id: idSql(attempt),
          subscription_id: idSql(subscription),
          activation: "1",
          cycle: "1",
          attempt_number: "1",
        },
        origin: among(["RECURRING", "RECURRING", "SHIP_NOW", "DUNNING"]),
        status: `iif(i > ${0.95 * many}, 'QUEUED', ${among(["SUCCEEDED", "SUCCEEDED", "FAILED"], 4)})`,
        ...{
          store_key: idSql(attempt),
          amount: "1000",
          currency_code: "'USD'",
          snapshot: "'{}'",
          claims: "1",
          unanswered: "0",
        },
        ...{ requested_at: createdAt, settled_at: `iif(i > ${0.95 * many}, NULL, ${createdAt})`, ...stamps },
      },
    },
    {
      table: "dunning_episodes",
      count: many,
      columns: {
        ...{ id: idSql(episode), subscription_id: idSql(subscription), cycle: "1" },
        status: among(["RECOVERED", "OPEN", "EXHAUSTED", "CLOSED", "OPEN", "AWAITING_CUSTOMER"], 4),
        ...{ attempt_count: "1", retry_days: "'[1,3,7]'", opened_at: createdAt, retries_from: createdAt },
        due_at: `iif(i / 4 % 6 IN (1, 4, 5), ${createdAt}, NULL)`,
        closed_at: `iif(i / 4 % 6 IN (1, 4, 5), NULL, ${createdAt})`,
      },
    },
    {
      table: "activity_logs",
      count: 3 * many,
      columns: {
        ...{
          kept_id: idSql(entry),
          sequence: "i + 1000",
          created_ms: "1704067200000 + i / 4 * 400000",
        },
        type: typeSql(many, [
          "dunning.started",
          "integration.label",
          "order.placed",
          "subscription.paused",
          "subscription.resumed",
        ]),
        actor_type: `iif(i % 80 = 0, 'api', iif(i < ${many}, 'admin', ${among(["system", "customer"])}))`,
        actor_name: `iif(i < ${many}, iif(i % 1000 = 0, 'Rare', 'Ada'), NULL)`,
        ...{ loggable_type: "'order'", loggable_id: idSql(order, "i / 2") },
        ...{ other_subscription_id: idSql(subscription, "i / 3"), profile_id: idSql(profile, "i / 3") },
      },
    },
  ];
}

/** The counts that triggers would have made. */
const counted = [
  "INSERT INTO profile_counts SELECT account_seq, COALESCE(email_status, ''), COUNT(*) FROM profiles GROUP BY 1, 2",
  "INSERT INTO entity_counts SELECT account_seq, entity_type, is_active, COUNT(*) FROM entities GROUP BY 1, 2, 3",
  `INSERT INTO subscription_counts SELECT account_seq, status, dunning_episode_id IS NOT NULL OR status = 'PAYMENT_FAILED',
    delivery_interval, delivery_interval_count, COUNT(*) FROM subscriptions GROUP BY 1, 2, 3, 4, 5`,
  `INSERT INTO order_counts SELECT account_seq, status, fulfillment_status, is_checkout_order, has_subscription, COUNT(*)
    FROM orders GROUP BY 1, 2, 3, 4, 5`,
  `INSERT INTO order_spans SELECT account_seq, substr(created_at, 1, 7), 4, 4, 0, 0, 1, 1 FROM orders GROUP BY 1, 2`,
  `INSERT INTO billing_attempt_counts SELECT account_seq, status, origin, COUNT(*) FROM billing_attempts
    WHERE settled_at IS NOT NULL GROUP BY 1, 2, 3`,
  `INSERT INTO activity_counts SELECT account_seq, date(created_ms / 1000, 'unixepoch'), COUNT(*), json_object('00:00', COUNT(*))
    FROM activity_logs WHERE sequence < (SELECT MAX(sequence) FROM activity_logs) / 32 * 32 GROUP BY account_seq, created_ms / 86400000`,
  ...["profile_search", "subscription_search", "order_search"].map(
    (table) => `INSERT INTO ${table} (${table}) VALUES ('rebuild')`,
  ),
];

type Sql = { sql: string; params: number[] };

/** Names the indexes and triggers that are made anew when the records are there, which takes a tenth of the time. */
export const madeAfterwards = `SELECT type, name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL
  AND tbl_name IN (${rowsOf(1)
    .map(({ table }) => `'${table}'`)
    .join(", ")}) ORDER BY rowid`;
