/** An export of one account comes to the same in another account on a libSQL server. */
import { randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount } from "../../../src/base/accounts/actions.ts";
import { type LibsqlWorker, startLibsqlWorker } from "../../support/libsql-worker.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test states the body's type where it matters
type Json = any;

let deployment: LibsqlWorker;
beforeAll(async () => {
  const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  deployment = await startLibsqlWorker({
    JWT_PRIVATE_JWK: JSON.stringify(await exportJWK(privateKey)),
    STORE_CREDENTIALS_KEY: randomBytes(32).toString("base64"),
  });
}, 60_000);
afterAll(() => deployment?.close());

/** An account with these plans, whose ids move with the merchant; requests to it, by its key. */
async function openAccount(shop: string) {
  const terms = { shop, timezone: "UTC", currency: "USD" };
  const { text: key } = await createAccount(deployment.server.db, terms, new Date().toISOString());
  const send = async (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
    const response = await fetch(`${deployment.origin}${path}`, {
      method,
      headers: { "X-API-Key": key, "Content-Type": "application/json", ...more },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const answer = await response.text();
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${answer}`);
    return JSON.parse(answer) as Json;
  };
  const interval = { billing_interval: "MONTH", billing_interval_count: 1 };
  const off = { discount_type: "PERCENTAGE", discount_value: 10, shipping_amount: 4.95 };
  for (const plan of [
    { id: "monthly", name: "Monthly" },
    { id: "less", name: "Less", ...off },
  ])
    await send("POST", "/api/subscriptions/selling-plans", { ...plan, ...interval });
  return { send };
}

type Account = Awaited<ReturnType<typeof openAccount>>;

/** Subscriptions of a new customer: one that is anchored on a 31st, one with a discount and uneven prices, one that has ended. */
async function fill({ send }: Account): Promise<void> {
  const { access_token } = await send("POST", "/api/auth/token", { actor_type: "admin", name: "Ada" });
  const asStaff = { Authorization: `Bearer ${access_token}` };
  const customer = { email: "grace@example.com", first_name: "=Grace", last_name: "O'Neil" };
  const profile_id = (await send("POST", "/api/profiles", customer, asStaff)).data.id;
  const product = { store_product_id: "p", store_variant_id: "v", product_title: "Kibble", quantity: 3 };
  const subscribe = async (selling_plan_id: string, more: object = {}) => {
    const { ids } = await send("POST", "/api/subscriptions", {
      ...{ profile_id, store_payment_method_id: "pm_success", next_delivery_date: "2034-01-31" },
      lines: [{ ...product, selling_plan_id, price: 8.99 }],
      ...more,
    });
    return ids[0] as string;
  };
  const anchored = await subscribe("monthly", { note: '@home, "inside"\r\nplease' });
  await send("POST", `/api/subscriptions/${anchored}/skip-deliveries`, { count: 1 });
  const discounted = await subscribe("less");
  const discount = { title: "Hello", value: 5, value_type: "PERCENTAGE", target_type: "ORDER" };
  await send("POST", `/api/subscriptions/${discounted}/discounts`, discount);
  await send("POST", `/api/subscriptions/${await subscribe("less")}/cancel`, { reason: "Moved" });
}

async function exported({ send }: Account, format: string): Promise<string> {
  const { parts } = (await send("POST", "/api/exports", { resource: "subscriptions", format })).data;
  const bytes = await (await fetch(parts[0].url)).arrayBuffer();
  return new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
}

/** The lines of an export as CSV without the subscriptions' ids and the line that ends it. */
async function contentOf(account: Account): Promise<string[]> {
  const lines = (await exported(account, "csv")).split("\r\n");
  return lines
    .filter((line) => !line.startsWith("# end,"))
    .map((line) => line.replace(/^[0-9a-f-]{36},/, ""));
}

/** The job once no message works on it any more. */
async function endOf({ send }: Account, id: string): Promise<Json> {
  for (let tries = 0; tries < 400; tries++) {
    const { data } = await send("GET", `/api/jobs/${id}`);
    if (!["STAGING", "CHECKING", "RUNNING"].includes(data.status)) return data;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`The job ${id} does not end`);
}

describe("moving from account to account on a libSQL server", () => {
  let from: Account;
  beforeAll(async () => {
    from = await openAccount("from.example");
    await fill(from);
  });

  test.each([
    ["csv", "text/csv"],
    ["jsonl", "application/x-ndjson"],
  ])("an export comes to the same in another account: %s", async (format, type) => {
    const into = await openAccount(`${format}.example`);
    const charge_from = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const body = { source: "old", format: "perennial", charge_from };
    const { id } = (await into.send("POST", "/api/imports", body)).data;
    const put = { "Content-Type": type };
    await into.send("PUT", `/api/imports/${id}/parts/1`, await exported(from, format), put);
    await into.send("POST", `/api/jobs/${id}/start`, { commit: true });
    const job = await endOf(into, id);
    expect(job).toMatchObject({ status: "DONE", total: 3, done: 3, summary: { differing: 0 } });
    await into.send("POST", `/api/imports/${id}/release`, {});
    expect(await endOf(into, id)).toMatchObject({ status: "DONE" });
    const notBefore = new RegExp(`,${charge_from}(?=,|$)`);
    const content = await contentOf(into);
    expect(
      content.filter((line) => notBefore.test(line)),
      "of each subscription",
    ).toHaveLength(3);
    expect(content.map((line) => line.replace(notBefore, ","))).toEqual(await contentOf(from));
  });
});
