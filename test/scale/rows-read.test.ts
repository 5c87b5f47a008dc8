import { beforeAll, describe, expect, test } from "vitest";
import { api, type Caller } from "../support/client.ts";
import {
  attemptOf,
  dayOf,
  entityOf,
  linkOf,
  listed,
  logOf,
  type Merchant,
  merchant,
  orderOf,
  profileOf,
  put,
  slotOf,
  subscriptionOf,
  usageOf,
} from "../support/records.ts";

/** Sizes whose last pages both lie deeper than what is skipped over. */
const sizes = [1_300, 3_900] as const;
const page = 25;

const pad = (n: number, width = 2): string => String(n).padStart(width, "0");
/** One a minute, through the days of a year. */
const at = (n: number): string => new Date(Date.UTC(2025, 0, 1) + n * 97 * 60_000).toISOString();
const pick = <T>(n: number, from: readonly T[]): T => from[n % from.length]!;

let shop: Merchant;
/** The customer and records that stay the same while the account grows. */
const known: Record<"profile" | "entity" | "order" | "subscription" | "log", string> = {
  profile: "",
  entity: "",
  order: "",
  subscription: "",
  log: "",
};
let slotId: string;

const quietDay = "2024-06-15";

const grow = async (from: number, to: number): Promise<void> => {
  const of = shop.of;
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  const profiles = numbers.map((n) =>
    profileOf(of, {
      created_at: at(n),
      email_status: pick(n, ["subscribed", "unsubscribed", null]),
      store_customer_id: `c-${n}`,
      first_name: "Common",
      external_id: `crm-${pad(n, 6)}-end`,
    }),
  );
  const orders = numbers.map((n) =>
    orderOf(of, {
      created_at: at(n),
      status: pick(n, ["PAID", "PAID", "REFUNDED", "PENDING"]),
      fulfillment_status: pick(n, ["FULFILLED", "UNFULFILLED"]),
      is_checkout_order: pick(n, [0, 1]),
      delivery_date: at(n).slice(0, 10),
      billing_date: at(n + 3).slice(0, 10),
      total: (n * 7919) % 100_000,
      profile_id: profiles[n - from]!.id,
      delivery_slot_id: slotId,
      tracking_number: `1Z${pad(n, 6)}`,
      store_order_number: `D${pad(n, 6)}`,
    }),
  );
  await put("profiles", profiles);
  await put(
    "billing_attempts",
    numbers.map((n) =>
      attemptOf(of, known.subscription, n, {
        created_at: at(n),
        status: pick(n, ["SUCCEEDED", "FAILED"]),
        origin: pick(n, ["RECURRING", "DUNNING", "SHIP_NOW"]),
      }),
    ),
  );
  await put(
    "entities",
    numbers.map((n) =>
      entityOf(of, profiles[n - from]!.id, {
        created_at: at(n),
        name: `n${pad(n, 6)}`,
        entity_type: pick(n, ["dog", "cat"]),
        is_active: pick(n, [1, 0]),
      }),
    ),
  );
  await put("orders", orders);
  await put(
    "activity_logs",
    numbers.map((n) =>
      logOf(of, {
        created_at: at(n),
        action: pick(n, ["order_placed", `integration_${n % 7}`]),
        actor_type: pick(n, ["system", "admin"]),
        actor_name: pick(n, [null, `staff ${n % 5}`]),
        order_id: orders[n - from]!.id,
        loggable_id: orders[n - from]!.id,
        profile_id: profiles[n - from]!.id,
      }),
    ),
  );
};

