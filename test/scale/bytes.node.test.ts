/** A subscription with one order and its history takes the documented bytes. */
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { kilobytes } from "../../scripts/docs/figures.ts";
import { openFile } from "../../scripts/storage/local.ts";
import { createAccount } from "../../src/base/accounts/actions.ts";
import type { Account } from "../../src/base/accounts/tables.ts";
import type { Job } from "../../src/base/job.ts";
import { shipNow } from "../../src/domain/billing/actions/ship-now.ts";
import { createProfile } from "../../src/domain/profiles/actions.ts";
import { createSellingPlan } from "../../src/domain/selling-plans/actions.ts";
import { createSubscriptions } from "../../src/domain/subscriptions/actions/create.ts";
import type { Ctx } from "../../src/kit/context.ts";
import { handleJob } from "../../src/runtime/jobs/handle.ts";
import { ctxOn } from "../support/ctx.ts";
import { libsqlFile } from "../support/libsql-file.ts";

/** So many customers fill the pages of every table and index. */
const customers = 400;
const kib = 1024;

const { path } = await libsqlFile();
const db = openFile(path);
afterAll(() => db.close());

const shop = { shop: "bytes.myshopify.com", timezone: "UTC", currency: "USD" };
const { account } = await createAccount(db, shop, new Date().toISOString());

test("a subscription with one order and its history takes the documented bytes", async () => {
  const ctx = contextOf(account);
  await createSellingPlan(ctx, {
    id: "weekly",
    name: "Weekly",
    billing_interval: "WEEK",
    billing_interval_count: 1,
  });
  const profiles: string[] = [];
  for (let nth = 0; nth < customers; nth++) profiles.push((await createProfile(ctx, customerOf(nth))).id);
  const before = bytesByName();
  for (const profile_id of profiles) await subscribeAndShip(ctx, profile_id);
  const after = bytesByName();
  const each = [...after]
    .map(([name, bytes]): [string, number] => [name, (bytes - (before.get(name) ?? 0)) / customers])
    .toSorted(([, a], [, b]) => b - a);
  const whole = each.reduce((sum, [, bytes]) => sum + bytes, 0);
  const largest = each.slice(0, 10).map(([name, bytes]) => `${Math.round(bytes)} ${name}`);
  expect(whole / kib, largest.join()).toBeGreaterThan(kilobytes.subscription * 0.95);
  expect(whole / kib, largest.join()).toBeLessThan(kilobytes.subscription * 1.05);
});

function customerOf(nth: number) {
  return {
    email: `customer-${nth}@customers.example`,
    first_name: "Ada",
    last_name: `Lovelace ${nth}`,
    address1: `${nth} High Street`,
    city: "London",
    postal_code: "N1 1AA",
    country: "United Kingdom",
    country_code: "GB",
  };
}

/** A new subscription, its contract, and an order that is charged at once. */
async function subscribeAndShip(ctx: Ctx, profile_id: string): Promise<void> {
  const jobs: Job[] = [];
  const own = { ...ctx, send: async (sent: Job[]) => void jobs.push(...sent) };
  const line = {
    store_product_id: "8123456789012",
    store_variant_id: "44123456789012",
    product_title: "Kibble",
    selling_plan_id: "weekly",
    price: 24.5,
    quantity: 1,
  };
  const request = {
    profile_id,
    store_payment_method_id: "pm_success",
    next_delivery_date: new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10),
    lines: [line],
  };
  const { ids } = await createSubscriptions(own, { request });
  const work = async () => {
    const system = { ...own, actor: { type: "system", name: null } as const };
    for (let job = jobs.shift(); job; job = jobs.shift()) await handleJob(system, job);
  };
  await work();
  for (const id of ids) await shipNow(own, { id, request: {} });
  await work();
}

function contextOf(of: Account): Ctx {
  return ctxOn(db, of, { actor: { type: "api", name: "default" }, send: async () => {} });
}

/** The bytes of the pages of each table and index. */
function bytesByName(): Map<string, number> {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare("SELECT name, SUM(pgsize) AS bytes FROM dbstat GROUP BY name").all();
  database.close();
  return new Map(rows.map(({ name, bytes }) => [String(name), Number(bytes)]));
}
