/** A merchant connects, inspects and leaves Stripe over the API, and never while a subscription lives. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { forgetAccount } from "../../../src/base/accounts/queries.ts";
import { hourMs } from "../../../src/base/lib/time/durations.ts";
import { api, type Caller } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { type FakeStripe, newFakeStripe } from "../../support/fake-stripe.ts";
import { logged } from "../../support/jobs.ts";
import { type Json, openShop, refusal, type Shop, subscribe } from "../../support/shops.ts";
import { bearer, token } from "../../support/tenant.ts";
import { openWorker } from "../../support/worker.ts";
import { fetchOf, keys } from "./account.ts";

/** A merchant connects their account to Stripe over HTTP. */

const path = "/api/account/store";
let merchant: Shop;
let stripe: FakeStripe;
beforeEach(async () => {
  merchant = await openShop({ currency: "EUR" });
  stripe = newFakeStripe({ now: () => Date.now() });
  vi.stubGlobal("fetch", fetchOf(stripe));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const local = openWorker({ STRIPE_API_URL: "http://127.0.0.1:28000" });
const noStandIn = openWorker({});

function put(more: object = {}, { as = merchant.api, worker = noStandIn } = {}) {
  return worker.call<Json>(as, "PUT", path, { body: { store: "stripe", ...keys, ...more } });
}

async function get(as: Caller = merchant.api): Promise<Json> {
  return (await api(as, "GET", path)).body.data;
}

async function entries(): Promise<Json[]> {
  const { body } = await api(merchant.api, "GET", "/api/events", { query: { types: "account.updated" } });
  return body.data;
}

describe("PUT", () => {
  test("connects the account, and says to which", async () => {
    const { status, body } = await put();
    const connected = {
      store: "stripe",
      is_live: false,
      store_account: "acct_1FakeFakeFakeFake",
      webhook: "missing",
      checked_at: expect.stringMatching(/Z$/),
      refused_since: null,
    };
    expect([status, body]).toEqual([200, { data: { ...connected, warnings: [] } }]);
    expect(await get()).toEqual(connected);
    expect((await api(merchant.api, "GET", "/api/account")).body.data.store).toBe("stripe");
  });

  test("says how a key looks where it is sent another text", async () => {
    const { status, body } = await put({ secret_key: "rk_live_…", webhook_secret: "secret" });
    expect([status, body.details]).toEqual([
      400,
      [
        { path: "secret_key", message: "must be as Stripe shows it, such as rk_live_51Example" },
        { path: "webhook_secret", message: "must be as Stripe shows it, such as whsec_Example" },
      ],
    ]);
  });

  test("makes the webhook endpoint at this account's address where Stripe can reach it", async () => {
    vi.stubGlobal("fetch", (input: RequestInfo, init?: RequestInit) => {
      const request = new Request(input, init);
      const { pathname, search } = new URL(request.url);
      return stripe.fetch(new Request(`https://api.stripe.com${pathname}${search}`, request));
    });
    stripe.settings.reachesLoopback = true;
    expect((await put({}, { worker: local })).body.data.webhook).toBe("ok");
    const { PUBLIC_URL } = local.bindings;
    expect(stripe.endpoints().map(({ url }) => url)).toEqual([
      `${PUBLIC_URL}/webhooks/stripe/${merchant.of.account.id}`,
    ]);
    expect((await local.call(merchant.api, "DELETE", path)).status).toBe(204);
    expect(stripe.endpoints()).toEqual([]);
  });

  test("takes the secret of an endpoint that was made by hand", async () => {
    expect((await put({ webhook_secret: "whsec_byhand" })).body.data.webhook).toBe("ok");
    expect((await get()).webhook).toBe("ok");
  });

  test("warns where the account at Stripe is paid out in another currency", async () => {
    stripe.settings.defaultCurrency = "usd";
    expect((await put()).body.data.warnings).toEqual(["currency"]);
  });

  test("is in the history with the fields that were sent, and no value of theirs", async () => {
    await put({ webhook_secret: "whsec_byhand" });
    const [entry] = await entries();
    expect(entry).toMatchObject({
      actor_type: "api",
      subject: { type: "account", id: merchant.of.account.id },
      changes: {
        store: { from: "sandbox", to: "stripe" },
        store_account: { from: null, to: "acct_1FakeFakeFakeFake" },
      },
      metadata: { fields: ["store.secret_key", "store.publishable_key", "store.webhook_secret"] },
    });
  });

  test("leaves no key in the database, in an answer or in the log that can be read", async () => {
    const secret = "sk_test_fakeVerySecretKey";
    stripe.settings.secretKeys = [secret];
    const answers: string[] = [];
    const lines = await logged(async () => {
      const headers = { "Idempotency-Key": "connect-once" };
      const body = { store: "stripe", ...keys, secret_key: secret, webhook_secret: "whsec_VerySecret" };
      answers.push((await api(merchant.api, "PUT", path, { body, headers })).text);
      answers.push(
        (await api(merchant.api, "PUT", path, { body: { ...body, secret_key: "sk_test_fakeWrongKey" } }))
          .text,
      );
      answers.push(JSON.stringify(await get()), JSON.stringify(await entries()));
    });
    const tables = await select<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%' AND name NOT LIKE 'd1_%'",
    );
    const stored = [];
    for (const { name } of tables) stored.push(JSON.stringify(await select(`SELECT * FROM ${name}`)));
    for (const text of [...answers, ...stored, JSON.stringify(lines)])
      expect(text).not.toMatch(/VerySecret|WrongKey/);
    expect(stored.join("")).toContain("acct_1FakeFakeFakeFake");
  });

  test.each([
    ["that Stripe does not know", { secret_key: "sk_test_other" }, "secret_key"],
    ["that is none", { secret_key: "shpat_other" }, "secret_key"],
    ["of another mode", { publishable_key: "pk_live_fake" }, "publishable_key"],
    ["with a space", { secret_key: "sk_test_fake " }, "secret_key"],
  ])("a key %s is refused by its name, and nothing changes", async (_what, more, field) => {
    const { status, body } = await put(more);
    expect([status, body.errorCode, body.details[0].path]).toEqual([400, "VALIDATION_FAILED", field]);
    expect(await get()).toMatchObject({
      store: "sandbox",
      store_account: null,
      webhook: null,
      checked_at: null,
    });
    expect(await entries()).toEqual([]);
  });

  test("a restricted key that may not read its account is refused, with what it lacks", async () => {
    stripe.settings.secretKeys = ["rk_test_fake"];
    stripe.settings.refusedPermissions = new Set(["accounts.retrieve", "account.retrieve"]);
    const { status, body } = await put({ secret_key: "rk_test_fake" });
    expect([status, body.details]).toEqual([
      400,
      [{ path: "secret_key", message: expect.stringContaining("Accounts: Read") }],
    ]);
  });

  test("says 503 where Stripe does not answer, and nothing changes", async () => {
    vi.stubGlobal("fetch", async () => new Response("{}", { status: 500 }));
    expect(refusal(await put())).toEqual([503, "UNAVAILABLE"]);
    expect((await get()).store).toBe("sandbox");
  });

  test("is for staff and keys of the scope alone", async () => {
    expect(refusal(await put({}, { as: merchant.customer }))).toEqual([403, "FORBIDDEN"]);
    const admin = bearer(
      await token(merchant.of, { actor_type: "admin", name: "Ann", scopes: ["account:read"] }),
    );
    expect(refusal(await put({}, { as: admin }))).toEqual([403, "FORBIDDEN"]);
    expect((await api(admin, "GET", path)).status).toBe(200);
  });
});

test("an account that leaves Shopify has no connection there any more", async () => {
  await execute("UPDATE accounts SET store = 'shopify' WHERE id = ?", merchant.of.account.id);
  const seq = "(SELECT seq FROM accounts WHERE id = ?)";
  await execute(
    `INSERT INTO shopify_connections (account_seq, credentials, created_at, updated_at, shop) VALUES (${seq}, 'x', '', '', ?)`,
    ...[merchant.of.account.id, merchant.of.account.shop],
  );
  forgetAccount(merchant.of.account.id);
  expect(refusal(await api(merchant.api, "DELETE", path))).toEqual([409, "INVALID_STATE"]);
  expect((await put()).status).toBe(200);
  expect(
    await select(`SELECT * FROM shopify_connections WHERE account_seq = ${seq}`, merchant.of.account.id),
  ).toEqual([]);
});

describe("in production", () => {
  const production = openWorker({ ENVIRONMENT: "production", PUBLIC_URL: "https://perennial.test" });

  test("keys of the test mode are refused", async () => {
    const { status, body } = await put({}, { worker: production });
    expect([status, body.details[0].path]).toEqual([400, "secret_key"]);
    expect(stripe.requests).toEqual([]);
  });

  test("and taken for an account that the operator has made for tests", async () => {
    await execute("UPDATE accounts SET is_test = 1 WHERE id = ?", merchant.of.account.id);
    expect((await put({}, { worker: production })).status).toBe(200);
  });

  test("live keys are taken", async () => {
    stripe.settings.secretKeys = ["sk_live_fake"];
    stripe.settings.livemode = true;
    const live = { secret_key: "sk_live_fake", publishable_key: "pk_live_fake" };
    expect((await put(live, { worker: production })).body.data.is_live).toBe(true);
  });
});

describe("while a subscription is not over", () => {
  test("the account does not leave its store", async () => {
    await subscribe(merchant);
    expect(refusal(await put())).toEqual([409, "INVALID_STATE"]);
    expect(stripe.endpoints()).toEqual([]);
  });

  test("it takes other keys of its account at Stripe, and of no other, and stays connected", async () => {
    await put();
    await execute(
      "UPDATE profiles SET store_customer_id = ? WHERE id = ?",
      stripe.addCustomer({ email: "cy@customers.test" }).id,
      merchant.profileId,
    );
    const [{ store_customer_id }] = await select<Json>(
      "SELECT store_customer_id FROM profiles WHERE id = ?",
      merchant.profileId,
    );
    await subscribe(merchant, { store_payment_method_id: stripe.addPaymentMethod(store_customer_id).id });
    stripe.settings.secretKeys = ["sk_test_second"];
    expect((await put({ secret_key: "sk_test_second" })).status).toBe(200);
    stripe.settings.accountId = "acct_another";
    expect(refusal(await put({ secret_key: "sk_test_second" }))).toEqual([409, "INVALID_STATE"]);
    expect(refusal(await api(merchant.api, "DELETE", path))).toEqual([409, "INVALID_STATE"]);
    expect((await get()).store_account).toBe("acct_1FakeFakeFakeFake");
  });
});

describe("GET", () => {
  test("says since when Stripe has refused a key that was revoked, until there is another", async () => {
    await put();
    stripe.settings.secretKeys = ["sk_test_next"];
    const { id } = merchant.of.account;
    await openWorker({}, id).tick(Date.now() + 25 * hourMs);
    expect(await get()).toMatchObject({
      store: "stripe",
      store_account: "acct_1FakeFakeFakeFake",
      refused_since: expect.stringMatching(/Z$/),
    });
    await put({ secret_key: "sk_test_next" });
    expect(await get()).toMatchObject({ store: "stripe", refused_since: null });
  });
});

describe("DELETE", () => {
  test("puts the account back on the sandbox store, and deletes its keys", async () => {
    await put({ webhook_secret: "whsec_byhand" });
    expect((await api(merchant.api, "DELETE", path)).status).toBe(204);
    expect(await get()).toEqual({
      store: "sandbox",
      is_live: false,
      store_account: null,
      webhook: null,
      checked_at: null,
      refused_since: null,
    });
    expect(
      await select(
        "SELECT * FROM stripe_connections JOIN accounts ON accounts.seq = account_seq WHERE id = ?",
        merchant.of.account.id,
      ),
    ).toEqual([]);
    expect((await entries()).at(-1)).toMatchObject({ changes: { store: { from: "stripe", to: "sandbox" } } });
  });

  test("of an account on the sandbox store changes nothing", async () => {
    expect((await api(merchant.api, "DELETE", path)).status).toBe(204);
    expect(await entries()).toEqual([]);
  });
});
