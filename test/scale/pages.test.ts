/** Pages of orders and of the history never skip or repeat a row, under any sort and filter. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mostSearched } from "../../src/base/db/list/search.ts";
import { api, type Caller } from "../support/client.ts";
import {
  type EntityRow,
  expectTotal,
  faults,
  listed,
  logOf,
  openMerchant,
  put,
  seeded,
  walk,
} from "../support/records.ts";
import {
  expectedOrders,
  expectedParts,
  flag,
  inOrder,
  maybe,
  orderQuery,
  type Query,
  withoutUndefined,
} from "./pages.queries.ts";
import { day, oneOf, sample, useRecords } from "./pages.setup.ts";

const { shop, records } = useRecords();

const path = {
  orders: "/api/subscriptions/orders",
  entities: "/api/subscriptions/entities",
  profiles: "/api/profiles",
};

type Row = { id: string };

/** A term that no index knows is looked for row by row, so that a number leads no further than that. */
function isLookedThrough({ search }: Query): boolean {
  return search !== undefined && [...String(search)].length < 3;
}

/** Rows that lie no further from the beginning are on a page by its number, whatever is filtered and sorted. */
const alwaysByNumber = 150;

async function expectWalk(caller: Caller, at: string, query: Query, limit: number, expected: string[]) {
  const { ids, back, pages } = await walk(caller, at, { ...query, limit });
  expectTotal(pages[0]!.meta, expected.length, JSON.stringify(query));
  expect(ids, `${JSON.stringify(query)} by ${limit}`).toEqual(expected);
  expect(back, `${JSON.stringify(query)} by ${limit}, back again`).toEqual(expected);
}

