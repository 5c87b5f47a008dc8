import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { api } from "../support/client.ts";
import {
  dayOf,
  entityOf,
  listed,
  type Merchant,
  merchant,
  orderOf,
  profileOf,
  put,
  slotOf,
  subscriptionOf,
  usageOf,
} from "../support/records.ts";
import { lineOf, planned } from "../support/subscriptions.ts";
import { bearer, token } from "../support/tenant.ts";

/** Sizes whose last pages both lie deeper than what is skipped over. */
const sizes = [800, 2_400] as const;
const page = 25;

const pad = (n: number, width = 2): string => String(n).padStart(width, "0");
/** One every 97 minutes, over months. */
const at = (n: number): string => new Date(Date.UTC(2025, 0, 1) + n * 97 * 60_000).toISOString();
const day = (n: number): string => at(n).slice(0, 10);
const pick = <T>(n: number, from: readonly T[]): T => from[n % from.length]!;

let shop: Merchant;
let planId: string;
const known: Record<"profile" | "entity" | "reason" | "subscription" | "slot" | "plan", string> = {
  profile: "",
  entity: "",
  reason: newId(),
  subscription: "",
  slot: "",
  plan: "",
};

const grow = async (from: number, to: number): Promise<void> => {
  const { of } = shop;
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  const profiles = numbers.map((n) =>
    profileOf(of, { created_at: at(n), first_name: "Common", email: `c${pad(n, 6)}@customers.test` }),
  );
  const entities = profiles.map(({ id }) => entityOf(of, id));
  const methods = profiles.map(({ id }) => ({
    id: newId(),
    account_id: of.account.id,
    profile_id: id,
    store_payment_method_id: "pm",
    is_default: 1,
    status: "VALID",
    created_at: at(0),
    updated_at: at(0),
  }));
  const orders = profiles.map(({ id }) => orderOf(of, { profile_id: id }));
  await put("profiles", profiles);
  await put("entities", entities);
  await put("payment_methods", methods);
  await put("orders", orders);
  await put(
    "subscriptions",
    numbers.map((n) => {
      const nth = n - from;
      const number = 100_000 + n;
      const status = pick(n, [
        "ACTIVE",
        "ACTIVE",
        "ACTIVE",
        "PAUSED",
        "CANCELLED",
        "EXPIRED",
        "PAYMENT_FAILED",
      ] as const);
      const over = status === "CANCELLED" || status === "EXPIRED";
      return subscriptionOf(of, profiles[nth]!.id, {
        number,
        created_at: at(n),
        status,
        dunning_episode_id: status === "ACTIVE" && n % 10 === 0 ? newId() : null,
        entity_id: entities[nth]!.id,
        payment_method_id: methods[nth]!.id,
        last_order_id: orders[nth]!.id,
        delivery_slot_id: known.slot,
        store_contract_id: 5_000_000 + n,
        cancellation_reason_id: status === "CANCELLED" ? newId() : null,
        next_billing_date: over ? null : day(n),
        next_delivery_date: over ? null : day(n + 30),
        next_production_date: over ? null : day(n + 15),
        total: (n * 7919) % 100_000,
        search_text: `${number}\n${5_000_000 + n}`,
        lines: JSON.stringify([{ selling_plan_id: planId }]),
      });
    }),
  );
};

beforeAll(async () => {
  shop = await merchant();
  const { of } = shop;
  planId = await planned(shop.admin);
  known.plan = await planned(shop.admin);
  const aDay = dayOf(of);
  const slot = slotOf(of, aDay.id);
  known.slot = slot.id;
  await put("delivery_days", [aDay]);
  await put("delivery_slots", [slot]);
  const profile = profileOf(of, { first_name: "Knownname", email: "known@customers.test" });
  const entity = entityOf(of, profile.id);
  await put("profiles", [profile]);
  await put("entities", [entity]);
  const rows = Array.from({ length: 10 }, (_, n) =>
    subscriptionOf(of, profile.id, {
      number: 1001 + n,
      entity_id: entity.id,
      cancellation_reason_id: known.reason,
      status: "CANCELLED",
      store_contract_id: 77 + n,
      search_text: `${1001 + n}\n77`,
      created_at: "2024-02-01T00:00:00.000Z",
    }),
  );
  await put("subscriptions", rows);
  Object.assign(known, { profile: profile.id, entity: entity.id, subscription: rows[0]!.id });
});

type Case = {
  title: string;
  on?: string;
  query?: Record<string, string | number>;
  most: number;
  db_round_trips?: number;
  lastPage?: boolean;
};

/** A row and the six shown with it are looked up, not searched for; and the counters of the total. */
const bound = page * 10 + 80;
/** Ten rows of one customer, found twice: for the page and for its total. */
const few = 10 * 14;