beforeAll(async () => {
  shop = await merchant({ timezone: "America/New_York" });
  const of = shop.of;
  const day = dayOf(of);
  const slot = slotOf(of, day.id);
  slotId = slot.id;
  await put("delivery_days", [day]);
  await put("delivery_slots", [slot]);
  const profile = profileOf(of, {
    email: "known@customers.test",
    first_name: "Knownname",
    store_customer_id: "known",
    created_at: "2024-01-01T00:00:00.000Z",
  });
  const entity = entityOf(of, profile.id, { created_at: "2024-01-01T00:00:00.000Z" });
  const subscription = subscriptionOf(of, profile.id, { entity_id: entity.id });
  const orders = Array.from({ length: 10 }, () =>
    orderOf(of, {
      profile_id: profile.id,
      has_subscription: 1,
      created_at: "2024-02-01T00:00:00.000Z",
      tracking_number: "known",
    }),
  );
  const logs = Array.from({ length: 40 }, (_, n) =>
    logOf(of, {
      created_at: `${quietDay}T1${n % 10}:00:00.000Z`,
      order_id: orders[0]!.id,
      loggable_id: orders[0]!.id,
      profile_id: profile.id,
    }),
  );
  await put("profiles", [profile]);
  await put("entities", [entity]);
  await put("subscriptions", [subscription]);
  await put("orders", orders);
  await put(
    "order_subscriptions",
    orders.map(({ id }) => linkOf(of, id, subscription.id)),
  );
  await put("activity_logs", logs);
  const reviewed = subscriptionOf(of, profile.id);
  await put("subscriptions", [reviewed]);
  await put("billing_attempts", [
    attemptOf(of, reviewed.id, 1, { status: "REVIEW", created_at: "2024-01-01T00:00:00.000Z" }),
  ]);
  Object.assign(known, {
    profile: profile.id,
    entity: entity.id,
    order: orders[0]!.id,
    subscription: subscription.id,
    log: logs[0]!.id,
  });
});

type Case = {
  title: string;
  path: string;
  query?: Record<string, string | number>;
  db_round_trips?: number;
  most: number;
  lastPage?: boolean;
};

const orders = "/api/subscriptions/orders";
const entities = "/api/subscriptions/entities";
const feed = "/api/activity-logs";
const profiles = "/api/profiles";
const attempts = "/api/billing-attempts";
const year = { start_date: "2025-01-01", end_date: "2025-12-31" };
/** A row, and what is shown with it, looked up and not searched for; and the counters of the total. */
const bound = page * 6 + 80;