describe("pages neither skip nor repeat a row, under any sort and filter", () => {
  const limitFor = (length: number, limit: number): number => Math.max(limit, Math.ceil(length / 15));

  test.each(
    ["created_at", "delivery_date", "billing_date", "total", "status"].flatMap(
      (by) =>
        [
          [by, "asc"],
          [by, "desc"],
        ] as const,
    ),
  )("orders sorted by %s %s that are searched within several ranges", async (sort_by, sort_order) => {
    const ranges = {
      delivery_date_from: day(2),
      delivery_date_to: day(8),
      billing_date_from: day(3),
      production_date_to: day(8),
    };
    const query = { sort_by, sort_order, ...ranges, search: "NO " };
    const expected = expectedOrders(records, query);
    expect(expected.length).toBeGreaterThan(60);
    await expectWalk(shop.admin, path.orders, query, 40, expected);
  });

  test("orders, from the first page to the last", async () => {
    await fc.assert(
      fc.asyncProperty(orderQuery(records), fc.integer({ min: 1, max: 100 }), async (query, limit) => {
        const expected = expectedOrders(records, query);
        await expectWalk(shop.admin, path.orders, query, limitFor(expected.length, limit), expected);
      }),
      seeded(20),
    );
  });

  test("any page of orders by itself, read from either end", async () => {
    const at = fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0.7, max: 1.05, noNaN: true }),
    );
    await fc.assert(
      fc.asyncProperty(
        orderQuery(records),
        fc.integer({ min: 1, max: 100 }),
        at,
        async (query, limit, position) => {
          const { first, others } = expectedParts(records, query);
          const count = first.length + others.length;
          const page = Math.floor((count * position) / limit) + 1;
          const text = `${JSON.stringify(query)} page ${page} by ${limit}`;
          const answer = await api(shop.admin, "GET", path.orders, { query: { ...query, limit, page } });
          if (answer.status === 400) {
            expect(faults(answer), text).toEqual([400, "VALIDATION_FAILED", "page"]);
            const farthest = isLookedThrough(query) ? 0 : Math.min(first.length, alwaysByNumber);
            expect((page - 1) * limit, text).toBeGreaterThanOrEqual(farthest);
            return;
          }
          const { data, meta } = answer.body as Awaited<ReturnType<typeof listed>>;
          expectTotal(meta, count, JSON.stringify(query));
          expect(
            data.map(({ id }) => id),
            text,
          ).toEqual(first.slice((page - 1) * limit, page * limit));
        },
      ),
      seeded(100),
    );
  });

  test.each(
    ["created_at", "delivery_date", "billing_date", "total", "status"].flatMap(
      (by) =>
        [
          [by, "asc"],
          [by, "desc"],
        ] as const,
    ),
  )(
    "orders sorted by %s %s: pages before and after the one at which the reading direction changes",
    async (sort_by, sort_order) => {
      const expected = expectedOrders(records, { sort_by, sort_order });
      for (const page of [29, 41, 42, 43, 57, 58, 59]) {
        const { data } = await listed(shop.admin, path.orders, { sort_by, sort_order, limit: 25, page });
        expect(
          data.map(({ id }) => id),
          `page ${page}`,
        ).toEqual(expected.slice((page - 1) * 25, page * 25));
      }
    },
  );

  test("entities, from the first page to the last", async () => {
    const query = fc
      .record({
        sort_by: maybe(oneOf("created_at", "name", "entity_type")),
        sort_order: maybe(oneOf("asc", "desc")),
        entity_type: maybe(oneOf("dog", "cat", "bird")),
        is_active: maybe(oneOf("1", "false")),
        profile_id: maybe(oneOf(...records.profiles.slice(0, 4).map(({ id }) => id))),
      })
      .map(withoutUndefined);
    await fc.assert(
      fc.asyncProperty(
        query,
        fc.integer({ min: 1, max: 100 }),
        async ({ sort_by = "created_at", sort_order, ...filters }, limit) => {
          const matching = records.entities.filter(
            (row) =>
              row.deleted_at === null &&
              (filters.entity_type ?? row.entity_type) === row.entity_type &&
              (filters.profile_id ?? row.profile_id) === row.profile_id &&
              (filters.is_active === undefined || row.is_active === flag(filters.is_active)),
          );
          const expected = inOrder(
            matching,
            sort_by as keyof EntityRow,
            String(sort_order ?? (sort_by === "created_at" ? "desc" : "asc")),
          );
          const whole = withoutUndefined({ sort_by: sort_by as string, sort_order, ...filters });
          await expectWalk(shop.of, path.entities, whole, limitFor(expected.length, limit), expected);
        },
      ),
      seeded(20),
    );
  });

  test("profiles, from the first page to the last", async () => {
    const query = fc
      .record({
        email_status: maybe(oneOf("subscribed", "suppressed", "unsubscribed")),
        store_customer_id: maybe(oneOf("1", "3")),
        search: maybe(oneOf("ada", "AD", "b", "@customers.test", "nobody")),
      })
      .map(withoutUndefined);
    await fc.assert(
      fc.asyncProperty(query, fc.integer({ min: 1, max: 100 }), async (filters, limit) => {
        const matching = records.profiles.filter(
          (row) =>
            row.deleted_at === null &&
            (filters.email_status ?? row.email_status) === row.email_status &&
            (filters.store_customer_id ?? row.store_customer_id) === row.store_customer_id &&
            (row.search_identity.includes(String(filters.search ?? "").toLowerCase()) ||
              row.search_other.includes(String(filters.search ?? "").toLowerCase())),
        );
        const term = String(filters.search ?? "").toLowerCase();
        const known = records.profiles.filter((row) => term.length > 2 && row.search_identity.includes(term));
        const isCut = known.length > mostSearched && !filters.store_customer_id;
        const sample = new Set(isCut ? known.slice(-mostSearched) : matching);
        const expected = [true, false].flatMap((isFirst) =>
          inOrder(
            matching.filter((row) => sample.has(row) === isFirst),
            "created_at",
            "desc",
          ),
        );
        await expectWalk(shop.admin, path.profiles, filters, limitFor(expected.length, limit), expected);
      }),
      seeded(20),
    );
  });

  test("any page of the activity feed by itself", async () => {
    const shop = await openMerchant();
    const second = fc.nat(20).map((n) => `2026-03-01T12:00:${String(n).padStart(2, "0")}.000Z`);
    const entry = fc.record({
      created_at: second,
      actor_type: oneOf("admin" as const, "api" as const, null),
    });
    const logs = sample(entry, 1_300).map((values) => logOf(shop.of, values));
    await put("activity_logs", logs);
    const day = { start_date: "2026-03-01", end_date: "2026-03-01" };
    await fc.assert(
      fc.asyncProperty(
        maybe(oneOf("admin", "api", "system")),
        fc.integer({ min: 1, max: 100 }),
        fc.double({ min: 0, max: 1.05, noNaN: true }),
        async (actor_type, limit, position) => {
          const actor = actor_type === "system" ? null : actor_type;
          const matching = logs.filter((log) => actor === undefined || log.actor_type === actor);
          const expected = inOrder(matching, "created_at", "desc");
          const page = Math.floor((expected.length * position) / limit) + 1;
          const query = withoutUndefined({ ...day, actor_type, limit, page });
          const { status, body } = await api(shop.admin, "GET", "/api/activity-logs", { query });
          expect(status).toBe(200);
          expectTotal(body.metadata, expected.length, JSON.stringify(query));
          const ids = body.data.map(({ id }: Row) => id);
          expect(ids, JSON.stringify(query)).toEqual(expected.slice((page - 1) * limit, page * limit));
        },
      ),
      seeded(40),
    );
  });
});
