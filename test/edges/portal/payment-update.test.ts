/** A customer can have the store mail a link for a new card three times a day, and the history says so. */
import { beforeEach, describe, expect, test } from "vitest";
import { forgetAccount } from "../../../src/base/accounts/queries.ts";
import { subscribed, useShop } from "../../stores/shopify/shop.ts";
import { api, type Caller } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { plain } from "../../support/fake-shopify/ids.ts";
import { customerOf, entriesOf, type Json, openShop, read, refusal, subscribe } from "../../support/shops.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { bearer, token } from "../../support/tenant.ts";

/** A customer asks for the store's own e-mail, with a link by which they replace their payment method. */

const shop = useShop();
let id: string;
let customer: Caller;
beforeEach(async () => {
  shop.store.settings.scopes.push("write_customers");
  await set({ is_enabled: true });
  id = await subscribed(shop);
  const { of } = shop.merchant;
  customer = bearer(await token(of, { actor_type: "customer", name: "Cy", profile_id: shop.profileId }));
});

async function set(body: object): Promise<void> {
  const answer = await shop.worker.call(shop.merchant.api, "PUT", "/api/account/portal", { body });
  if (answer.status !== 200) throw new Error(answer.text);
}

type Sent = { as?: Caller; dry?: boolean; key?: string };

function ask({ as = customer, dry = false, key }: Sent = {}, subscription = id) {
  return shop.worker.call<Json>(as, "POST", `/api/portal/subscriptions/${subscription}/payment-update`, {
    ...(dry ? { query: { dry_run: true } } : {}),
    ...(key === undefined ? {} : { headers: { "Idempotency-Key": key } }),
  });
}

function emails() {
  return shop.store.updateEmails;
}

function requests() {
  return shop.store.requests.filter(({ operation }) => operation === "SendPaymentMethodEmail").length;
}

async function entries(): Promise<Json[]> {
  return (await entriesOf(id)).filter(({ action }) => action.startsWith("payment_update"));
}

test("the store e-mails its customer, and the history and the events say who has asked", async () => {
  const { method } = { method: await methodId() };
  const { updated_at } = await read(shop.merchant, id);
  const { status, body } = await ask();
  expect([status, body]).toEqual([
    200,
    { data: { payment_method_id: method, requested_at: expect.any(String) } },
  ]);
  expect(emails()).toMatchObject([{ method: shop.card, to: "customer@customers.test" }]);
  expect(await entries()).toMatchObject([
    {
      action: "payment_update_requested",
      actor_type: "customer",
      actor_name: "Cy",
      metadata: { payment_method_id: method },
    },
  ]);
  expect((await read(shop.merchant, id)).updated_at).toBe(updated_at);
  const events = await shop.worker.call<Json>(shop.merchant.api, "GET", "/api/events", {
    query: { types: "subscription.payment_update_requested" },
  });
  expect(events.body.data).toMatchObject([{ subscription_id: id, profile_id: shop.profileId }]);
});

test("a dry run sends and records nothing", async () => {
  const before = await rowsOf(shop.merchant.of.account.id);
  const { status, body } = await ask({ dry: true });
  expect([status, body.data.payment_method_id]).toEqual([200, await methodId()]);
  expect(emails()).toEqual([]);
  expect(await rowsOf(shop.merchant.of.account.id)).toBe(before);
});

test("an Idempotency-Key sends it once", async () => {
  const first = await ask({ key: "once" });
  const again = await ask({ key: "once" });
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect(emails()).toHaveLength(1);
});

describe("three a day for each customer", () => {
  test("the fourth is 429, in a dry run too, until a day after the first", async () => {
    const other = await subscribed(shop);
    for (const one of [id, id, other]) expect((await ask({}, one)).status).toBe(200);
    for (const sent of [{}, { dry: true }]) {
      const answer = await ask(sent, other);
      expect(refusal(answer)).toEqual([429, "RATE_LIMITED"]);
      expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(86_000);
    }
    expect(emails()).toHaveLength(3);
    await execute(
      "UPDATE activity_logs SET created_ms = ?, recorded_at = NULL WHERE action = 'payment_update_requested'",
      Date.now() - 86_400_000,
    );
    expect((await ask()).status).toBe(200);
  });

  test("requests at one time do not pass the limit together", async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask()));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(3);
    expect(emails().length).toBeLessThanOrEqual(3);
  });
});

