/** Whoever follows the cursors of a list to its end sees each row once and in order, from either end. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrationTexts } from "../../../../scripts/migrations.ts";
import type { LocalDb } from "../../../../scripts/storage/local.ts";
import { idOf, madeAfterwards, manyRecords } from "../../../../test/scale/many-records.ts";
import { limits } from "../../../../test/support/host/database.ts";
import { listAccountAttempts } from "../../../domain/billing/queries.ts";
import { listEntities } from "../../../domain/entities/queries.ts";
import { listOrders } from "../../../domain/orders/queries.ts";
import { listProfiles } from "../../../domain/profiles/queries.ts";
import { listItems } from "../../../domain/subscriptions/list/list-readers.ts";
import { bucketsOf } from "../../../edges/activity-logs/buckets.ts";
import { actionFilter, listActivity } from "../../../edges/activity-logs/queries.ts";
import { openD1 } from "../../../host/d1.ts";
import { openSqlite } from "../../../host/sqlite.ts";
import { d1Db } from "../client.ts";
import type { AccountSeq } from "../columns.ts";
import type { Value } from "../port.ts";
import { mostRead } from "./list-bounds.ts";
import type { Position } from "./list-position.ts";
import type { Filters } from "./list-shape.ts";
import type { Listed } from "./listing.ts";

const account_seq = 10 as AccountSeq;
/** Most records are several times as many as a page looks through. */
const many = mostRead;

let folder: string;
let file: DatabaseSync;
let db: LocalDb;

beforeAll(() => {
  folder = mkdtempSync(`${tmpdir()}/lists-`);
  file = new DatabaseSync(`${folder}/lists.sqlite`);
  for (const migration of migrationTexts()) file.exec(migration);
  const names = file.prepare(madeAfterwards).all();
  for (const { type, name } of names) file.exec(`DROP ${type} ${name}`);
  file.exec("PRAGMA foreign_keys = OFF");
  for (const { sql, params } of manyRecords(account_seq, many)) file.prepare(sql).run(...params);
  for (const { sql } of names) file.exec(String(sql));
  const sqlite = openSqlite(`${folder}/lists.sqlite`, { limits });
  db = { ...d1Db(openD1(sqlite)), close: sqlite.close };
});

afterAll(() => {
  db.close();
  file.close();
  rmSync(folder, { recursive: true });
});

type Order = "asc" | "desc";
type Asked = { sort: string; order: Order; chosen: [name: string, value: Value][] };
type Read = (
  filters: Filters,
  page: {
    page: number;
    limit: number;
    sort: string;
    order: Order;
    from?: { position: Position; total: number; isEstimate: boolean };
  },
) => Promise<Listed<{ id: string }>>;

/** A list, the conditions of its filters as SQL without any index, and the columns of its order. */
type Case = {
  title: string;
  read: Read;
  table: string;
  sorts: Record<string, string[]>;
  filters: Record<string, { sql: string; values: Value[] }>;
};

type AnyReader = (
  ctx: { db: LocalDb; account: { seq: AccountSeq } },
  page: never,
  filters: Filters,
  within?: object,
) => Promise<Listed<{ id: string }>>;
function reading(reader: unknown): Read {
  return (filters, page) =>
    (reader as AnyReader)({ db, account: { seq: account_seq } }, page as never, filters);
}

function is(column: string, values: Value[]) {
  return { sql: `${column} = ?`, values };
}

function among(column: string, lists: string[][]) {
  return {
    sql: `${column} IN (SELECT value FROM json_each(?))`,
    values: lists.map((list) => JSON.stringify(list)),
  };
}
const days = ["2024-01-05", "2024-01-25", "2024-02-20", "2024-12-01", "2030-01-01"];
const instants = ["2024-01-05T00:00:00.000Z", "2024-01-25T08:00:00.000Z", "2024-02-20T00:00:00.000Z"];
function range(column: string, sign: string, values = days) {
  return { sql: `${column} ${sign} ?`, values };
}
const owing = "(dunning_episode_id IS NOT NULL OR status = 'PAYMENT_FAILED')";
const start = "2024-01-03T00:00:00.000Z";
const end = "2024-02-20T00:00:00.000Z";

