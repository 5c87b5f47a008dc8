import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { mostCounted } from "../../src/db/list-sql.ts";
import { mostSearched } from "../../src/db/search.ts";
import { api, type Caller } from "../support/client.ts";
import {
  type EntityRow,
  entityOf,
  listed,
  logOf,
  type Merchant,
  merchant,
  type OrderRow,
  orderOf,
  type ProfileValues,
  profileOf,
  put,
  seeded,
  walk,
} from "../support/records.ts";

type Query = Record<string, string | number>;
type Row = { id: string };

/** How lists are ordered: by a column, without a value first, then by id; both in one direction. */
const inOrder = <R extends Row>(rows: R[], column: keyof R, order: string): string[] => {
  const below = (a: unknown, b: unknown): number =>
    a === b ? 0 : a === null ? -1 : b === null ? 1 : (a as string) < (b as string) ? -1 : 1;
  const ascending = rows
    .toSorted((a, b) => below(a[column], b[column]) || below(a.id, b.id))
    .map(({ id }) => id);
  return order === "asc" ? ascending : ascending.toReversed();
};

const sample = <T>(arbitrary: fc.Arbitrary<T>, count: number): T[] =>
  fc.sample(arbitrary, { ...seeded(1), numRuns: count });
const day = (n: number): string => `2026-01-${String(n).padStart(2, "0")}`;
const oneOf = fc.constantFrom;

let shop: Merchant;
let orders: OrderRow[];
let entities: EntityRow[];
let profiles: ProfileValues[];

beforeAll(async () => {
  shop = await merchant();
  const of = shop.of;
  const aDay = fc.integer({ min: 1, max: 9 });
  const created_at = fc.nat(30).map((n) => `2026-01-01T00:00:${String(n).padStart(2, "0")}.000Z`);
  profiles = sample(
    fc.record({
      created_at,
      email_status: oneOf("subscribed", "unsubscribed", null),
      first_name: oneOf("Ada", "Bob", "Adam"),
      store_customer_id: oneOf("1", "2", null),
      deleted_at: oneOf(null, null, null, "2026-02-01T00:00:00.000Z"),
    }),
    240,
  ).map((values) => profileOf(of, values as Partial<ProfileValues>));
  const owner = oneOf(...profiles.slice(0, 4).map(({ id }) => id));
  entities = sample(
    fc.record({
      created_at,
      name: oneOf("a", "b", "B", "é", "c"),
      entity_type: oneOf("dog", "cat", "Dog"),
      is_active: oneOf(0 as const, 1 as const),
      owner,
      deleted_at: oneOf(null, null, "2026-02-01T00:00:00.000Z"),
    }),
    240,
  ).map(({ owner, ...values }) => entityOf(of, owner, values));
  orders = sample(
    fc.record({
      created_at,
      status: oneOf("PENDING", "PAID", "PAID", "PARTIALLY_REFUNDED", "REFUNDED", "CANCELLED"),
      fulfillment_status: oneOf("FULFILLED", "UNFULFILLED"),
      is_checkout_order: oneOf(0, 1),
      has_subscription: oneOf(0, 1),
      delivery_date: fc.option(aDay.map(day)),
      billing_date: fc.option(aDay.map(day)),
      production_date: fc.option(aDay.map(day)),
      total: fc.nat(40).map((n) => n * 50),
      profile_id: fc.option(owner),
      tracking_number: oneOf("one", "two", null),
      store_order_number: fc.nat(99).map((n) => `No ${n}`),
    }),
    1_450,
  ).map((values) => orderOf(of, values as Partial<OrderRow>));
  await put("profiles", profiles);
  await put("entities", entities);
  await put("orders", orders);
});

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const withoutUndefined = (query: Record<string, string | number | undefined>): Query =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as Query;

const orderQuery = () =>
  fc
    .record({
      sort_by: maybe(oneOf("created_at", "delivery_date", "billing_date", "total", "status")),
      sort_order: maybe(oneOf("asc", "desc")),
      status: maybe(oneOf("PAID", "REFUNDED", "PAID,PENDING", "CANCELLED,REFUNDED,PAID")),
      fulfillment_status: maybe(oneOf("FULFILLED", "UNFULFILLED")),
      is_checkout_order: maybe(oneOf("0", "true")),
      has_subscription: maybe(oneOf("1", "false")),
      profile_id: maybe(oneOf(...profiles.slice(0, 4).map(({ id }) => id), "nobody")),
      tracking_number: maybe(oneOf("one", "none")),
      delivery_date_from: maybe(oneOf(day(2), day(5))),
      delivery_date_to: maybe(oneOf(day(4), day(8))),
      billing_date_from: maybe(oneOf(day(3))),
      production_date_to: maybe(oneOf(day(6))),
      search: maybe(oneOf("no 7", "7", "9 ", "NO ", "store-", "Ada")),
    })
    .map((query) => {
      /** Mostly a few filters at once, so that something is left. */
      const { sort_by, sort_order, ...filters } = query;
      return {
        sort_by,
        sort_order,
        filters: Object.entries(filters).filter(([, value]) => value !== undefined),
      };
    })
    .chain(({ sort_by, sort_order, filters }) =>
      fc
        .subarray(filters, { maxLength: Math.min(3, filters.length) })
        .map((some) => withoutUndefined({ sort_by, sort_order, ...Object.fromEntries(some) })),
    );

