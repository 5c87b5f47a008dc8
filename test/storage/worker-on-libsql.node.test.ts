/** The whole Worker serves its API from a libSQL server. */
import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStripeAccount, openStripeShop, stripeKey } from "../../scripts/start/stripe-store.ts";
import { type ServedStripe, serveFakeStripe } from "../../scripts/stripe-fake/serve.ts";
import { createAccount } from "../../src/base/accounts/actions.ts";
import { readAssets } from "../../src/host/assets.ts";
import { type LibsqlWorker, startLibsqlWorker } from "../support/libsql-worker.ts";

const shop = "libsql.example";
const reasons = "/api/subscriptions/skip-reasons";

let deployment: LibsqlWorker;
let stripe: ServedStripe;
let key: string;

beforeAll(async () => {
  const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  stripe = await serveFakeStripe();
  deployment = await startLibsqlWorker({
    JWT_PRIVATE_JWK: JSON.stringify(await exportJWK(privateKey)),
    STORE_CREDENTIALS_KEY: randomBytes(32).toString("base64"),
    STRIPE_API_URL: stripe.address,
  });
  const terms = { shop, timezone: "UTC", currency: "USD" };
  ({ text: key } = await createAccount(deployment.server.db, terms, new Date().toISOString()));
}, 60_000);
afterAll(async () => {
  await deployment?.close();
  await stripe?.close();
});

type Options = { body?: unknown; headers?: Record<string, string> };
// biome-ignore lint/suspicious/noExplicitAny: a test states the body's type where it matters
type Answer = { status: number; headers: Headers; body: any };

