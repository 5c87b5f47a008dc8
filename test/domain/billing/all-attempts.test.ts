/** The account's list of attempts shows each as its subscription does, filtered, sorted and counted. */
import { beforeAll, describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { inDays, type Json, openShop } from "../../support/shops.ts";
import { linked, shipNow, useShop } from "../../support/worker.ts";

const { shop, worker } = useShop({ timezone: "America/New_York" });

function list(query: Record<string, string | number> = {}, as = shop.api) {
  return api<Json>(as, "GET", "/api/billing-attempts", { query });
}

async function idsOf(query: Record<string, string | number>): Promise<string[]> {
  return (await list(query)).body.data.map(({ id }: Json) => id);
}

/** Attempts of four subscriptions, the oldest first: paid, declined, a recurring one, and one under review. */
const ids: string[] = [];
const of: string[] = [];
const at = [
  "2026-03-01T12:00:00.000Z",
  "2026-03-02T04:59:59.999Z",
  "2026-03-02T05:00:00.000Z",
  "2026-03-03T05:00:00.000Z",
];

beforeAll(async () => {
  for (const store_payment_method_id of ["pm_success", "pm_card_declined", "pm_success", "pm_success"]) {
    const id = await linked(shop, worker, { next_delivery_date: inDays(7), store_payment_method_id });
    ids.push((await shipNow(shop, worker, id)).body.billing_attempt_id);
    of.push(id);
    if (ids.length < 4) await worker.drain();
  }
  worker.forget();
  await execute("UPDATE billing_attempts SET origin = 'RECURRING' WHERE id = ?", ids[2]!);
  await execute("UPDATE billing_attempts SET status = 'REVIEW' WHERE id = ?", ids[3]!);
  await execute(
    "UPDATE billing_attempt_counts SET count = 0 WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    shop.of.account.id,
  );
  await execute(
    `INSERT INTO billing_attempt_counts SELECT account_seq, status, origin, COUNT(*) FROM billing_attempts
      WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND settled_at IS NOT NULL GROUP BY 1, 2, 3 ON CONFLICT DO UPDATE SET count = excluded.count`,
    shop.of.account.id,
  );
  for (const [nth, id] of ids.entries())
    await execute("UPDATE billing_attempts SET created_at = ? WHERE id = ?", at[nth]!, id);
});

test("all of the account's attempts, newest first, as each subscription shows them", async () => {
  const { body } = await list();
  expect(body.data.map(({ id }: Json) => id)).toEqual(ids.toReversed());
  expect(body.meta).toMatchObject({ total: 4, current_page: 1, last_page: 1 });
  const path = `/api/subscriptions/${of[3]}/billing-attempts/${ids[3]}`;
  expect(body.data[0]).toEqual((await api<Json>(shop.api, "GET", path)).body.data);
});

describe("filters, whose total is that of what they leave", () => {
  test.each<[string, () => Record<string, string>, number[]]>([
    ["status", () => ({ status: "REVIEW" }), [3]],
    ["several statuses", () => ({ status: "FAILED,REVIEW" }), [3, 1]],
    ["trigger", () => ({ trigger: "RECURRING" }), [2]],
    ["status and trigger", () => ({ status: "SUCCEEDED", trigger: "SHIP_NOW" }), [0]],
    ["subscription_id", () => ({ subscription_id: of[1]! }), [1]],
    ["of an unknown subscription", () => ({ subscription_id: "none" }), []],
    ["from a day, from its first moment in the account's time zone", () => ({ from: "2026-03-02" }), [3, 2]],
    ["to a day, with its last moment", () => ({ to: "2026-03-02" }), [2, 1, 0]],
    ["a day", () => ({ from: "2026-03-01", to: "2026-03-01" }), [1, 0]],
    ["from an instant, inclusive", () => ({ from: at[3]! }), [3]],
    ["up to the last moment of the calendar, local", () => ({ to: "9999-12-31T23:59:59" }), [3, 2, 1, 0]],
    ["to an instant, inclusive", () => ({ to: at[2]! }), [2, 1, 0]],
    ["status and from", () => ({ status: "SUCCEEDED", from: "2026-03-02" }), [2]],
  ])("%s", async (_, query, expected) => {
    expect(await idsOf(query())).toEqual(expected.map((nth) => ids[nth]));
    expect((await list(query())).body.meta.total).toBe(expected.length);
  });
});

test("paged", async () => {
  const pages = [await list({ limit: 3 }), await list({ limit: 3, page: 2 })];
  expect(pages.flatMap(({ body }) => body.data.map(({ id }: Json) => id))).toEqual(ids.toReversed());
  expect(pages[0]!.body.meta).toMatchObject({ total: 4, last_page: 2 });
});

test.each<Record<string, string>>([
  { status: "LOST" },
  { trigger: "CRON" },
  { from: "yesterday" },
  { to: "2026-02-30" },
  { subscription: "misspelt" },
])("400: %j", async (query) => {
  expect((await list(query)).status).toBe(400);
});

test("staff with a token may, customers may not; another account sees none of them", async () => {
  expect((await list({}, shop.admin)).status).toBe(200);
  expect((await list({}, shop.customer)).status).toBe(403);
  expect((await list({}, (await openShop()).api)).body.data).toEqual([]);
});
