/** An account is connected to Stripe by keys that work, and stays at it while a subscription lives. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { forgetAccount, readAccount } from "../../../src/base/accounts/queries.ts";
import { hourMs } from "../../../src/base/lib/time/durations.ts";
import type { StoreKeys } from "../../../src/stores/keyed.ts";
import { resealCredentials } from "../../../src/stores/reseal.ts";
import { connectStripe } from "../../../src/stores/stripe/connect.ts";
import { findConnection, readConnection } from "../../../src/stores/stripe/connection.ts";
import { eventTypes } from "../../../src/stores/stripe/webhooks/topics.ts";
import { api } from "../../support/client.ts";
import { execute, select, testDb } from "../../support/database.ts";
import { type FakeStripe, newFakeStripe } from "../../support/fake-stripe.ts";
import { logged } from "../../support/jobs.ts";
import { inDays, type Json, openShop, type Shop, subscribe } from "../../support/shops.ts";
import { openWorker } from "../../support/worker.ts";
import { credentialsKey, fetchOf, keys, subscribed, useAccount } from "./account.ts";
import { newestOf, shipped, started } from "./charging.ts";

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

const webhooksUri = "https://perennial.example/webhooks/stripe/account-1";

async function connect(more: Partial<StoreKeys> = {}, options: { webhooksUri?: string } = {}) {
  const account = (await readAccount(testDb(), merchant.of.account.id))!;
  const connected = await connectStripe(
    testDb(),
    credentialsKey,
    account,
    { ...keys, ...more },
    new Date().toISOString(),
    options,
  );
  forgetAccount(account.id);
  return connected;
}

describe("an account that is connected to Stripe", () => {
  test("is told which account that is, and has no key in the database that can be read", async () => {
    expect(await connect()).toEqual({
      store_account: "acct_1FakeFakeFakeFake",
      is_live: false,
      webhook: "missing",
      warnings: [],
    });
    const { data } = (await api<{ data: { store: string } }>(merchant.of, "GET", "/api/account")).body;
    expect(data.store).toBe("stripe");
    const stored = JSON.stringify(await select("SELECT * FROM stripe_connections"));
    expect(stored).toContain("acct_1FakeFakeFakeFake");
    for (const secret of Object.values(keys)) expect(stored).not.toContain(secret);
  });

  test("is warned where Stripe pays out in another currency", async () => {
    stripe.settings.defaultCurrency = "usd";
    expect((await connect()).warnings).toEqual(["currency"]);
  });

  test("has a webhook endpoint made, once, for all that Stripe is to send", async () => {
    expect((await connect({}, { webhooksUri })).webhook).toBe("ok");
    expect((await connect({}, { webhooksUri })).webhook).toBe("ok");
    expect(stripe.endpoints()).toMatchObject([{ url: webhooksUri, enabled_events: eventTypes }]);
    const { credentials } = await readConnection(testDb(), credentialsKey, merchant.of.account.id);
    expect(credentials.webhook_secrets).toHaveLength(2);
  });

  test("does without where a restricted key may not make one, and takes one that was made by hand", async () => {
    stripe.settings.secretKeys = ["rk_test_fake"];
    stripe.settings.refusedPermissions = new Set(["webhook_endpoints.list", "webhook_endpoints.create"]);
    const secret_key = "rk_test_fake";
    expect((await connect({ secret_key }, { webhooksUri })).webhook).toBe("missing");
    expect((await connect({ secret_key, webhook_secret: "whsec_made" }, { webhooksUri })).webhook).toBe("ok");
    expect(stripe.endpoints()).toEqual([]);
  });

  test("keeps its keys through an exchange of the key that they are sealed with", async () => {
    await connect();
    const other = btoa(String.fromCharCode(...new Uint8Array(32).fill(8)));
    const now = new Date().toISOString();
    const result = await resealCredentials(testDb(), `${other},${credentialsKey}`, now);
    expect(result.resealed).toBeGreaterThan(0);
    const { credentials } = await readConnection(testDb(), other, merchant.of.account.id);
    expect(credentials.secret_key).toBe(keys.secret_key);
  });
});

describe("keys that cannot be used are refused, and nothing is stored", () => {
  const refused: [why: string, given: Partial<StoreKeys>, code: string][] = [
    ["of nobody", { secret_key: "sk_test_other" }, "VALIDATION_FAILED"],
    ["of two modes", { publishable_key: "pk_live_fake" }, "VALIDATION_FAILED"],
    ["that are none", { secret_key: "shpat_other" }, "VALIDATION_FAILED"],
    ["that are exchanged", { secret_key: keys.publishable_key }, "VALIDATION_FAILED"],
  ];

  test.each(refused)("%s", async (_why, given, code) => {
    await expect(connect(given)).rejects.toMatchObject({ code });
    expect(await findConnection(testDb(), merchant.of.account.id)).toBeUndefined();
    expect((await readAccount(testDb(), merchant.of.account.id))?.store).toBe("sandbox");
  });
});

describe("an account leaves neither its store nor its account at Stripe", () => {
  test("while a subscription lives at the store that it is connected to", async () => {
    const id = await subscribe(merchant);
    await expect(connect()).rejects.toMatchObject({ code: "INVALID_STATE" });
    await execute("UPDATE subscriptions SET status = 'CANCELLED' WHERE id = ?", id);
    expect((await connect()).store_account).toBe("acct_1FakeFakeFakeFake");
  });

  test("while a subscription lives there; other keys of the same one are taken", async () => {
    await connect();
    await subscribed({
      ...(await methodOf()),
      merchant,
      stripe,
      worker: openWorker({ STORE_CREDENTIALS_KEY: credentialsKey }),
    });
    stripe.settings.secretKeys = ["sk_test_second"];
    expect((await connect({ secret_key: "sk_test_second" })).store_account).toBe("acct_1FakeFakeFakeFake");
    stripe.settings.accountId = "acct_another";
    await expect(connect({ secret_key: "sk_test_second" })).rejects.toMatchObject({ code: "INVALID_STATE" });
  });

  async function methodOf() {
    const { profileId } = merchant;
    const customer = stripe.addCustomer({ email: "a@customers.test" }).id;
    await execute("UPDATE profiles SET store_customer_id = ? WHERE id = ?", customer, profileId);
    return { customer, profileId, card: stripe.addPaymentMethod(customer).id };
  }
});

describe("a test clock", () => {
  test("goes with keys of the test mode", async () => {
    await connect();
    const { status } = await api(merchant.of, "GET", "/api/account/test-clock");
    expect(status).toBe(200);
  });

  test("does not go with live keys", async () => {
    stripe.settings.secretKeys = ["sk_live_fake"];
    await connect({ secret_key: "sk_live_fake", publishable_key: "pk_live_fake" });
    expect((await api(merchant.of, "GET", "/api/account/test-clock")).status).toBe(409);
  });

  test("keeps live keys away", async () => {
    await execute(
      "UPDATE accounts SET clock_at = ? WHERE id = ?",
      `${inDays(1)}T00:00:00.000Z`,
      merchant.of.account.id,
    );
    stripe.settings.secretKeys = ["sk_live_fake"];
    const live = { secret_key: "sk_live_fake", publishable_key: "pk_live_fake" };
    await expect(connect(live)).rejects.toMatchObject({ code: "INVALID_STATE" });
  });
});

describe("a key that Stripe takes no more", () => {
  const account = useAccount();

  test("disconnects the account with an alert, and nobody is charged or declined until it has another", async () => {
    const id = await subscribed(account);
    account.stripe.settings.secretKeys = ["sk_test_new"];
    const lines = await logged(() => shipped(account, id));
    expect(lines).toContainEqual(expect.objectContaining({ event: "store_disconnected", alert: true }));
    expect(await newestOf(account, id)).toMatchObject({ status: "PROCESSING" });
    expect(account.stripe.charges()).toEqual([]);
    const stored = (await readAccount(testDb(), account.merchant.of.account.id))!;
    await connectStripe(
      testDb(),
      credentialsKey,
      stored,
      { ...keys, secret_key: "sk_test_new" },
      new Date().toISOString(),
    );
    forgetAccount(stored.id);
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ["Date"] });
    await account.worker.tick();
    vi.useRealTimers();
    expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED" });
  });

  test("is noticed within a day where nobody is charged, and no webhook endpoint of ours is looked at", async () => {
    account.stripe.settings.secretKeys = ["sk_test_new"];
    const lines = await logged(() => account.worker.tick(Date.now() + 25 * hourMs));
    expect(lines).toContainEqual(expect.objectContaining({ event: "store_disconnected", alert: true }));
    const [row] = await select<Json>(
      "SELECT disconnected_at FROM stripe_connections WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      account.merchant.of.account.id,
    );
    expect(row.disconnected_at).toMatch(/Z$/);
  });

  test("a permission that the key lacks is no decline either", async () => {
    const id = await subscribed(account);
    account.stripe.settings.secretKeys.push("rk_test_fake");
    account.stripe.settings.refusedPermissions = new Set(["payment_intents.confirm"]);
    await started(account, id);
    const stored = (await readAccount(testDb(), account.merchant.of.account.id))!;
    await connectStripe(
      testDb(),
      credentialsKey,
      stored,
      { ...keys, secret_key: "rk_test_fake" },
      new Date().toISOString(),
    );
    const worker = openWorker({ STORE_CREDENTIALS_KEY: credentialsKey }, stored.id);
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ["Date"] });
    await worker.tick();
    vi.useRealTimers();
    expect((await newestOf(account, id)).status).not.toBe("FAILED");
    expect(account.stripe.charges()).toEqual([]);
  });
});