const cases = (): Case[] => [
  { title: "first page with its total", most: bound },
  { title: "the 100 of limit=100", query: { limit: 100 }, most: 100 * 10 + 80 },
  { title: "last page", most: bound, lastPage: true, db_round_trips: 2 },
  { title: "a page past the end", query: { page: 100_000 }, most: 80 },
  { title: "by id", on: `/${known.subscription}`, most: 20 },
  { title: "upcoming", on: `/${known.subscription}/upcoming`, most: 20 },
  { title: "payment methods", on: `/${known.subscription}/payment-method`, most: 24, db_round_trips: 2 },
  { title: "skips", on: `/${known.subscription}/skips`, most: 24, db_round_trips: 2 },
  ...["ACTIVE", "PAUSED", "CANCELLED", "EXPIRED", "PAYMENT_FAILED"].map(
    (status): Case => ({ title: `status=${status}`, query: { status }, most: bound }),
  ),
  { title: "status, last page", query: { status: "ACTIVE" }, most: bound, lastPage: true, db_round_trips: 2 },
  { title: "several statuses", query: { status: "ACTIVE,PAUSED" }, most: bound * 3 },
  {
    title: "several statuses of which one has few",
    query: { status: "PAUSED,PAYMENT_FAILED,EXPIRED" },
    most: bound * 3,
  },
  {
    title: "several statuses, last page",
    query: { status: "ACTIVE,PAUSED" },
    most: bound * 3,
    lastPage: true,
    db_round_trips: 2,
  },
  { title: "failed_payment=true", query: { failed_payment: "true" }, most: bound * 3 },
  { title: "failed_payment=false", query: { failed_payment: "false" }, most: bound * 2 },
  {
    title: "failed_payment and status",
    query: { failed_payment: "true", status: "PAYMENT_FAILED" },
    most: bound,
  },
  ...[
    "next_billing_date",
    "next_delivery_date",
    "next_production_date",
    "total",
    "status",
    "created_at",
  ].flatMap((sort_by) =>
    ["asc", "desc"].map(
      (sort_order): Case => ({
        title: `sorted by ${sort_by} ${sort_order}`,
        query: { sort_by, sort_order },
        most: bound,
      }),
    ),
  ),
  { title: "sorted, last page", query: { sort_by: "total" }, most: bound, lastPage: true, db_round_trips: 2 },
  {
    title: "sorted, of a status",
    query: { sort_by: "next_billing_date", status: "ACTIVE" },
    most: bound * 2,
  },
  { title: "one profile's", query: { profile_id: known.profile }, most: few },
  { title: "one profile's, sorted", query: { profile_id: known.profile, sort_by: "total" }, most: few },
  {
    title: "one profile's of a status",
    query: { profile_id: known.profile, status: "CANCELLED" },
    most: few,
  },
  { title: "one entity's", query: { entity_id: known.entity }, most: few },
  { title: "a cancellation reason's", query: { cancellation_reason_id: known.reason }, most: few },
  { title: "a contract's", query: { store_contract_id: 77 }, most: few },
  {
    title: "billed on one day",
    query: { next_billing_after: "2025-01-09", next_billing_before: "2025-01-11" },
    most: 15 * 14,
  },
  {
    title: "billed on one day, sorted",
    query: {
      next_billing_after: "2025-01-09",
      next_billing_before: "2025-01-11",
      sort_by: "next_billing_date",
    },
    most: 15 * 14,
  },
  {
    title: "delivered on one day, of a status",
    query: { next_delivery_after: "2025-01-09", next_delivery_before: "2025-01-11", status: "ACTIVE" },
    most: 15 * 14,
  },
  {
    title: "packed on one day",
    query: { next_production_after: "2025-01-09", next_production_before: "2025-01-11" },
    most: 15 * 14,
  },
  {
    title: "created on one day",
    query: { created_after: "2025-01-09", created_before: "2025-01-11" },
    most: 15 * 14,
  },
  { title: "a search for a number", query: { search: "100777" }, most: 60 },
  { title: "a search for a contract", query: { search: "5000777" }, most: 60 },
  { title: "a search for a customer's name", query: { search: "knownname" }, most: few * 2 },
  {
    title: "one profile's, searched for what all have",
    query: { profile_id: known.profile, search: "customers.test" },
    most: few,
  },
  { title: "a search that finds nothing", query: { search: "nowhere to be found" }, most: 20 },
];

const measure = async ({ on = "", query = {}, lastPage }: Case) => {
  const path = `/api/subscriptions${on}`;
  const last = lastPage ? { page: (await listed(shop.admin, path, query)).meta.last_page } : {};
  const asked = { ...query, ...last };
  await api(shop.admin, "GET", path, { query: asked });
  const { answer, rows_read, db_round_trips } = await usageOf(() =>
    api(shop.admin, "GET", path, { query: asked }),
  );
  const { data } = answer.body as { data: unknown };
  return { rows_read, db_round_trips, status: answer.status, shown: Array.isArray(data) ? data.length : 1 };
};