const flag = (value: unknown): number => Number(value === "1" || value === "true");
const nameOf = (id: string | null): string =>
  profiles.find((profile) => profile.id === id)?.search_identity ?? "";

const matches: Record<string, (order: OrderRow, value: string) => boolean> = {
  status: (order, value) => value.split(",").includes(order.status),
  fulfillment_status: (order, value) => order.fulfillment_status === value,
  is_checkout_order: (order, value) => order.is_checkout_order === flag(value),
  has_subscription: (order, value) => order.has_subscription === flag(value),
  profile_id: (order, value) => order.profile_id === value,
  tracking_number: (order, value) => order.tracking_number === value,
  delivery_date_from: (order, value) => order.delivery_date !== null && order.delivery_date >= value,
  delivery_date_to: (order, value) => order.delivery_date !== null && order.delivery_date <= value,
  billing_date_from: (order, value) => order.billing_date !== null && order.billing_date >= value,
  production_date_to: (order, value) => order.production_date !== null && order.production_date <= value,
  search: (order, value) =>
    order.search_text.includes(value.toLowerCase()) || nameOf(order.profile_id).includes(value.toLowerCase()),
};

/**
 * The orders that a search looks at: the newest, or those that the term's index knows and were written last. Among a few
 * orders that another filter finds, it looks at all.
 */
const searchedOf = ({ search, ...filters }: Query): OrderRow[] => {
  if (search === undefined || "profile_id" in filters || "tracking_number" in filters) return orders;
  const most = mostSearched + 1;
  if ([...String(search)].length < 3) {
    const newest = new Set(inOrder(orders, "created_at", "desc").slice(0, most));
    return orders.filter(({ id }) => newest.has(id));
  }
  const term = String(search).toLowerCase();
  const own = orders.filter((order) => order.search_text.includes(term)).slice(-most);
  const theirs = orders.filter((order) => nameOf(order.profile_id).includes(term));
  expect(theirs.length, "orders of the customers that a test searches for").toBeLessThanOrEqual(mostSearched);
  return [...new Set([...own, ...theirs])];
};

const expectedOrders = ({ sort_by = "created_at", sort_order, ...filters }: Query): string[] => {
  const chosen = searchedOf(filters).filter((order) =>
    Object.entries(filters).every(([name, value]) => matches[name]!(order, String(value))),
  );
  return inOrder(
    chosen,
    sort_by as keyof OrderRow,
    String(sort_order ?? (sort_by === "status" ? "asc" : "desc")),
  );
};

const path = {
  orders: "/api/subscriptions/orders",
  entities: "/api/subscriptions/entities",
  profiles: "/api/profiles",
};

/** Ranges are counted up to a bound; beyond it a total is a lower bound. */
const expectTotal = (total: number, count: number, query: Query): void => {
  const isRange = Object.keys(query).some((name) => /_date_(from|to)$/.test(name));
  if (!isRange || count <= mostCounted) expect(total, `total of ${JSON.stringify(query)}`).toBe(count);
  expect(total).toBeGreaterThanOrEqual(Math.min(count, mostCounted));
  expect(total).toBeLessThanOrEqual(count);
};

const expectWalk = async (caller: Caller, at: string, query: Query, limit: number, expected: string[]) => {
  const { ids, total } = await walk(caller, at, { ...query, limit });
  expectTotal(total, expected.length, query);
  expect(ids, `${JSON.stringify(query)} by ${limit}`).toEqual(expected);
};