const cases = (): Case[] => [
  ...[profiles, entities, orders].flatMap((path): Case[] => [
    { title: "first page with its total", path, most: bound },
    { title: "last page", path, most: bound, lastPage: true, db_round_trips: 2 },
    { title: "a page past the end", path, query: { page: 100_000 }, most: 80, db_round_trips: 1 },
  ]),
  { title: "first page with its total", path: attempts, most: bound },
  { title: "last page", path: attempts, most: bound, lastPage: true, db_round_trips: 2 },
  { title: "the only one under review", path: attempts, query: { status: "REVIEW" }, most: 20 },
  { title: "status", path: attempts, query: { status: "FAILED" }, most: bound },
  { title: "several statuses", path: attempts, query: { status: "FAILED,REVIEW" }, most: bound },
  { title: "trigger", path: attempts, query: { trigger: "DUNNING" }, most: bound },
  {
    title: "status and trigger",
    path: attempts,
    query: { status: "FAILED", trigger: "DUNNING" },
    most: bound,
  },
  { title: "a day", path: attempts, query: { from: "2025-02-01", to: "2025-02-01" }, most: 15 * 10 },
  { title: "the 100 of limit=100", path: orders, query: { limit: 100 }, most: 100 * 6 + 80 },
  ...["PAID", "REFUNDED", "PENDING"].map(
    (status): Case => ({ title: `status=${status}`, path: orders, query: { status }, most: bound }),
  ),
  {
    title: "several statuses of which there are few",
    path: orders,
    query: { status: "CANCELLED,PARTIALLY_REFUNDED" },
    most: bound,
  },
  { title: "fulfillment_status", path: orders, query: { fulfillment_status: "FULFILLED" }, most: bound },
  {
    title: "status, last page",
    path: orders,
    query: { status: "PAID" },
    most: page * 30,
    lastPage: true,
    db_round_trips: 2,
  },
  { title: "email_status", path: profiles, query: { email_status: "unsubscribed" }, most: bound },
  ...["delivery_date", "billing_date", "total", "status", "created_at"].flatMap((sort_by) =>
    ["asc", "desc"].map(
      (sort_order): Case => ({
        title: `sorted by ${sort_by} ${sort_order}`,
        path: orders,
        query: { sort_by, sort_order },
        most: bound,
      }),
    ),
  ),
  {
    title: "sorted, last page",
    path: orders,
    query: { sort_by: "total" },
    most: bound,
    lastPage: true,
    db_round_trips: 2,
  },
  ...["name", "entity_type"].map(
    (sort_by): Case => ({ title: `sorted by ${sort_by}`, path: entities, query: { sort_by }, most: bound }),
  ),
  { title: "one profile's orders", path: orders, query: { profile_id: known.profile }, most: 10 * 10 },
  {
    title: "one profile's orders, sorted by total",
    path: orders,
    query: { profile_id: known.profile, sort_by: "total" },
    most: 10 * 10,
  },
  {
    title: "one subscription's orders",
    path: orders,
    query: { subscription_id: known.subscription },
    most: 10 * 12,
  },
  { title: "one entity's orders", path: orders, query: { entity_id: known.entity }, most: 10 * 12 },
  { title: "a tracking number", path: orders, query: { tracking_number: "known" }, most: 10 * 10 },
  {
    title: "a tracking number, and a status",
    path: orders,
    query: { tracking_number: "known", status: "PAID" },
    most: 10 * 10,
  },
  {
    title: "a day's deliveries",
    path: orders,
    query: { delivery_date_from: "2025-02-01", delivery_date_to: "2025-02-01" },
    most: 15 * 10,
  },
  { title: "a rare search", path: orders, query: { search: "D000777" }, most: 30 },
  { title: "a customer's name", path: orders, query: { search: "knownname" }, most: 10 * 15 },
  { title: "an e-mail", path: profiles, query: { email: "KNOWN@customers.test" }, most: 10 },
  { title: "a store_customer_id", path: profiles, query: { store_customer_id: "known" }, most: 10 },
  { title: "a rare search", path: profiles, query: { search: "crm-000777" }, most: 30 },
  {
    title: "a search that finds nothing",
    path: profiles,
    query: { search: "nowhere to be found" },
    most: 10,
  },
  { title: "one profile's entities", path: entities, query: { profile_id: known.profile }, most: 10 },
  { title: "by id", path: `${profiles}/${known.profile}`, most: 1 },
  { title: "by id", path: `${entities}/${known.entity}`, most: 1 },
  { title: "by id, with what it refers to", path: `${orders}/${known.order}`, most: 8 },
  { title: "by an id that is none", path: `${orders}/nope`, most: 2 },
  {
    title: "the feed of a day",
    path: feed,
    query: { start_date: quietDay, end_date: quietDay },
    most: page * 5 + 200,
  },
  {
    title: "the feed of a day, filtered",
    path: feed,
    query: { start_date: quietDay, end_date: quietDay, actor_type: "system" },
    most: page * 5 + 100,
  },
  {
    title: "the feed of an empty day",
    path: feed,
    query: { start_date: "2024-07-01", end_date: "2024-07-01" },
    most: 10,
  },
  {
    title: "the feed of all time",
    path: feed,
    query: { start_date: "2025-01-01", end_date: "2025-01-31" },
    most: page * 5 + 400,
  },
  {
    title: "the feed of one order",
    path: feed,
    query: { ...year, start_date: "2024-01-01", order_id: known.order },
    most: page * 5 + 100,
  },
  { title: "integration actions", path: `${feed}/integration-actions`, most: 10 },
  { title: "actors", path: `${feed}/actors`, most: 10 },
  {
    title: "one profile's timeline",
    path: `${profiles}/${known.profile}/activity`,
    most: page * 5 + 100,
    db_round_trips: 2,
  },
  {
    title: "one profile's addresses",
    path: `${profiles}/${known.profile}/addresses`,
    most: 10,
    db_round_trips: 2,
  },
];

