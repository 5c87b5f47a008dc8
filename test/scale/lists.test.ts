import { beforeAll, describe, expect, test } from "vitest";
import { mostCounted } from "../../src/db/list-sql.ts";
import { newId } from "../../src/lib/ids.ts";
import { api, type Caller } from "../support/client.ts";
import { type Operation, operations, resolve } from "../support/document.ts";
import { scansOf, statementsOf } from "../support/plans.ts";
import {
  dayOf,
  entityOf,
  linkOf,
  logOf,
  type Merchant,
  openMerchant,
  orderOf,
  profileOf,
  put,
  slotOf,
  subscriptionOf,
  usageOf,
} from "../support/records.ts";
import { bearer, token } from "../support/tenant.ts";

type Query = Record<string, string>;
type Case = { path: string; sort: string; filter: string; query: Query };

/** Records of each kind. */
const sizes = [300, 3_000] as const;
const limit = 25;
/** A row with what it shows of other records, and the counters of the total. */
const bound = 6 * limit + 50;

const at = (n: number): string => new Date(Date.UTC(2025, 0, 1) + n * 97 * 60_000).toISOString();
const day = (n: number): string => at(n).slice(0, 10);
const pick = <T>(n: number, from: readonly T[]): T => from[n % from.length]!;
const oneIn = (n: number, of: number): boolean => n % of === 0;

let shop: Merchant;
const known = {
  profile: "",
  entity: "",
  subscription: "",
  order: "",
  slot: "",
  reason: newId(),
  rareReason: newId(),
};

/** Values of the filters that the document cannot name: those that leave many rows, few, or none. */
const valuesOf = (name: string): string[] => {
  if (/(^|_)(before|to)$/.test(name)) return ["2035-01-01", "2025-01-03", "2020-01-01"];
  if (name === "after") return ["0", "100", "1000000000"];
  if (/(^|_)(after|from)$/.test(name)) return ["2020-01-01", "2025-07-15", "2035-01-01"];
  const values: Record<string, string[]> = {
    profile_id: [known.profile, newId()],
    entity_id: [known.entity, newId()],
    subscription_id: [known.subscription, newId()],
    order_id: [known.order, newId()],
    cancellation_reason_id: [known.reason, known.rareReason, newId()],
    store_contract_id: ["5000007"],
    tracking_number: ["1Z7"],
    email: ["c7@customers.test"],
    types: ["subscription.*", "billing.failed", "integration.none"],
    store_customer_id: ["c-7"],
    entity_type: ["dog", "rare", "none"],
    actor_name: ["Ada", "Rare"],
    action: [
      "subscription_paused",
      "rare_action",
      "order_placed",
      "integration_",
      "subscription_paused,subscription_resumed",
      "rare_action,rarer_action",
    ],
  };
  const found = values[name];
  if (!found)
    throw new Error(`${name}: test/scale/lists.test.ts knows no value for this filter; add some there`);
  return found;
};

/** Filters whose rows are counted, up to a bound, as there is no counter for them. */
const counted = /_(before|after|from|to)$|^(from|to|cancellation_reason_id|actor_type|actor_name|action)$/;
const columnOf = (filter: string): string =>
  filter
    .replace(/_(before|after)$/, filter.startsWith("created") ? "_at" : "_date")
    .replace(/_(from|to)$/, "");

/**
 * What a list may read. Rows that no counter counts are counted up to a bound. In the order of another column that is done twice
 * more, to choose between the filter's index and the sort's, and up to the bound are then sorted. A filter of the feed that no
 * index serves sifts: as many rows are read as it takes to find those of the bound.
 */
const mostOf = ({ path, sort, filter, query }: Case): number => {
  if (path === "/api/events") return 3 * bound;
  if (path === "/api/activity-logs") return bound + mostOfFeed(filter, query);
  if (filter === "" || filter === "status") return bound;
  if (!counted.test(filter)) return sort === "created_at" ? bound : bound + 2 * mostCounted;
  const isRange = /_(before|after|from|to)$/.test(filter);
  if (filter === "from" || filter === "to") return bound + mostCounted + 10;
  const isOwn = isRange ? sort === columnOf(filter) : sort === "created_at";
  return bound + mostCounted + (isOwn ? 10 : 4 * mostCounted);
};