const readActivity: Read = ({ actions, ...filters }, page) => {
  const { filter, values } = actions ? actionFilter(JSON.parse(String(actions))) : { filter: {}, values: {} };
  const within = { ...bucketsOf(start, end), ...values };
  return (listActivity as unknown as AnyReader)(
    { db, account: { seq: account_seq } },
    page as never,
    { start: Date.parse(start), end: Date.parse(end), ...filters, ...filter },
    within,
  );
};

const cases: Case[] = [
  {
    title: "subscriptions",
    read: reading(listItems),
    table: "subscriptions",
    sorts: {
      created_at: ["created_at", "seq"],
      next_billing_date: ["next_billing_date", "seq"],
      next_production_date: ["next_production_date", "seq"],
      total: ["total", "seq"],
      status: ["status", "created_at", "seq"],
    },
    filters: {
      status: among("status", [
        ["ACTIVE"],
        ["PAUSED", "CANCELLED"],
        ["PAYMENT_FAILED"],
        ["ACTIVE", "PAUSED", "CANCELLED", "EXPIRED"],
      ]),
      owing: is(owing, [1]),
      failed_payment: is(owing, [0]),
      cancellation_reason_id: is("cancellation_reason_id", [idOf("reason", 0), idOf("reason", 9)]),
      entity_id: is("entity_id", [idOf("entity", 3)]),
      next_billing_before: range("next_billing_date", "<"),
      next_billing_after: range("next_billing_date", ">"),
      next_delivery_after: range("next_delivery_date", ">"),
      created_before: range("created_at", "<", instants),
      created_since: range("created_at", ">=", instants),
    },
  },
  {
    title: "orders",
    read: reading(listOrders),
    table: "orders",
    sorts: {
      created_at: ["created_at", "seq"],
      delivery_date: ["delivery_date", "seq"],
      total: ["total", "seq"],
      status: ["status", "created_at", "seq"],
    },
    filters: {
      status: among("status", [["PAID"], ["REFUNDED", "PENDING"], ["PARTIALLY_REFUNDED"]]),
      fulfillment_status: is("fulfillment_status", ["FULFILLED", "UNFULFILLED"]),
      from_checkout: is("is_checkout_order", [1]),
      without_subscription: is("NOT has_subscription", [1]),
      has_subscription: is("has_subscription", [1]),
      profile_id: is("profile_id", [idOf("profile", 5)]),
      subscription_id: {
        sql: "id IN (SELECT order_id FROM order_subscriptions WHERE subscription_id = ?)",
        values: [idOf("subscription", 5)],
      },
      delivery_date_to: range("delivery_date", "<="),
      billing_date_from: range("billing_date", ">="),
      production_date_to: range("production_date", "<="),
    },
  },
  {
    title: "entries of the feed",
    read: readActivity,
    table: `(SELECT * FROM activity_logs WHERE created_at >= '${start}' AND created_at < '${end}')`,
    sorts: { created_at: ["created_at", "sequence"] },
    filters: {
      by_program: is("COALESCE(actor_type, 'system')", ["system", "api"]),
      by_person: is("actor_type", ["customer", "admin"]),
      by_staff: { sql: "actor_type = 'admin' AND actor_name = ?", values: ["Ada", "Rare"] },
      of_order: is("order_id", [idOf("order", 5)]),
      actions: among("replace(action, 'integration_label', 'integration_')", [
        ["dunning_started"],
        ["order_placed"],
        ["integration_"],
        ["subscription_paused", "subscription_resumed"],
        ["dunning_started", "order_placed", "integration_"],
        ["none"],
      ]),
    },
  },
  {
    title: "billing attempts",
    read: reading(listAccountAttempts),
    table: "billing_attempts",
    sorts: { created_at: ["created_at", "seq"] },
    filters: {
      status: among("status", [
        ["QUEUED"],
        ["SUCCEEDED", "FAILED"],
        ["QUEUED", "PROCESSING", "ACTION_REQUIRED", "REVIEW", "FAILED", "CANCELLED"],
      ]),
      trigger: is("origin", ["SHIP_NOW", "RETRY"]),
      from: range("created_at", ">=", instants),
      to: range("created_at", "<=", instants),
    },
  },
  {
    title: "entities",
    read: reading(listEntities),
    table: "entities",
    sorts: { created_at: ["created_at", "id"], name: ["name", "id"], entity_type: ["entity_type", "id"] },
    filters: {
      entity_type: is("entity_type", ["dog", "rare"]),
      is_active: is("is_active", [1]),
      is_inactive: is("NOT is_active", [1]),
    },
  },
  {
    title: "profiles",
    read: reading(listProfiles),
    table: "profiles",
    sorts: { created_at: ["created_at", "id"] },
    filters: { email_status: is("email_status", ["subscribed", "unsubscribed", "suppressed"]) },
  },
];

