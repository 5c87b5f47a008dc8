/** Pages of the list of subscriptions never skip or repeat a row, under any sort and filter. */
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { subscriptionStatuses } from "../../../src/domain/subscriptions/tables.ts";
import { api } from "../../support/client.ts";
import {
  entityOf,
  expectTotal,
  type ProfileValues,
  profileOf,
  put,
  type SubscriptionRow,
  seeded,
  subscriptionOf,
  walk,
} from "../../support/records.ts";
import { path } from "../../support/subscriptions.ts";
import { useMerchant } from "../../support/use-account.ts";

describe("pages never skip or repeat, under any sort and filter", () => {
  const shop = useMerchant();
  let rows: SubscriptionRow[];
  let profiles: ProfileValues[];
  let entityIds: string[];
  const oneOf = fc.constantFrom;
  const day = (n: number): string => `2026-03-${String(n).padStart(2, "0")}`;
  const aDay = fc.option(fc.integer({ min: 1, max: 9 }).map(day));

  beforeAll(async () => {
    profiles = ["Ada", "Bob", "Cleo"].map((first_name) =>
      profileOf(shop.of, { first_name, email: `${first_name}@customers.test` }),
    );
    const entities = profiles.map(({ id }) => entityOf(shop.of, id));
    entityIds = entities.map(({ id }) => id);
    await put("profiles", profiles);
    await put("entities", entities);
    const values = fc.record({
      owner: fc.nat(2),
      created_at: fc.nat(30).map((n) => `2026-01-01T00:00:${String(n).padStart(2, "0")}.000Z`),
      status: oneOf(...subscriptionStatuses, "ACTIVE" as const, "ACTIVE" as const),
      dunning_episode_id: oneOf(null, null, null, "e"),
      next_billing_date: aDay,
      next_delivery_date: aDay,
      next_production_date: aDay,
      total: fc.nat(40).map((n) => n * 50),
    });
    rows = fc.sample(values, { ...seeded(1), numRuns: 320 }).map(({ owner, ...more }, nth) =>
      subscriptionOf(shop.of, profiles[owner]!.id, {
        ...more,
        number: 2001 + nth,
        search_text: String(2001 + nth),
        entity_id: nth % 3 === 0 ? entityIds[owner]! : null,
      }),
    );
    await put("subscriptions", rows);
  });

  const owes = (row: SubscriptionRow) => row.dunning_episode_id !== null || row.status === "PAYMENT_FAILED";
  const nameOf = (id: string) => profiles.find((one) => one.id === id)!.search_identity;
  const within = (value: string | null, test: (value: string) => boolean) => value !== null && test(value);
  const matches: Record<string, (row: SubscriptionRow, value: string) => boolean> = {
    status: (row, value) => value.split(",").includes(row.status),
    failed_payment: (row, value) => owes(row) === (value === "true"),
    profile_id: (row, value) => row.profile_id === profiles[Number(value)]!.id,
    entity_id: (row, value) => row.entity_id === entityIds[Number(value)],
    next_billing_before: (row, value) => within(row.next_billing_date, (date) => date < value),
    next_billing_after: (row, value) => within(row.next_billing_date, (date) => date > value),
    next_delivery_before: (row, value) => within(row.next_delivery_date, (date) => date < value),
    next_production_after: (row, value) => within(row.next_production_date, (date) => date > value),
    created_before: (row, value) => row.created_at < value,
    created_after: (row, value) => row.created_at > value,
    search: (row, value) =>
      row.search_text.includes(value) || nameOf(row.profile_id).includes(value.toLowerCase()),
  };
  const filters: fc.Arbitrary<[string, string]>[] = [
    fc.subarray([...subscriptionStatuses], { minLength: 1 }).map((some) => ["status", some.join()]),
    fc.boolean().map((value) => ["failed_payment", String(value)]),
    fc.nat(2).map((n) => ["profile_id", String(n)]),
    fc.nat(2).map((n) => ["entity_id", String(n)]),
    ...["next_billing_before", "next_billing_after", "next_delivery_before", "next_production_after"].map(
      (name) => fc.integer({ min: 1, max: 9 }).map((n): [string, string] => [name, day(n)]),
    ),
    ...["created_before", "created_after"].map((name) =>
      fc.nat(30).map((n): [string, string] => [name, `2026-01-01T00:00:${String(n).padStart(2, "0")}.000Z`]),
    ),
    oneOf("ada", "BO", "20", "210", "@customers.test", "nobody").map((text) => ["search", text]),
  ];
  const sorts = [
    "created_at",
    "next_billing_date",
    "next_delivery_date",
    "next_production_date",
    "total",
    "status",
  ] as const;
  const aQuery = fc.record({
    sort_by: fc.option(oneOf(...sorts), { nil: undefined }),
    sort_order: fc.option(oneOf("asc", "desc"), { nil: undefined }),
    some: fc
      .oneof(fc.subarray(filters, { maxLength: 1 }), fc.subarray(filters, { maxLength: 3 }))
      .chain((chosen) => fc.tuple(...chosen)),
  });

  /** The order of rows that a sort leaves equal. */
  const tieOf = (sort_by: string) => (sort_by === "status" ? "created_at" : "id");
  const expectedOf = (sort_by: (typeof sorts)[number], order: string, some: [string, string][]): string[] => {
    const below = (a: unknown, b: unknown): number =>
      a === b ? 0 : a === null ? -1 : b === null ? 1 : (a as string) < (b as string) ? -1 : 1;
    const ascending = rows
      .filter((row) => some.every(([name, value]) => matches[name]!(row, value)))
      .toSorted(
        (a, b) =>
          below(a[sort_by], b[sort_by]) || below(a[tieOf(sort_by)], b[tieOf(sort_by)]) || below(a.id, b.id),
      )
      .map(({ id }) => id);
    return order === "asc" ? ascending : ascending.toReversed();
  };
  const asked = (some: [string, string][]): [string, string][] =>
    some.map(([name, value]) =>
      name === "profile_id"
        ? [name, profiles[Number(value)]!.id]
        : name === "entity_id"
          ? [name, entityIds[Number(value)]!]
          : [name, value],
    );

  test("walked from the first page to the last", async () => {
    await fc.assert(
      fc.asyncProperty(
        aQuery,
        fc.integer({ min: 15, max: 100 }),
        async ({ sort_by, sort_order, some }, limit) => {
          const expected = expectedOf(
            sort_by ?? "created_at",
            sort_order ?? (sort_by === "status" ? "asc" : "desc"),
            some,
          );
          const query = {
            ...Object.fromEntries(asked(some)),
            ...(sort_by ? { sort_by } : {}),
            ...(sort_order ? { sort_order } : {}),
            limit,
          };
          const { ids, back, pages } = await walk(shop.admin, path, query);
          expectTotal(pages[0]!.meta, expected.length, JSON.stringify(query));
          expect(ids, JSON.stringify(query)).toEqual(expected);
          expect(back, JSON.stringify(query)).toEqual(expected);
        },
      ),
      seeded(50),
    );
  });

  test("the envelope", async () => {
    const { meta } = (await api(shop.admin, "GET", path, { query: { status: "ACTIVE", limit: 10, page: 2 } }))
      .body;
    const total = expectedOf("created_at", "desc", [["status", "ACTIVE"]]).length;
    expect(meta).toMatchObject({
      total,
      per_page: 10,
      current_page: 2,
      first_page: 1,
      last_page: Math.ceil(total / 10),
    });
    expect(meta.next_page_url).toMatch(/^https:.*status=ACTIVE&limit=10&cursor=/);
    const past = (await api(shop.admin, "GET", path, { query: { status: "ACTIVE", page: 999 } })).body;
    expect([past.data, past.meta.total, past.meta.next_page_url]).toEqual([[], total, null]);
  });
});
