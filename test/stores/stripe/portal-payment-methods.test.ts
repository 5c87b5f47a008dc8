/** A customer adds and removes payment methods over the API, as the store allows it. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { forgetAccount } from "../../../src/base/accounts/queries.ts";
import { api, type Caller } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { type Json, openShop, refusal } from "../../support/shops.ts";
import { bearer, profile, token } from "../../support/tenant.ts";
import { openWorker } from "../../support/worker.ts";
import { type ConnectedAccount, subscribed, useAccount } from "./account.ts";
import { arrive, type HookedAccount, hookedAccount } from "./hooks.ts";

/** Customers enter and remove payment methods by the API of the portal. */

const account = useAccount(hookedAccount) as HookedAccount;
const path = "/api/portal/payment-methods";
let customer: Caller;
beforeEach(async () => {
  await settings(account, { is_enabled: true });
  customer = await signedIn(account, account.profileId);
});

async function settings({ merchant }: Pick<ConnectedAccount, "merchant">, body: object): Promise<void> {
  const answer = await api(merchant.api, "PUT", "/api/account/portal", { body });
  if (answer.status !== 200) throw new Error(answer.text);
}

async function signedIn(
  { merchant }: Pick<ConnectedAccount, "merchant">,
  profile_id: string,
): Promise<Caller> {
  return bearer(await token(merchant.of, { actor_type: "customer", name: "Ada", profile_id }));
}

const begin = (as = customer, options: object = {}) => account.worker.call<Json>(as, "POST", path, options);
const complete = (id: string, as = customer) =>
  account.worker.call<Json>(as, "POST", `${path}/${id}/complete`);
const remove = (id: string, as = customer) => account.worker.call<Json>(as, "DELETE", `${path}/${id}`);

async function begun(as = customer): Promise<string> {
  const { status, text, body } = await begin(as);
  if (status !== 201) throw new Error(text);
  return body.data.client_secret.split("_secret_")[0];
}

async function methodsOf(id: string): Promise<Json> {
  return (await account.worker.call(customer, "GET", `/api/subscriptions/${id}/payment-method`)).body.data;
}

describe("a payment method that a customer enters", () => {
  test("is begun a few times a minute by one customer: beyond that nothing is made at Stripe", async () => {
    const limited = openWorker({ ...account.worker.bindings, SETUPS_LIMITER: env.TEST_LIMITER });
    const beginAs = (as: Caller) => limited.call<Json>(as, "POST", path);
    const made = () =>
      account.stripe.requests.filter(({ operation }) => operation === "setup_intents.create").length;
    for (let times = 0; times < 5; times++) expect((await beginAs(customer)).status).toBe(201);
    const refused = await beginAs(customer);
    expect(refusal(refused)).toEqual([429, "RATE_LIMITED"]);
    expect(refused.headers.get("Retry-After")).toBe("60");
    expect(refused.headers.get("RateLimit-Policy")).toBe('"payment-methods";q=10;w=60');
    expect(made()).toBe(5);
    const { id } = await profile(account.merchant.of, { email: "bo@example.com" });
    expect((await beginAs(await signedIn(account, id))).status).toBe(201);
  });

  test("is begun with what Stripe.js needs, and nothing else", async () => {
    const { status, body } = await begin();
    expect([status, body]).toEqual([
      201,
      {
        data: {
          client_secret: expect.stringMatching(/^seti_\w+_secret_\w+$/),
          publishable_key: "pk_test_fake",
        },
      },
    ]);
  });

  test("is theirs once they have entered it, beside those that they have, and pays what they choose", async () => {
    const id = await subscribed(account);
    const setup = await begun();
    const { payment_method: entered } = account.stripe.setUp(setup, "pm_card_mastercard");
    const { status, body } = await complete(setup);
    expect([status, body.data]).toMatchObject([
      200,
      { store_payment_method_id: entered, brand: "mastercard", status: "VALID" },
    ]);
    expect((await complete(setup)).body).toEqual(body);
    expect((await methodsOf(id)).alternatives).toEqual([body.data]);
    const changed = await account.worker.call(customer, "PUT", `/api/subscriptions/${id}/payment-method`, {
      body: { payment_method_id: body.data.id },
    });
    expect(changed.status).toBe(200);
    expect((await methodsOf(id)).current).toEqual(body.data);
  });

  test("makes a customer at Stripe for whoever has none, and theirs it stays", async () => {
    const { id: profileId } = await profile(account.merchant.of, { email: "new@example.com" });
    const as = await signedIn(account, profileId);
    const setup = await begun(as);
    account.stripe.setUp(setup);
    expect((await complete(setup, as)).status).toBe(200);
    const [{ store_customer_id }] = await select<Json>(
      "SELECT store_customer_id FROM profiles WHERE id = ?",
      profileId,
    );
    expect(store_customer_id).toMatch(/^cus_/);
    const again = await begun(as);
    account.stripe.setUp(again, "pm_card_mastercard");
    expect((await complete(again, as)).status).toBe(200);
  });

  test("is stored by Stripe's webhook where they never come back, once", async () => {
    const setup = await begun();
    const { payment_method: entered } = account.stripe.setUp(setup);
    await arrive(account, { times: 2, order: "reversed" });
    const stored = await select<Json>(
      "SELECT id FROM payment_methods WHERE profile_id = ? AND store_payment_method_id = ? AND status = 'VALID'",
      ...[account.profileId, String(entered)],
    );
    expect(stored).toHaveLength(1);
    expect((await complete(setup)).body.data.id).toBe(stored[0].id);
  });

  test("is 404 until it is entered, to everybody else, and for what is no setup", async () => {
    const setup = await begun();
    expect(refusal(await complete(setup))).toEqual([404, "NOT_FOUND"]);
    account.stripe.setUp(setup);
    const { id } = await profile(account.merchant.of, { email: "eve@example.com" });
    const eve = await signedIn(account, id);
    for (const [as, name] of [
      [eve, setup],
      [customer, "seti_unknown"],
      [customer, "pi_1"],
      [customer, "..%2Fcustomers"],
    ] as const)
      expect(refusal(await complete(name, as)), name).toEqual([404, "NOT_FOUND"]);
    expect(await select("SELECT * FROM payment_methods WHERE profile_id = ?", id)).toEqual([]);
  });

  test("of another shop's customer is 404", async () => {
    const setup = await begun();
    account.stripe.setUp(setup);
    const other = await hookedAccount();
    await settings(other, { is_enabled: true });
    const as = await signedIn(other, other.profileId);
    expect(refusal(await other.worker.call(as, "POST", `${path}/${setup}/complete`))).toEqual([
      404,
      "NOT_FOUND",
    ]);
  });

  test("needs the shop's permission, and its portal", async () => {
    await settings(account, { can_change_payment_method: false });
    expect(refusal(await begin())).toEqual([403, "FORBIDDEN"]);
    await settings(account, { can_change_payment_method: true, is_enabled: false });
    expect(refusal(await begin())).toEqual([403, "FORBIDDEN"]);
  });

  test("keeps its secret to itself: none is stored for an Idempotency-Key, and each beginning is another", async () => {
    const headers = { "Idempotency-Key": "begin-once" };
    const [first, again] = [await begin(customer, { headers }), await begin(customer, { headers })];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body.data.client_secret).not.toBe(first.body.data.client_secret);
    expect(await select("SELECT * FROM idempotency_keys WHERE key = 'begin-once'")).toEqual([]);
  });

  test("is for customers alone", async () => {
    expect((await begin(account.merchant.api)).status).toBe(401);
    expect((await begin(account.merchant.admin)).status).toBe(403);
  });
});