function askedOf({ sorts, filters }: Case): fc.Arbitrary<Asked> {
  const each = Object.entries(filters).map(([name, { values }]) =>
    fc.constantFrom(...values).map((value): [string, Value] => [name, value]),
  );
  return fc.record({
    sort: fc.constantFrom(...Object.keys(sorts)),
    order: fc.constantFrom("asc", "desc"),
    chosen: fc.subarray(each, { maxLength: Math.min(3, each.length) }).chain((some) => fc.tuple(...some)),
  });
}

/** The ids of all rows, by conditions and an order that no index serves. */
function expectedOf({ table, sorts, filters }: Case, { sort, order, chosen }: Asked): string[] {
  const where = chosen.map(([name]) => `(${filters[name]?.sql})`);
  const by = sorts[sort]?.map((column) => `+${column} ${order}`).join(", ");
  const rows = file
    .prepare(`SELECT id FROM ${table} WHERE ${["1", ...where].join(" AND ")} ORDER BY ${by}`)
    .all(...chosen.map(([, value]) => value));
  return rows.map(({ id }) => String(id));
}

function seeded(numRuns: number) {
  return {
    seed: Number(process.env.FUZZ_SEED ?? 20261121),
    numRuns,
    endOnFailure: true,
  };
}

describe("following the places beside pages to their end shows each row once, in order, as if all were read", () => {
  test.each(cases.map((one) => [one.title, one] as const))("%s, from either end", async (_, one) => {
    await fc.assert(
      fc.asyncProperty(askedOf(one), fc.integer({ min: 50, max: 100 }), async (asked, limit) => {
        const { sort, order, chosen } = asked;
        const expected = expectedOf(one, asked);
        const page = { limit, sort, order };
        const all = async (to: "next" | "previous", begin: Position | null): Promise<string[]> => {
          const ids: string[][] = [];
          let position = begin;
          for (let nth = 0; nth === 0 || position; nth++) {
            const from = position && { position, total: 0, isEstimate: true };
            const listed = await one.read(Object.fromEntries(chosen), {
              ...page,
              page: 1,
              ...(from ? { from } : {}),
            });
            expect(listed.rows.length).toBeLessThanOrEqual(limit);
            ids.push(listed.rows.map(({ id }) => id));
            position = listed[to];
            if (nth > 1_000) throw new Error("the pages do not end");
          }
          return (to === "next" ? ids : ids.toReversed()).flat();
        };
        expect(await all("next", null)).toEqual(expected);
        expect(await all("previous", { reads: "back", key: [], isInclusive: false })).toEqual(expected);
      }),
      seeded(Math.ceil(Number(process.env.MODEL_RUNS ?? 30) / 6)),
    );
  });
});

describe("a statement is no longer than D1 takes, with all filters at once", () => {
  const searched = cases.filter(({ table }) => ["subscriptions", "orders"].includes(table));
  const asked = searched.flatMap((one) =>
    Object.keys(one.sorts).flatMap((sort) =>
      (["asc", "desc"] as const).flatMap((order) =>
        ["common", "c"].map((search) => ({ ...one, sort, order, search })),
      ),
    ),
  );

  test.each(asked)(
    "$title by $sort $order, searched for $search",
    async ({ read, filters, sort, order, search }) => {
      const page = { page: 1, limit: 50, sort, order };
      const ranges = Object.entries(filters).filter(([name]) => /_(before|after|since|from|to)$/.test(name));
      for (const some of [filters, Object.fromEntries(ranges)]) {
        const values = Object.entries(some).map(([name, { values }]) => [name, values[0]]);
        const asked = { ...Object.fromEntries(values), search };
        const { next } = await read(asked, page);
        if (next) await read(asked, { ...page, from: { position: next, total: 0, isEstimate: true } });
      }
    },
  );
});
