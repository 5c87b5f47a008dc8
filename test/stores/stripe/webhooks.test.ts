/** A webhook that Stripe has signed is worked on once, in whatever order it comes, and no other is. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { closeByMove, mover } from "../../edges/operator/moving.ts";
import { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { signatureOf } from "../../support/fake-stripe.ts";
import { logged } from "../../support/jobs.ts";
import { actionsOf, type Json, read } from "../../support/shops.ts";
import { openTenant } from "../../support/tenant.ts";
import { openWorker } from "../../support/worker.ts";
import { accountOnStripe, credentialsKey, keys, subscribed } from "./account.ts";
import { apiOf } from "./api.ts";
import { expectChargedOnce, intentsOf, newestOf, shipped } from "./charging.ts";
import { arrive, connectWith, deliveriesOf, type HookedAccount, hookedAccount, receive } from "./hooks.ts";

const account = {} as HookedAccount;
beforeEach(async () => {
  Object.assign(account, await hookedAccount());
  account.worker.forget();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const intent = { id: "pi_1Test", object: "payment_intent" };
const ours = () => ({ ...intent, metadata: { key: "key-1", account_id: account.merchant.of.account.id } });
const hookOf = (object: object = ours(), type = "payment_intent.succeeded", signedAt?: number) =>
  account.stripe.webhookOf(account.endpoint, type, object, signedAt);
const seconds = () => Math.floor(Date.now() / 1000);

describe("a webhook that Stripe has signed", () => {
  test("is stored with ids alone, once, and enqueued once", async () => {
    const hook = await hookOf({ ...ours(), receipt_email: "ada@example.com", amount: 1999 });
    const { status, text } = await receive(account, hook);
    expect([status, text]).toEqual([200, "OK"]);
    await Promise.all([hook, hook, hook].map((one) => receive(account, one)));
    const { id } = await hook.clone().json<Json>();
    const [stored, ...others] = await deliveriesOf(account);
    expect(others).toEqual([]);
    expect(stored).toMatchObject({
      webhook_id: id,
      topic: "payment_intent.succeeded",
      subject: "pi_1Test key-1",
      done_at: null,
    });
    expect(account.worker.sent()).toEqual([
      { type: "webhook", account_id: account.merchant.of.account.id, webhook_id: id },
    ]);
  });

  test("is refused with 503 while the account is copied, so that Stripe sends it again, and stored then", async () => {
    const operator = mover(account.merchant.of.account);
    await closeByMove(operator, "object");
    const hook = await hookOf();
    expect((await receive(account, hook)).status).toBe(503);
    await operator.until("d1");
    expect((await receive(account, hook)).status).toBe(200);
    expect(await deliveriesOf(account)).toHaveLength(1);
  });

  test.each([
    ["of a type that nobody has asked for", "price.created", { id: "price_1" }],
    ["about a payment that was made for something else", "payment_intent.succeeded", intent],
    [
      "about another account's payment",
      "payment_intent.succeeded",
      { ...intent, metadata: { key: "k", account_id: "other" } },
    ],
    ["about a record without an id", "payment_method.updated", {}],
    ["about a record of another kind", "payment_method.updated", { id: "../v1/refunds" }],
  ])("%s is answered, and nothing is stored", async (_what, type, object) => {
    expect((await receive(account, await hookOf(object, type))).status).toBe(200);
    expect(await deliveriesOf(account)).toEqual([]);
    expect(account.worker.sent()).toEqual([]);
  });

  test("counts for five minutes, and a clock that is ahead as long", async () => {
    for (const [age, status] of [
      [290, 200],
      [-290, 200],
      [310, 401],
      [-310, 401],
    ] as const)
      expect(
        (await receive(account, await hookOf(ours(), undefined, seconds() - age))).status,
        `${age}`,
      ).toBe(status);
  });

  test("is verified by its raw bytes, and not as re-serialised JSON", async () => {
    const hook = await hookOf();
    const raw = JSON.stringify(await hook.clone().json());
    const { headers } = hook;
    const changed = new Request(hook.url, { method: "POST", headers, body: raw });
    expect((await receive(account, changed)).status).toBe(401);
    expect((await receive(account, hook)).status).toBe(200);
  });
});

describe("one and the same refusal", () => {
  const refusedAs = async (answer: ReturnType<typeof receive>) => {
    const { status, body, headers } = await answer;
    const { request_id: _, ...shown } = body;
    return [status, shown, headers.get("WWW-Authenticate") !== null];
  };
  const header = (text: string) => ({ headers: { "stripe-signature": text } });

  test("meets a wrong signature, every other form of one, and an account that nobody knows", async () => {
    const hook = await hookOf();
    const raw = await hook.clone().text();
    const at = seconds();
    const wrong = await signatureOf("whsec_other", at, raw);
    const right = hook.headers.get("Stripe-Signature")!;
    const [, v1 = ""] = /v1=(\w+)/.exec(right) ?? [];
    const known = await refusedAs(receive(account, hook, header(`t=${at},v1=${wrong}`)));
    expect(known).toEqual([401, expect.objectContaining({ errorCode: "UNAUTHENTICATED" }), true]);
    for (const text of [
      "",
      "t=,v1=",
      right.replace(/v1=/g, "v0="),
      right.replace(/t=\d+/, `t=${at - 60}`),
      right.replace(/t=\d+,/, ""),
      `t=${at}`,
      `t=${at},v1=${v1.slice(1)}`,
      `t=${at},v1=${"0".repeat(64)}`,
      `t=${at}.5,v1=${v1}`,
      `v1=${v1}`,
      "x".repeat(5000),
    ])
      expect(await refusedAs(receive(account, hook, header(text))), text).toEqual(known);
    for (const to of ["nobody", "0190a000-0000-7000-8000-000000000000", (await openTenant()).account.id])
      expect(await refusedAs(receive(account, hook, { to: `/webhooks/stripe/${to}` })), to).toEqual(known);
    expect(await deliveriesOf(account)).toEqual([]);
  });

  test("meets a webhook of another account's endpoint", async () => {
    const mine = { ...account };
    const hook = await hookOf();
    Object.assign(account, await hookedAccount());
    expect((await receive(mine, await hookOf())).status).toBe(401);
    expect((await receive(account, hook)).status).toBe(401);
  });

  test("meets an account without any secret, and one whose secret cannot be opened, which is an alert", async () => {
    const without = await accountOnStripe();
    const hook = await hookOf();
    const path = `/webhooks/stripe/${without.merchant.of.account.id}`;
    expect((await receive({ worker: account.worker, path }, hook)).status).toBe(401);
    const otherKey = openWorker({ STORE_CREDENTIALS_KEY: btoa("8".repeat(32)) });
    const lines = await logged(async () => {
      expect((await receive({ ...account, worker: otherKey }, hook)).status).toBe(401);
    });
    expect(lines).toContainEqual(
      expect.objectContaining({ event: "webhook_secret_unreadable", alert: true }),
    );
  });

  test("is counted by the client's address", async () => {
    const limited = openWorker({ ...account.worker.bindings, ADDRESS_LIMITER: env.TEST_LIMITER });
    const hook = await hookOf();
    const statuses = [];
    const headers = { ...header("t=1,v1=0").headers, "cf-connecting-ip": `192.0.2.${seconds() % 250}` };
    for (let nth = 0; nth < 9; nth++)
      statuses.push((await receive({ ...account, worker: limited }, hook, { headers })).status);
    expect(statuses[0]).toBe(401);
    expect(statuses.at(-1)).toBe(429);
  });
});

test("while a secret is replaced, webhooks of either are taken", async () => {
  const secret = account.stripe.rollSecret(account.endpoint);
  const withBoth = await hookOf();
  expect((await receive(account, withBoth)).status).toBe(200);
  await connectWith(account, { webhook_secret: secret });
  expect((await receive(account, await hookOf())).status).toBe(200);
  account.stripe.rollSecret(account.endpoint, 0);
  expect((await receive(account, await hookOf())).status).toBe(401);
});

test("a longer body than the limit is 413, whoever has signed it", async () => {
  const hook = await hookOf({ ...ours(), filler: "x".repeat(1024 * 1024) });
  expect((await receive(account, hook)).status).toBe(413);
});

describe("payments that go on at Stripe", () => {
  test("a debit that arrives is recorded when its webhook comes, late, doubled or out of order", async () => {
    const card = account.stripe.addPaymentMethod(account.customer, "pm_sepaDebit_success").id;
    const id = await subscribed({ ...account, card });
    await shipped(account, id);
    expect(await newestOf(account, id)).toMatchObject({ status: "PROCESSING" });
    const [{ id: intentId }] = intentsOf(account, id) as [Json];
    account.stripe.settle(intentId);
    await arrive(account, { order: "reversed", times: 2 });
    expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED" });
    await expectChargedOnce(account, id);
    const placed = (await actionsOf(id)).filter((action) => action === "billing_succeeded");
    expect(placed).toHaveLength(1);
  });

  test("a challenge that was met on a page is recorded at once", async () => {
    const card = account.stripe.addPaymentMethod(account.customer, "pm_card_authenticationRequired").id;
    const id = await subscribed({ ...account, card });
    await shipped(account, id);
    const [{ id: intentId }] = intentsOf(account, id) as [Json];
    await apiOf(account.stripe).post(`payment_intents/${intentId}/confirm`, {
      payment_method: account.stripe.addPaymentMethod(account.customer).id,
      return_url: "https://shop.example",
    });
    await arrive(account);
    expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED" });
  });
});

describe("refunds that are made at Stripe", () => {
  test("are taken over once, however often and in whatever order their webhooks come", async () => {
    const id = await subscribed(account);
    await shipped(account, id);
    const [{ id: intentId }] = intentsOf(account, id) as [Json];
    account.stripe.refundAtStripe(intentId, 500);
    account.stripe.refundAtStripe(intentId, 250);
    await arrive(account, { times: 2, order: "reversed" });
    const query = { subscription_id: id };
    const { data } = (await api(account.merchant.admin, "GET", "/api/subscriptions/orders", { query })).body;
    expect(data).toMatchObject([{ status: "PARTIALLY_REFUNDED", refunded_amount: 7.5 }]);
  });

  test("of payments for something else are none of ours", async () => {
    const other = { id: "re_1", object: "refund", payment_intent: "pi_1Unknown" };
    expect((await receive(account, await hookOf(other, "refund.created"))).status).toBe(200);
    await account.worker.drain();
    expect(await deliveriesOf(account)).toMatchObject([
      { subject: "pi_1Unknown", done_at: expect.any(String) },
    ]);
  });
});

describe("payment methods that change at Stripe", () => {
  const methodOf = async (id: string): Promise<Json> =>
    (await api(account.merchant.api, "GET", `/api/subscriptions/${id}/payment-method`)).body.data.current;

  test("a renewed card is shown, and what is owed is not tried again for it", async () => {
    const card = account.stripe.addPaymentMethod(account.customer, "pm_card_chargeCustomerFail").id;
    const id = await subscribed({ ...account, card });
    await shipped(account, id);
    await arrive(account);
    const tries = intentsOf(account, id).length;
    expect(await read(account.merchant, id)).toMatchObject({ is_in_dunning: true });
    account.stripe.updateCard(card, { exp_month: 5, exp_year: 2041 });
    await arrive(account, { times: 2 });
    expect(await methodOf(id)).toMatchObject({ exp_month: 5, exp_year: 2041, status: "VALID" });
    expect((await actionsOf(id)).filter((action) => action === "payment_method_changed")).toHaveLength(1);
    expect(intentsOf(account, id)).toHaveLength(tries);
  });

  test("one that the merchant removes there is revoked here", async () => {
    const id = await subscribed(account);
    account.stripe.detachAtStripe(account.card);
    await arrive(account);
    expect(await methodOf(id)).toMatchObject({ status: "REVOKED" });
  });

  test("all of a customer who is deleted there are revoked, and their profile may have another customer", async () => {
    const id = await subscribed(account);
    await apiOf(account.stripe).delete(`customers/${account.customer}`);
    await arrive(account, { times: 2 });
    expect(await methodOf(id)).toMatchObject({ status: "REVOKED" });
    const [{ store_customer_id }] = await select<Json>(
      "SELECT store_customer_id FROM profiles WHERE id = ?",
      account.profileId,
    );
    expect(store_customer_id).toBeNull();
  });
});

describe("an endpoint of this service's own", () => {
  const local = { STRIPE_API_URL: "http://127.0.0.1:28000" };
  const endpoints = () => account.stripe.endpoints().map(({ status }) => status);
  const connection = async (): Promise<Json> =>
    (await account.worker.call(account.merchant.api, "GET", "/api/account/store")).body.data;
  const nightly = (days = 1) =>
    logged(async () => {
      vi.useFakeTimers({ now: Date.now() + days * 25 * 3_600_000, toFake: ["Date"] });
      await account.worker.tick();
      vi.useRealTimers();
    });

  beforeEach(async () => {
    Object.assign(account, await accountOnStripe({ reachesLoopback: true }));
    vi.stubGlobal("fetch", (input: RequestInfo, init?: RequestInit) => {
      const request = new Request(input, init);
      const { pathname, search } = new URL(request.url);
      return account.stripe.fetch(new Request(`https://api.stripe.com${pathname}${search}`, request));
    });
    const { id } = account.merchant.of.account;
    account.worker = openWorker({ STORE_CREDENTIALS_KEY: credentialsKey, ...local }, id);
    const body = { store: "stripe", ...keys };
    const { status } = await account.worker.call(account.merchant.api, "PUT", "/api/account/store", { body });
    expect([status, endpoints()]).toEqual([200, ["enabled"]]);
  });

  test("that still stands is left alone", async () => {
    const [before] = account.stripe.endpoints();
    await nightly();
    expect(account.stripe.endpoints()).toEqual([before]);
  });

  test("that is gone is made again within a day, and its webhooks are taken", async () => {
    const [gone] = account.stripe.endpoints();
    await apiOf(account.stripe).delete(`webhook_endpoints/${gone!.id}`);
    const lines = await nightly();
    expect(lines).toContainEqual(expect.objectContaining({ event: "webhooks_registered" }));
    const [made] = account.stripe.endpoints();
    expect((await connection()).webhook).toBe("ok");
    const path = new URL(made!.url).pathname;
    const hook = await account.stripe.webhookOf(made!.id, "payment_intent.succeeded", ours());
    expect((await receive({ ...account, path }, hook)).status).toBe(200);
  });

  test("that is gone, and that the key may not make any more, is an alert, and said to be missing", async () => {
    const [gone] = account.stripe.endpoints();
    await apiOf(account.stripe).delete(`webhook_endpoints/${gone!.id}`);
    account.stripe.settings.secretKeys.push("rk_test_fake");
    account.stripe.settings.refusedPermissions = new Set(["webhook_endpoints.create"]);
    const body = { store: "stripe", ...keys, secret_key: "rk_test_fake" };
    await account.worker.call(account.merchant.api, "PUT", "/api/account/store", { body });
    const lines = await nightly();
    expect(lines).toContainEqual(expect.objectContaining({ event: "webhooks_missing", alert: true }));
    expect((await connection()).webhook).toBe("missing");
    const again = await nightly(2);
    expect(again).toContainEqual(expect.objectContaining({ event: "webhooks_missing", alert: false }));
  });
});