const daysOfYear = 366 + 2 * 96;
const mostOfFeed = (filter: string, { actor_type, action = "" }: Query): number => {
  if (filter === "") return daysOfYear;
  if (actor_type === "system" || action === "order_placed") return 2 * sizes[1] + 300;
  return action.includes(",") || action === "integration_" ? 5 * mostCounted : mostCounted;
};

const notFilters = new Set([
  "page",
  "limit",
  "sort_by",
  "sort_order",
  "search",
  "start_date",
  "end_date",
  "dry_run",
]);

const casesOf = ({ path, parameters = [] }: Operation): Case[] => {
  const queries = parameters.filter((parameter) => parameter.in === "query");
  const sorts: string[] = resolve(queries.find(({ name }) => name === "sort_by")?.schema ?? {}).enum ?? [
    "created_at",
  ];
  const feed = queries.some(({ name }) => name === "start_date");
  const base: Query = feed ? { start_date: "2025-01-01", end_date: "2025-12-31" } : {};
  const filters = queries
    .filter(({ name }) => !notFilters.has(name))
    .flatMap(({ name, schema }): [string, string][] => {
      const values: string[] =
        resolve(schema).enum ?? (name === "status" ? statusesOf(schema) : valuesOf(name));
      return values.map((value) => [name, value]);
    });
  const isSorted = queries.some(({ name }) => name === "sort_by");
  return sorts.flatMap((sort) =>
    (isSorted ? ["asc", "desc"] : [""]).flatMap((sort_order) =>
      [["", ""], ...filters].map(([filter = "", value = ""]) => ({
        path,
        sort,
        filter,
        query: {
          ...base,
          ...(isSorted ? { sort_by: sort, sort_order } : {}),
          ...(filter === "" ? {} : { [filter]: value }),
          ...(filter === "actor_name" ? { actor_type: "admin" } : {}),
        },
      })),
    ),
  );
};

/** A list of statuses is text for the document; its pattern names them. */
const statusesOf = ({ pattern = "" }: { pattern?: string }): string[] => {
  const each = [...new Set(pattern.match(/[A-Z_]{4,}/g))];
  return [...each, each.slice(0, 2).join(","), each.join(",")];
};

const lists = operations.filter(
  ({ method, path, parameters = [] }) =>
    method === "GET" && !path.includes("{") && parameters.some(({ name }) => name === "limit"),
);

const titled = lists.map((list) => [list.path, list] as const);