describe("a payment method that a customer removes", () => {
  async function entered(): Promise<Json> {
    const setup = await begun();
    account.stripe.setUp(setup, "pm_card_mastercard");
    return (await complete(setup)).body.data;
  }
  const detached = () =>
    account.stripe.requests.filter(({ operation }) => operation === "payment_methods.detach").length;

  test("is gone here and at Stripe, and removing it again is no fault", async () => {
    const { id } = await entered();
    expect([(await remove(id)).status, detached()]).toEqual([204, 1]);
    expect([(await remove(id)).status, detached()]).toEqual([204, 1]);
    await arrive(account);
    const [row] = await select<Json>("SELECT status FROM payment_methods WHERE id = ?", id);
    expect(row.status).toBe("REVOKED");
  });

  test("stays while a subscription is paid with it, and goes once that is over", async () => {
    const id = await subscribed(account);
    const { current } = await methodsOf(id);
    expect(refusal(await remove(current.id))).toEqual([409, "INVALID_STATE"]);
    expect((await methodsOf(id)).current).toEqual(current);
    await account.worker.call(customer, "POST", `/api/subscriptions/${id}/cancel`, { body: {} });
    expect((await remove(current.id)).status).toBe(204);
  });

  test("whose removal Stripe does not answer is removed by the next try", async () => {
    const { id } = await entered();
    account.stripe.fail({ kind: "http500", on: "payment_methods.detach" });
    expect(refusal(await remove(id))).toEqual([503, "UNAVAILABLE"]);
    expect((await remove(id)).status).toBe(204);
  });

  test("is 404 to everybody else", async () => {
    const { id: method } = await entered();
    const { id } = await profile(account.merchant.of, { email: "eve@example.com" });
    expect(refusal(await remove(method, await signedIn(account, id)))).toEqual([404, "NOT_FOUND"]);
    const other = await hookedAccount();
    await settings(other, { is_enabled: true });
    const as = await signedIn(other, other.profileId);
    expect(refusal(await other.worker.call(as, "DELETE", `${path}/${method}`))).toEqual([404, "NOT_FOUND"]);
  });
});

describe("on other stores", () => {
  test("the sandbox store has a card entered as soon as it is begun, for whom it is", async () => {
    const merchant = await openShop();
    await settings({ merchant }, { is_enabled: true });
    const { body } = await api(merchant.customer, "POST", path);
    const setup = body.data.client_secret.split("_secret_")[0];
    const { status, body: done } = await api(merchant.customer, "POST", `${path}/${setup}/complete`);
    expect([status, done.data]).toMatchObject([
      200,
      { store_payment_method_id: "pm_success", status: "VALID" },
    ]);
    const eve = await signedIn({ merchant }, (await profile(merchant.of, { email: "eve@example.com" })).id);
    expect(refusal(await api(eve, "POST", `${path}/${setup}/complete`))).toEqual([404, "NOT_FOUND"]);
    expect((await api(merchant.customer, "DELETE", `${path}/${done.data.id}`)).status).toBe(204);
  });

  test("Shopify has pages of its own for that", async () => {
    const merchant = await openShop();
    await settings({ merchant }, { is_enabled: true });
    await execute("UPDATE accounts SET store = 'shopify' WHERE id = ?", merchant.of.account.id);
    forgetAccount(merchant.of.account.id);
    expect(refusal(await api(merchant.customer, "POST", path))).toEqual([409, "INVALID_STATE"]);
    expect(refusal(await api(merchant.customer, "POST", `${path}/seti_1/complete`))).toEqual([
      409,
      "INVALID_STATE",
    ]);
  });
});
