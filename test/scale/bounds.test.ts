/** No page of any list looks at more than its bound of rows, whatever filters, sorts and pages are combined, and first pages are full. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { mostRead } from "../../src/base/db/list/list-bounds.ts";
import { type Answer, api, type Caller } from "../support/client.ts";
import { scansOf, statementsOf } from "../support/plans.ts";
import { faults, type Merchant, openMerchant, usageOf } from "../support/records.ts";
import { bearer, token } from "../support/tenant.ts";
import { type ListQuery, lists, type Query, queriesOf } from "./list-queries.ts";
import { idOf, madeAfterwards, manyRecords } from "./many-records.ts";

const many = 100_000;
const limit = 25;

/** The most rows that a page may read which an index leads straight to. */
const mostStraight = 6 * limit + 120;

/** Some lists are asked a thousand times. */
const patience = 600_000;

let shop: Merchant;

beforeAll(async () => {
  shop = await openMerchant();
  await api(shop.of, "PUT", "/api/account/portal", { body: { is_enabled: true } });
  const { results } = await env.DB.prepare(madeAfterwards).all<{ type: string; name: string; sql: string }>();
  for (const { type, name } of results) await env.DB.prepare(`DROP ${type} ${name}`).run();
  for (const { sql, params } of manyRecords(shop.of.account.seq, many))
    await env.DB.prepare(sql)
      .bind(...params)
      .run();
  for (const { sql } of results) await env.DB.prepare(sql).run();
}, patience);

/** Values that leave many rows, few, old ones or none. */
function valuesOf(name: string): string[] {
  if (name === "after") return ["0", "290000", "1000000000"];
  if (/(^|_)(before|to)$/.test(name)) return ["2020-01-01", "2024-01-09", "2024-12-20"];
  if (/(^|_)(after|from)$/.test(name)) return ["2024-01-09", "2024-12-20", "2035-01-01"];
  const values: Record<string, string[]> = {
    profile_id: [idOf("profile", 7), idOf("profile", many)],
    entity_id: [idOf("entity", 7), idOf("entity", many)],
    subscription_id: [idOf("subscription", 7), idOf("subscription", many)],
    order_id: [idOf("order", 7)],
    cancellation_reason_id: [idOf("reason", 0), idOf("reason", 9)],
    store_contract_id: ["1000007"],
    migration_source_ref: ["everything", "rare", "none"],
    store_variant_id: ["everything", "some", "rare", "none"],
    selling_plan_id: ["everything", "rare", "none"],
    delivery_slot_id: [idOf("slot", 0), idOf("slot", 1), idOf("slot", 7)],
    tracking_number: ["1Z7"],
    email: ["c7@customers.test"],
    store_customer_id: ["c-7"],
    entity_type: ["dog", "rare", "none"],
    actor_name: ["Ada", "Rare"],
    action: [
      ...["subscription_paused", "dunning_started", "order_placed", "integration_", "none"],
      ...[
        "subscription_paused,subscription_resumed",
        "order_placed,dunning_started",
        "integration_,dunning_started",
      ],
    ],
    kind: ["receipt", "login_link"],
    search: ["common", "100", "zzqqx", "e"],
    types: [
      "subscription.*",
      "billing.failed",
      "integration.none",
      "subscription.*,order.*,dunning.*,integration.*",
    ],
  };
  const found = values[name];
  if (!found)
    throw new Error(`${name}: test/scale/bounds.test.ts knows no value for this filter; add some there`);
  return found;
}

/** Filters whose index has another order than any list, or that have none. */
const unordered = ["search", "store_variant_id", "selling_plan_id", "has_production_date"];

/** One filter in the order that its own index has: a range in that of its column, all others but reminders that are due in that of time. */
function isStraight({ query, filters: [filter = ""], filters, sort }: ListQuery): boolean {
  if (filters.length !== 1 || unordered.includes(filter) || query.payment_reminder_status === "DUE")
    return false;
  // An attempt that waits for its message is in no index by status: it is sought among the open ones.
  if (/^QUEUED(,PROCESSING)?$/.test(query.status ?? "")) return false;
  const [, column] = /^(.+)_(before|after|from|to)$/.exec(filter) ?? [];
  if (!column) return sort === "created_at";
  return sort === (column === "created" ? "created_at" : sort.includes(column) ? sort : "");
}

/** Lists of a customer's own are for customers alone. */
async function callerOf(path: string): Promise<Caller> {
  return path.startsWith("/api/portal/")
    ? bearer(await token(shop.of, { actor_type: "customer", profile_id: idOf("profile", 7) }))
    : shop.admin;
}

/** Filters of subscriptions that no index has in other orders than their own, if in any: rows that are neither few nor spread may lie far away. */
const ownOrderAlone = ["delivery_slot_id", "payment_reminder_status", "updated_after"];

/** Of the first pages of one filter in any order so many are full, and of two. */
const fullOfOne = 0.93;
const fullOfTwo = 0.87;