const grow = async (from: number, to: number): Promise<void> => {
  const { of } = shop;
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  const made = numbers.map((n) => {
    const profile = profileOf(of, {
      created_at: at(n),
      email: `c${n}@customers.test`,
      email_status: pick(n, ["subscribed", "unsubscribed", null]),
      store_customer_id: `c-${n}`,
    });
    const entity = entityOf(of, profile.id, {
      created_at: at(n),
      name: `n${n}`,
      entity_type: oneIn(n, 100) ? "rare" : "dog",
      is_active: oneIn(n, 50) ? 0 : 1,
    });
    const order = orderOf(of, {
      created_at: at(n),
      profile_id: profile.id,
      status: oneIn(n, 97) ? "REFUNDED" : pick(n, ["PAID", "PAID", "PENDING"]),
      fulfillment_status: oneIn(n, 61) ? "PARTIALLY_FULFILLED" : pick(n, ["FULFILLED", "UNFULFILLED"]),
      is_checkout_order: oneIn(n, 89) ? 1 : 0,
      has_subscription: oneIn(n, 83) ? 0 : 1,
      delivery_date: day(n + 20),
      billing_date: day(n),
      production_date: day(n + 10),
      total: (n * 7919) % 100_000,
      tracking_number: `1Z${n}`,
    });
    const status = oneIn(n, 71)
      ? "PAYMENT_FAILED"
      : pick(n, ["ACTIVE", "ACTIVE", "ACTIVE", "PAUSED", "CANCELLED"] as const);
    const isOver = status === "CANCELLED";
    const subscription = subscriptionOf(of, profile.id, {
      number: 100_000 + n,
      created_at: at(n),
      status,
      entity_id: entity.id,
      last_order_id: order.id,
      delivery_slot_id: oneIn(n, 3) ? known.slot : null,
      store_contract_id: 5_000_000 + n,
      cancellation_reason_id: isOver ? (oneIn(n, 45) ? known.rareReason : known.reason) : null,
      next_billing_date: isOver ? null : day(n),
      next_delivery_date: isOver ? null : day(n + 30),
      next_production_date: isOver ? null : day(n + 15),
      total: (n * 7919) % 100_000,
    });
    const log = logOf(of, {
      created_at: at(n),
      action: oneIn(n, 90)
        ? "rare_action"
        : pick(n, ["order_placed", "subscription_paused", "subscription_resumed", "integration_x"]),
      actor_type: oneIn(n, 80) ? "api" : pick(n, ["system", "admin", "customer", null]),
      actor_name: oneIn(n, 80) ? null : pick(n, [null, oneIn(n + 3, 40) ? "Rare" : "Ada", null, null]),
      order_id: order.id,
      loggable_id: order.id,
      subscription_id: subscription.id,
      profile_id: profile.id,
    });
    return { profile, entity, order, subscription, log };
  });
  await put(
    "profiles",
    made.map(({ profile }) => profile),
  );
  await put(
    "entities",
    made.map(({ entity }) => entity),
  );
  await put(
    "orders",
    made.map(({ order }) => order),
  );
  await put(
    "subscriptions",
    made.map(({ subscription }) => subscription),
  );
  await put(
    "order_subscriptions",
    made.map(({ order, subscription }) => linkOf(of, order.id, subscription.id)),
  );
  await put(
    "activity_logs",
    made.map(({ log }) => log),
  );
  const [one] = made;
  if (from === 0 && one)
    Object.assign(known, {
      profile: one.profile.id,
      entity: one.entity.id,
      order: one.order.id,
      subscription: one.subscription.id,
    });
};

beforeAll(async () => {
  shop = await openMerchant();
  await api(shop.of, "PUT", "/api/account/portal", { body: { is_enabled: true } });
  const slotDay = dayOf(shop.of);
  const slot = slotOf(shop.of, slotDay.id);
  known.slot = slot.id;
  await put("delivery_days", [slotDay]);
  await put("delivery_slots", [slot]);
});

let size = 0;

/** Lists of a customer's own are for customers alone. */
const callerOf = async (path: string): Promise<Caller> =>
  path.startsWith("/api/portal/")
    ? bearer(await token(shop.of, { actor_type: "customer", profile_id: known.profile }))
    : shop.admin;

describe.each(sizes)("with %s records of each kind, and any one filter in any sort", (next) => {
  beforeAll(async () => {
    await grow(size, next);
    size = next;
  });

  test.each(titled)("GET %s reads no more rows than its page and its bounds", async (path, list) => {
    const over: string[] = [];
    const as = await callerOf(path);
    for (const one of casesOf(list)) {
      const { answer, rows_read } = await usageOf(() => api(as, "GET", path, { query: one.query }));
      if (answer.status !== 200 || rows_read > mostOf(one))
        over.push(`${new URLSearchParams(one.query)}: ${answer.status}, ${rows_read} rows of ${mostOf(one)}`);
    }
    expect(over).toEqual([]);
  });
});

test.each(titled)("GET %s scans no table, whatever its filter and sort", async (path, list) => {
  const as = await callerOf(path);
  const statements = await statementsOf(async () => {
    for (const { query } of casesOf(list)) await api(as, "GET", path, { query });
  });
  expect(await scansOf(statements)).toEqual([]);
});