const measure = async ({ path, query = {}, lastPage }: Case) => {
  const as: Caller = shop.admin;
  const last = lastPage ? { page: (await listed(as, path, query)).meta.last_page } : {};
  await api(as, "GET", path, { query });
  const usage = await usageOf(() => api(as, "GET", path, { query: { ...query, ...last } }));
  return { rows_read: usage.rows_read, db_round_trips: usage.db_round_trips, status: usage.answer.status };
};

describe("rows that D1 reports as read are bounded by the page, not by the table", () => {
  const figures: Record<number, { rows_read: number; db_round_trips: number; status: number }[]> = {};
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

  const titles = cases().map(({ title, path }, nth) => [path.replace(/\/$/, "/{id}"), title, nth] as const);
  test.each(titles)("GET %s: %s", (_, title, nth) => {
    const [small, large] = sizes.map((size) => figures[size]![nth]!);
    const { most, db_round_trips = 1 } = asked[nth]!;
    expect(large!.status, title).toBe(title.includes("none") ? 404 : 200);
    expect(
      large!.rows_read,
      `${large!.rows_read} rows read of ${sizes[1]}, ${small!.rows_read} of ${sizes[0]}`,
    ).toBeLessThanOrEqual(most);
    expect(large!.rows_read, `${small!.rows_read} rows read of ${sizes[0]}`).toBeLessThanOrEqual(
      Math.ceil(small!.rows_read * 1.1) + 6,
    );
    expect(large!.db_round_trips, "trips to the database").toBeLessThanOrEqual(db_round_trips);
  });
});

describe("another account's rows cost a search nothing", () => {
  test.each([profiles, orders])("GET %s", async (path) => {
    const [small, large] = [await merchant(), await merchant()];
    await put("profiles", [profileOf(small.of, { first_name: "Neighbourly" })]);
    const search = () => api(small.admin, "GET", path, { query: { search: "neighbourly" } });
    await search();
    const alone = await usageOf(search);
    await put(
      "profiles",
      Array.from({ length: 300 }, () => profileOf(large.of, { first_name: "Neighbourly" })),
    );
    const beside = await usageOf(search);
    expect(beside.answer.body).toEqual(alone.answer.body);
    expect(beside.rows_read, `${alone.rows_read} rows read alone`).toBeLessThanOrEqual(alone.rows_read + 10);
  });
});

describe("writes are one trip, and read what they change", () => {
  test("create, update and delete of a profile and an entity", async () => {
    const created = await usageOf(() =>
      api(shop.admin, "POST", profiles, { body: { email: "scale@customers.test" } }),
    );
    expect([created.answer.status, created.db_round_trips]).toEqual([200, 1]);
    expect(created.rows_read).toBeLessThanOrEqual(20);
    const { id } = (created.answer.body as { data: { id: string } }).data;
    const changed = await usageOf(() =>
      api(shop.admin, "PUT", `${profiles}/${id}`, { body: { first_name: "Scaled" } }),
    );
    expect([changed.answer.status, changed.db_round_trips]).toEqual([200, 2]);
    expect(changed.rows_read).toBeLessThanOrEqual(20);
    const removed = await usageOf(() => api(shop.admin, "DELETE", `${profiles}/${id}`));
    expect([removed.answer.status, removed.db_round_trips]).toEqual([204, 1]);
    expect(removed.rows_read).toBeLessThanOrEqual(20);
    const entity = await usageOf(() =>
      api(shop.of, "POST", entities, { body: { profile_id: known.profile, entity_type: "dog", name: "x" } }),
    );
    expect(entity.db_round_trips).toBeLessThanOrEqual(2);
    expect(entity.rows_read).toBeLessThanOrEqual(20);
    const entry = await usageOf(() =>
      api(shop.admin, "POST", feed, {
        body: { loggable_type: "order", loggable_id: known.order, action: "integration_x" },
      }),
    );
    expect(entry.db_round_trips).toBeLessThanOrEqual(2);
    expect(entry.rows_read).toBeLessThanOrEqual(20);
  });
});