async function send(method: string, path: string, { body, headers = {} }: Options = {}): Promise<Answer> {
  const response = await fetch(deployment.origin + path, {
    method,
    headers: { "X-API-Key": key, "Content-Type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

const address = { address1: "1 High Street", city: "London", postal_code: "N1", country_code: "GB" };
const line = {
  store_product_id: "product-1",
  store_variant_id: "variant-1",
  product_title: "Kibble",
  selling_plan_id: "weekly",
  price: 10,
  quantity: 1,
};

/** The answer that is hoped for, or the last one. The queue works by itself. */
async function eventually(ask: () => Promise<Answer>, isHoped: (answer: Answer) => boolean): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    const answer = await ask();
    if (isHoped(answer) || tries === 300) return answer;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

describe("what npm start adds with --store stripe-fake", () => {
  const start = async () => {
    await openStripeAccount(deployment.server.db, new Date());
    return openStripeShop(deployment.origin, stripe);
  };

  const open = new Set(["QUEUED", "PROCESSING"]);

  test("is made once, however often it is started", async () => {
    const made = await start();
    expect(made).toHaveLength(3);
    expect(await start()).toEqual(made);
  });

  test("pays, waits for its customer and is declined by the cards that it says do", async () => {
    const headers = { "X-API-Key": stripeKey };
    const becomes: Record<string, string> = {};
    for (const { name, id } of await start()) {
      const path = `/api/subscriptions/${id}`;
      const ship = () => send("POST", `${path}/ship-now`, { headers });
      expect((await eventually(ship, ({ status }) => status === 200)).status).toBe(200);
      const attempts = () => send("GET", `${path}/billing-attempts`, { headers });
      const { body } = await eventually(attempts, ({ body }) => !open.has(body.data[0].status));
      becomes[name] = body.data[0].status;
    }
    expect(becomes).toEqual({ Ada: "SUCCEEDED", Bo: "ACTION_REQUIRED", Cy: "FAILED" });
  });
});

describe("what a browser asks for", () => {
  test.each(["/", `/portal/${shop}`])("%s is a page", async (path) => {
    expect((await send("PUT", "/api/account/portal", { body: { is_enabled: true } })).status).toBe(200);
    const { status, headers } = await fetch(deployment.origin + path);
    expect([status, headers.get("Content-Type")]).toEqual([200, "text/html; charset=UTF-8"]);
  });

  const files = readdirSync("public", { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.includes("."))
    .map(({ parentPath, name }) => `${parentPath.slice("public".length)}/${name}`);

  const assets = readAssets("public");

  test.each(files)("%s is served as the host serves it", async (path) => {
    const answer = await fetch(deployment.origin + path);
    const { headers, body } = assets.get(path)!;
    const { etag: _, ...others } = headers;
    for (const [name, value] of Object.entries(others))
      expect([name, answer.headers.get(name)]).toEqual([name, value]);
    const rules = ["access-control-allow-origin", "content-security-policy", "cross-origin-resource-policy"];
    for (const name of rules) expect([name, answer.headers.get(name)]).toEqual([name, headers[name] ?? null]);
    expect([answer.status, await answer.text()]).toEqual([200, new TextDecoder().decode(body)]);
  });
});

/** LIBSQL_URL is set, so D1 is not asked: the same journeys on libSQL over the wire. */
describe("the whole Worker on libSQL", () => {
  test("GET /health reaches the storage", async () => {
    expect((await send("GET", "/health")).body).toMatchObject({ status: "ok", storage: "ok" });
  });

  test("skip reasons live from creation to the portal to deletion", async () => {
    const ids: string[] = [];
    for (const label of ["a", "b", "ü 🐶"]) {
      const { status, body } = await send("POST", reasons, { body: { label } });
      expect(status).toBe(200);
      ids.push(body.data.id);
    }
    const ordered_ids = ids.toReversed();
    expect((await send("POST", `${reasons}/reorder`, { body: { ordered_ids } })).body).toEqual({
      success: true,
    });
    expect((await send("POST", `${reasons}/reorder`, { body: { ordered_ids: ids.slice(1) } })).status).toBe(
      400,
    );
    expect(
      (await send("PUT", `${reasons}/${ids[0]}`, { body: { is_active: false } })).body.data.is_active,
    ).toBe(false);
    const list = (await send("GET", reasons)).body as { data: { id: string; position: number } }[];
    expect(list.map(({ data }) => [data.id, data.position])).toEqual(
      ordered_ids.map((id, index) => [id, index]),
    );
    const portal = (await send("GET", `/api/public/portal/skip-reasons?shop=${shop}`)).body as typeof list;
    expect(portal.map(({ data }) => data.id)).toEqual(ordered_ids.slice(0, 2));
    expect((await send("DELETE", `${reasons}/${ids[2]}`)).status).toBe(204);
    expect((await send("GET", `${reasons}/${ids[2]}`)).status).toBe(404);
  });

  test("an Idempotency-Key replays, and of many at once one acts", async () => {
    const path = "/api/subscriptions/pause-reasons";
    const options = { body: { label: "once" }, headers: { "Idempotency-Key": "k1" } };
    const answers = await Promise.all(Array.from({ length: 6 }, () => send("POST", path, options)));
    for (const { status } of answers) expect([200, 409]).toContain(status);
    const again = await send("POST", path, options);
    expect([again.status, again.headers.get("Idempotency-Replayed")]).toEqual([200, "true"]);
    expect((await send("GET", path)).body).toHaveLength(1);
    expect((await send("POST", path, { ...options, body: { label: "other" } })).status).toBe(422);
  });

  test("profiles: both credentials, a taken e-mail, search, and a page", async () => {
    const { body } = await send("POST", "/api/auth/token", { body: { actor_type: "admin", name: "Ada" } });
    const headers = { Authorization: `Bearer ${body.access_token}` };
    const grace = { email: "Grace@Example.com", first_name: "Grace", last_name: "Höpper" };
    const created = await send("POST", "/api/profiles", { body: grace, headers });
    expect([created.status, created.body.data.full_name]).toEqual([200, "Grace Höpper"]);
    const taken = await send("POST", "/api/profiles", { body: { email: "grace@example.com" }, headers });
    expect([taken.status, taken.body.errorCode]).toEqual([409, "EMAIL_TAKEN"]);
    const found = await send("GET", "/api/profiles?search=HÖPP&limit=1", { headers });
    expect(found.body).toMatchObject({ data: [{ id: created.body.data.id }], meta: { total: 1 } });
    expect((await send("GET", "/api/profiles", {})).status).toBe(401);
  });

  test("ten refunds at once pay back no more than the order has cost", async () => {
    const { body } = await send("POST", "/api/auth/token", { body: { actor_type: "admin", name: "Ada" } });
    const headers = { Authorization: `Bearer ${body.access_token}` };
    const profile = await send("POST", "/api/profiles", {
      body: { email: "cy@example.com", ...address },
      headers,
    });
    const plan = { id: "weekly", name: "Weekly", billing_interval: "WEEK", billing_interval_count: 1 };
    await send("POST", "/api/subscriptions/selling-plans", { body: plan });
    const subscription = {
      profile_id: profile.body.data.id,
      store_payment_method_id: "pm_success",
      next_delivery_date: new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10),
      lines: [line],
    };
    const made = await send("POST", "/api/subscriptions", { body: subscription });
    expect([made.status, made.body.error]).toEqual([201, undefined]);
    const id = made.body.ids[0];
    const shipped = await eventually(
      () => send("POST", `/api/subscriptions/${id}/ship-now`),
      ({ status }) => status === 200,
    );
    expect(shipped.body.success).toBe(true);
    const listed = await eventually(
      () => send("GET", `/api/subscriptions/orders?subscription_id=${id}`, { headers }),
      (answer) => answer.body.data.length > 0,
    );
    const order = `/api/subscriptions/orders/${listed.body.data[0].id}`;
    const ask = () => send("POST", `${order}/refunds`, { body: { amount: 3 }, headers });
    const answers = await Promise.all(Array.from({ length: 10 }, ask));
    const asked = answers.filter(({ status }) => status === 201);
    expect(asked.length).toBeGreaterThanOrEqual(1);
    expect(asked.length).toBeLessThanOrEqual(3);
    for (const { status } of answers) expect([201, 400, 409]).toContain(status);
    const after = await eventually(
      () => send("GET", order, { headers }),
      (answer) => answer.body.data.refunded_amount === asked.length * 3,
    );
    expect(after.body.data).toMatchObject({ status: "PARTIALLY_REFUNDED", total: 10 });
  });

  test("a database that cannot be reached is 503 UNAVAILABLE", async () => {
    await deployment.server.close();
    const { status, body } = await send("GET", reasons);
    expect([status, body.errorCode]).toEqual([503, "UNAVAILABLE"]);
  });
});