describe("pages never skip or repeat, under any sort and filter", () => {
  const sized = (length: number, limit: number): number => Math.max(limit, Math.ceil(length / 15));

  test("orders, walked from the first page to the last", async () => {
    await fc.assert(
      fc.asyncProperty(orderQuery(), fc.integer({ min: 1, max: 100 }), async (query, limit) => {
        const expected = expectedOrders(query);
        await expectWalk(shop.admin, path.orders, query, sized(expected.length, limit), expected);
      }),
      seeded(20),
    );
  });

  test("orders, any page by itself, from whichever end it is read", async () => {
    const at = fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0.7, max: 1.05, noNaN: true }),
    );
    await fc.assert(
      fc.asyncProperty(orderQuery(), fc.integer({ min: 1, max: 100 }), at, async (query, limit, place) => {
        const expected = expectedOrders(query);
        const page = Math.floor((expected.length * place) / limit) + 1;
        const { data, meta } = await listed(shop.admin, path.orders, { ...query, limit, page });
        expectTotal(meta.total, expected.length, query);
        expect(
          data.map(({ id }) => id),
          `${JSON.stringify(query)} page ${page} by ${limit}`,
        ).toEqual(expected.slice((page - 1) * limit, page * limit));
      }),
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
  )("orders sorted by %s %s, the pages on both sides of where reading turns", async (sort_by, sort_order) => {
    const expected = expectedOrders({ sort_by, sort_order });
    for (const page of [29, 41, 42, 43, 57, 58, 59]) {
      const { data } = await listed(shop.admin, path.orders, { sort_by, sort_order, limit: 25, page });
      expect(
        data.map(({ id }) => id),
        `page ${page}`,
      ).toEqual(expected.slice((page - 1) * 25, page * 25));
    }
  });

  test("entities", async () => {
    const query = fc
      .record({
        sort_by: maybe(oneOf("created_at", "name", "entity_type")),
        sort_order: maybe(oneOf("asc", "desc")),
        entity_type: maybe(oneOf("dog", "cat", "bird")),
        is_active: maybe(oneOf("1", "false")),
        profile_id: maybe(oneOf(...profiles.slice(0, 4).map(({ id }) => id))),
      })
      .map(withoutUndefined);
    await fc.assert(
      fc.asyncProperty(
        query,
        fc.integer({ min: 1, max: 100 }),
        async ({ sort_by = "created_at", sort_order, ...filters }, limit) => {
          const chosen = entities.filter(
            (one) =>
              one.deleted_at === null &&
              (filters.entity_type ?? one.entity_type) === one.entity_type &&
              (filters.profile_id ?? one.profile_id) === one.profile_id &&
              (filters.is_active === undefined || one.is_active === flag(filters.is_active)),
          );
          const expected = inOrder(
            chosen,
            sort_by as keyof EntityRow,
            String(sort_order ?? (sort_by === "created_at" ? "desc" : "asc")),
          );
          const asked = withoutUndefined({ sort_by: sort_by as string, sort_order, ...filters });
          await expectWalk(shop.of, path.entities, asked, sized(expected.length, limit), expected);
        },
      ),
      seeded(20),
    );
  });

  test("profiles", async () => {
    const query = fc
      .record({
        email_status: maybe(oneOf("subscribed", "suppressed", "unsubscribed")),
        store_customer_id: maybe(oneOf("1", "3")),
        search: maybe(oneOf("ada", "AD", "b", "@customers.test", "nobody")),
      })
      .map(withoutUndefined);
    await fc.assert(
      fc.asyncProperty(query, fc.integer({ min: 1, max: 100 }), async (filters, limit) => {
        const chosen = profiles.filter(
          (one) =>
            one.deleted_at === null &&
            (filters.email_status ?? one.email_status) === one.email_status &&
            (filters.store_customer_id ?? one.store_customer_id) === one.store_customer_id &&
            (one.search_identity.includes(String(filters.search ?? "").toLowerCase()) ||
              one.search_other.includes(String(filters.search ?? "").toLowerCase())),
        );
        const expected = inOrder(chosen, "created_at", "desc");
        await expectWalk(shop.admin, path.profiles, filters, sized(expected.length, limit), expected);
      }),
      seeded(20),
    );
  });

  test("the activity feed, any page by itself", async () => {
    const shop = await merchant();
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
        async (actor_type, limit, place) => {
          const actor = actor_type === "system" ? null : actor_type;
          const chosen = logs.filter((log) => actor === undefined || log.actor_type === actor);
          const expected = inOrder(chosen, "created_at", "desc");
          const page = Math.floor((expected.length * place) / limit) + 1;
          const query = withoutUndefined({ ...day, actor_type, limit, page });
          const { status, body } = await api(shop.admin, "GET", "/api/activity-logs", { query });
          expect([status, body.metadata.total]).toEqual([200, expected.length]);
          const ids = body.data.map(({ id }: Row) => id);
          expect(ids, JSON.stringify(query)).toEqual(expected.slice((page - 1) * limit, page * limit));
        },
      ),
      seeded(40),
    );
  });
});