describe("where the store does not send it", () => {
  test("a refusal is 409 and told, and for a day the store is not asked about this payment method again", async () => {
    shop.store.revokePaymentMethod(shop.card);
    const answer = await ask({ key: "refused" });
    expect(refusal(answer)).toEqual([409, "INVALID_STATE"]);
    expect(answer.body.error).toBe(
      "Cannot send a link to replace the payment method: the store has refused to",
    );
    expect(await entries()).toMatchObject([
      { action: "payment_update_requested" },
      {
        action: "payment_update_refused",
        metadata: { error_message: "Customer payment method does not exist" },
      },
    ]);
    for (const sent of [{ key: "refused" }, { dry: true }, {}])
      expect(refusal(await ask(sent))).toEqual([409, "INVALID_STATE"]);
    expect(requests()).toBe(1);
  });

  test("for want of the scope it is noted as missing, and nobody is offered it any more", async () => {
    shop.store.settings.scopes = shop.store.settings.scopes.filter((scope) => scope !== "write_customers");
    expect((await ask({ dry: true })).status).toBe(200);
    expect(refusal(await ask())).toEqual([409, "INVALID_STATE"]);
    expect((await entries()).at(-1)?.metadata.error_message).toBe("The app lacks the scope write_customers");
    const { body } = await shop.worker.call<Json>(shop.merchant.api, "GET", "/api/account");
    expect(body.data.store_missing_scopes).toContain("write_customers");
    expect(refusal(await ask({ dry: true }))).toEqual([409, "INVALID_STATE"]);
    expect(requests()).toBe(1);
  });

  test("a store that takes no requests for a while is a refusal too", async () => {
    shop.store.fail({ kind: "http429", on: "SendPaymentMethodEmail", times: 1 });
    expect(refusal(await ask())).toEqual([409, "INVALID_STATE"]);
    expect((await entries()).at(-1)).toMatchObject({
      action: "payment_update_refused",
      metadata: { codes: ["THROTTLED"] },
    });
    expect((await ask()).status).toBe(200);
  });

  test.each([
    ["timeout", "done", 1],
    ["http500", "none", 0],
  ] as const)(
    "a lost answer (%s, %s) is no refusal, and nothing is asked for again",
    async (kind, effect, sent) => {
      shop.store.fail({ kind, effect, on: "SendPaymentMethodEmail" });
      expect((await ask()).status).toBe(200);
      await shop.worker.drain();
      expect([emails().length, requests()]).toEqual([sent, 1]);
    },
  );

  test("a payment method that was revoked here, and an ended subscription, ask the store for nothing", async () => {
    await execute("UPDATE payment_methods SET status = 'REVOKED' WHERE profile_id = ?", shop.profileId);
    expect(refusal(await ask())).toEqual([409, "INVALID_STATE"]);
    await execute("UPDATE payment_methods SET status = 'EXPIRED' WHERE profile_id = ?", shop.profileId);
    expect((await ask({ dry: true })).status).toBe(200);
    await execute("UPDATE subscriptions SET status = 'CANCELLED' WHERE id = ?", id);
    expect(refusal(await ask())).toEqual([409, "INVALID_STATE"]);
    expect(requests()).toBe(0);
  });
});

test("the sandbox store takes the request, and has nothing to send", async () => {
  const sandbox = await openShop();
  await api(sandbox.api, "PUT", "/api/account/portal", { body: { is_enabled: true } });
  const own = await subscribe(sandbox);
  const path = `/api/portal/subscriptions/${own}/payment-update`;
  expect((await api(sandbox.customer, "POST", path)).status).toBe(200);
  expect((await entriesOf(own)).at(-1)?.action).toBe("payment_update_requested");
  await execute("UPDATE payment_methods SET status = 'REVOKED' WHERE profile_id = ?", sandbox.profileId);
  expect(refusal(await api(sandbox.customer, "POST", path))).toEqual([409, "INVALID_STATE"]);
});

test("another customer's subscription is 404, and a shop that does not let customers is 403", async () => {
  const friend = await customerOf(shop.merchant.of);
  expect(refusal(await ask({ as: friend.customer }))).toEqual([404, "NOT_FOUND"]);
  await set({ can_change_payment_method: false });
  forgetAccount(shop.merchant.of.account.id);
  for (const sent of [{}, { dry: true }]) expect(refusal(await ask(sent))).toEqual([403, "FORBIDDEN"]);
  expect(requests()).toBe(0);
});

test("an installation asks for the scope where customers have a portal to ask in", async () => {
  const { scopesToAskFor } = await import("../../../src/stores/shopify/app/scopes.ts");
  const asked = (portal: object) =>
    scopesToAskFor({ notify_payment_update: 0, portal: JSON.stringify(portal) }).includes("write_customers");
  expect([asked({}), asked({ is_enabled: true })]).toEqual([false, true]);
  expect(asked({ is_enabled: true, can_change_payment_method: false })).toBe(false);
});

async function methodId(): Promise<string> {
  const [row] = await select(
    "SELECT id FROM payment_methods WHERE profile_id = ? AND store_payment_method_id = ?",
    shop.profileId,
    plain(shop.card),
  );
  return String(row?.id);
}