/** Whether the rows of a single filter may all lie far from the beginning of its sort, where nothing leads to them. */
function mayLieFar(path: string, { filters: [filter = ""], sort }: ListQuery): boolean {
  const isRange = /_(before|after|from|to)$/.test(filter);
  // A shop plans production for all of its orders or for none: no index is kept for the others.
  if (path === "/api/subscriptions/orders")
    return (isRange && sort === "total") || filter === "has_production_date";
  return path === "/api/subscriptions" && (isRange || ownOrderAlone.includes(filter));
}

describe(`of ${many} subscriptions`, () => {
  test.each(lists.map((list) => [list.path, list] as const))(
    `GET %s looks at no more than ${mostRead} rows for a page, and its next page costs no more and scans no table`,
    async (path, list) => {
      const as = await callerOf(path);
      const over: string[] = [];
      const ofNext = new Set<string>();
      const short: ListQuery[] = [];
      const read = async (page: string, most: number, query: Query = {}): Promise<Answer> => {
        const { answer, rows_read } = await usageOf(() => api(as, "GET", page, { query }));
        if (answer.status !== 200 || rows_read > most)
          over.push(`${page} ${new URLSearchParams(query)}: ${answer.status}, ${rows_read} rows of ${most}`);
        return answer;
      };
      for (const asked of queriesOf(list, valuesOf)) {
        const most = isStraight(asked) && path !== "/api/activity-logs" ? mostStraight : mostRead;
        const { headers, body } = await read(path, most, asked.query);
        if ((body as { meta?: { is_partial?: boolean } }).meta?.is_partial) short.push(asked);
        const [, next] = /<([^>]+)>; rel="next"/.exec(headers.get("Link") ?? "") ?? [];
        if (!next || asked.filters.length > 1) continue;
        for (const sql of await statementsOf(() => read(next, most))) ofNext.add(sql);
      }
      expect(over).toEqual([]);
      expect(await scansOf(ofNext)).toEqual([]);
      const [alone, together] = [1, 2].map((count) =>
        short.filter(({ filters }) => filters.length === count),
      );
      const unserved = alone
        ?.filter((one) => !mayLieFar(path, one))
        .map(({ query }) => `${new URLSearchParams(query)}`);
      expect(unserved, "first pages of one filter that are short").toEqual([]);
      const [ofOne, ofTwo] = [1, 2].map((count) =>
        queriesOf(list, valuesOf).filter(({ filters }) => filters.length === count),
      );
      expect(alone?.length, "first pages of one filter that are short").toBeLessThanOrEqual(
        (ofOne?.length ?? 0) * (1 - fullOfOne),
      );
      expect(together?.length, "first pages of two filters that are short").toBeLessThanOrEqual(
        (ofTwo?.length ?? 0) * (1 - fullOfTwo),
      );
    },
    patience,
  );
});

type Found = {
  data: unknown[];
  meta: { next_page_url: string | null; last_page_url: string; last_page: number };
};

describe("a page by its number", () => {
  const orders = "/api/subscriptions/orders";
  const read = async (query: Record<string, string | number>) => {
    const { answer, rows_read } = await usageOf(() => api(shop.admin, "GET", orders, { query }));
    expect(rows_read, JSON.stringify(query)).toBeLessThanOrEqual(mostRead);
    return answer as Answer<Found>;
  };

  test.each([{}, { sort_by: "total" }, { status: "PAID" }])(
    "near either end of %o is read",
    async (query) => {
      const { last_page } = (await read(query)).body.meta;
      for (const page of [100, last_page - 100, last_page])
        expect((await read({ ...query, page })).body.data.length, `page ${page}`).toBeGreaterThan(0);
      expect((await read({ ...query, page: last_page + 1 })).body.data).toEqual([]);
    },
  );

  test.each([
    [{}, 4_000],
    [{ sort_by: "total" }, 4_000],
    [{ delivery_date_from: "2024-01-09" }, 1_000],
    [{ delivery_date_to: "2024-06-01", status: "PAID" }, 200],
    [{ status: "PAID", fulfillment_status: "UNFULFILLED" }, 500],
  ])("far from both ends of %o is refused, and told of the cursor", async (query, page) => {
    const answer = await read({ ...query, page });
    expect(faults(answer)).toEqual([400, "VALIDATION_FAILED", "page"]);
    expect(answer.text).toContain("cursor");
  });

  test("is the last one by a cursor where nobody knows its number", async () => {
    const query = { delivery_date_from: "2024-01-09", sort_by: "delivery_date", sort_order: "asc" };
    const { meta } = (await read(query)).body;
    const { rows_read, answer } = await usageOf(() => api(shop.admin, "GET", meta.last_page_url));
    const { data, meta: last } = answer.body as { data: { delivery_date: string }[]; meta: Found["meta"] };
    const newest = (await read({ sort_by: "delivery_date" })).body.data as typeof data;
    expect(data.at(-1)?.delivery_date).toBe(newest[0]?.delivery_date);
    expect([data.length, last.next_page_url]).toEqual([limit, null]);
    expect(rows_read).toBeLessThanOrEqual(mostStraight);
  });
});