describe("rows that D1 reports as read are bounded by the page, not by the account's subscriptions", () => {
  const figures: Record<number, Awaited<ReturnType<typeof measure>>[]> = {};
  let asked: Case[] = [];
  beforeAll(async () => {
    let from = 0;
    for (const size of sizes) {
      await grow(from, size);
      from = size;
      asked = cases();
      figures[size] = [];
      for (const one of asked) figures[size].push(await measure(one));
    }
  });

  test.each(cases().map(({ title }, nth) => [title, nth] as const))("%s", (title, nth) => {
    const [small, large] = sizes.map((size) => figures[size]![nth]!);
    const { most, db_round_trips = 1 } = asked[nth]!;
    const fuller = Math.max(1, large!.shown / Math.max(1, small!.shown));
    expect(large!.status, title).toBe(200);
    expect(
      large!.rows_read,
      `${large!.rows_read} rows read of ${sizes[1]}, ${small!.rows_read} of ${sizes[0]}`,
    ).toBeLessThanOrEqual(most);
    expect(large!.rows_read, `${small!.rows_read} rows read of ${sizes[0]}`).toBeLessThanOrEqual(
      Math.ceil(small!.rows_read * fuller * 1.1) + 6,
    );
    expect(large!.db_round_trips, "trips to the database").toBeLessThanOrEqual(db_round_trips);
  });

  test("a customer's list reads its own", async () => {
    const ada = bearer(await token(shop.of, { actor_type: "customer", profile_id: known.profile }));
    const list = (query = {}) => usageOf(() => api(ada, "GET", "/api/subscriptions", { query }));
    await list();
    for (const query of [
      {},
      { status: "CANCELLED" },
      { status: "ACTIVE,CANCELLED" },
      { failed_payment: "true" },
      { search: "customers.test" },
    ]) {
      await list(query);
      const { rows_read } = await list(query);
      expect(rows_read, JSON.stringify(query)).toBeLessThanOrEqual(few * 2);
    }
  });

  test("creation reads what it needs and writes in one trip", async () => {
    const body = {
      profile_id: known.profile,
      store_payment_method_id: "pm_success",
      next_delivery_date: "2035-01-31",
      lines: [lineOf(known.plan), lineOf(known.plan, { entity_id: known.entity })],
    };
    await api(shop.admin, "POST", "/api/subscriptions", { body });
    const { answer, rows_read, db_round_trips } = await usageOf(() =>
      api(shop.admin, "POST", "/api/subscriptions", { body }),
    );
    expect(answer.status).toBe(201);
    expect(rows_read).toBeLessThanOrEqual(100);
    expect(db_round_trips).toBeLessThanOrEqual(6);
  });

  test("a plan nobody uses is deleted without looking at those that are used; a used one is refused as soon", async () => {
    const refused = await usageOf(() =>
      api(shop.admin, "DELETE", `/api/subscriptions/selling-plans/${planId}`),
    );
    expect(refused.answer.status).toBe(409);
    expect(refused.rows_read).toBeLessThanOrEqual(20);
    const spare = await planned(shop.admin);
    const deleted = await usageOf(() =>
      api(shop.admin, "DELETE", `/api/subscriptions/selling-plans/${spare}`),
    );
    expect(deleted.answer.status).toBe(204);
    expect(deleted.rows_read).toBeLessThanOrEqual(20);
  });
});

describe("where few of many match a filter that elsewhere leaves many", () => {
  let sparse: Merchant;
  const path = "/api/subscriptions";
  const rare: [string, Record<string, string>, number][] = [
    ["failed_payment=true", { failed_payment: "true" }, 5],
    ["failed_payment=true of a status", { failed_payment: "true", status: "ACTIVE" }, 2],
    ["a status", { status: "EXPIRED" }, 4],
    ["several statuses", { status: "EXPIRED,PAYMENT_FAILED" }, 7],
  ];
  const figures: Record<string, number[]> = {};

  beforeAll(async () => {
    sparse = await merchant();
    const profile = profileOf(sparse.of);
    await put("profiles", [profile]);
    const rowOf = (n: number, values: Parameters<typeof subscriptionOf>[2]) =>
      subscriptionOf(sparse.of, profile.id, {
        number: 1_000_000 + n,
        created_at: at(n),
        next_billing_date: day(n),
        total: n,
        ...values,
      });
    const few = (
      [
        "EXPIRED",
        "EXPIRED",
        "EXPIRED",
        "EXPIRED",
        "PAYMENT_FAILED",
        "PAYMENT_FAILED",
        "PAYMENT_FAILED",
      ] as const
    ).map((status, n) => rowOf(n, { status }));
    await put("subscriptions", [...few, ...[7, 8].map((n) => rowOf(n, { dunning_episode_id: newId() }))]);
    let from = 10;
    for (const size of sizes) {
      await put(
        "subscriptions",
        Array.from({ length: size - from }, (_, n) => rowOf(from + n, {})),
      );
      from = size;
      for (const [title, query, count] of rare) {
        await listed(sparse.admin, path, query);
        const { answer, rows_read } = await usageOf(() => api(sparse.admin, "GET", path, { query }));
        expect((answer.body as { meta: { total: number } }).meta.total, title).toBe(count);
        figures[title] = [...(figures[title] ?? []), rows_read];
      }
    }
  });

  test.each(rare)("%s", (title) => {
    const [small, large] = figures[title]!;
    expect(large, `${small} rows read of ${sizes[0]}`).toBeLessThanOrEqual(200);
  });
});
