/** A payment method that is chosen at Shopify becomes the subscription's, and one that is chosen here goes first. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { hookedShop, logged, processAll } from "../../edges/webhooks/hooks.ts";
import { plain } from "../../support/fake-shopify/ids.ts";
import { outcomes } from "../../support/fake-shopify.ts";
import { actionsOf, entriesOf, type Json } from "../../support/shops.ts";
import { gate } from "../../support/slow-database.ts";
import { attemptsOf, episodesOf, shipNow } from "../../support/worker.ts";
import { contractOf } from "./mirrored.ts";
import { subscribed, useShop } from "./shop.ts";

/** Customers replace the payment method of a contract at Shopify, without this service. */

const shop = useShop(hookedShop);
let id: string;
let customer: string;
beforeEach(async () => {
  id = await subscribed(shop);
  await shop.worker.drain();
  await shop.store.webhooks();
  customer = (await contractOf(shop, id)).customer.id;
});

async function methodOf(): Promise<string | undefined> {
  return (await contractOf(shop, id)).method?.id;
}

async function current(): Promise<Json> {
  const { body } = await shop.worker.call(
    shop.merchant.api,
    "GET",
    `/api/subscriptions/${id}/payment-method`,
  );
  return body.data.current;
}

async function choose(method: string): Promise<void> {
  return shop.store.merchant.edit((await contractOf(shop, id)).number, { method: shop.store.method(method) });
}

function put(method: string): Promise<Json> {
  return shop.worker.call(shop.merchant.api, "PUT", `/api/subscriptions/${id}/payment-method`, {
    body: { store_payment_method_id: method },
  });
}

test("a payment method chosen at Shopify becomes the subscription's, and stays the contract's", async () => {
  const other = shop.store.addPaymentMethod(customer);
  await choose(other);
  await processAll(shop);
  await shop.worker.drain();
  expect(await methodOf()).toBe(other);
  expect(await current()).toMatchObject({ store_payment_method_id: plain(other) });
  const [entry] = (await entriesOf(id)).filter(({ action }) => action === "payment_method_changed");
  expect(entry).toMatchObject({ actor_type: "system" });
  expect(entry!.metadata).toMatchObject({ last4: "4242", reason: "changed at the store" });
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain();
  expect(shop.store.charges).toHaveLength(1);
  expect(await methodOf()).toBe(other);
});

test("one chosen just before a billing, whose webhook is lost, is charged and then taken over", async () => {
  const other = shop.store.addPaymentMethod(customer);
  await choose(other);
  await shop.store.webhooks();
  shop.store.method(shop.card).outcome = outcomes.payment("CARD_DECLINED");
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain();
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
  expect(await methodOf()).toBe(other);
  expect(await current()).toMatchObject({ store_payment_method_id: plain(other) });
});

test("what is owed is tried at once with the one chosen at Shopify", async () => {
  shop.store.method(shop.card).outcome = outcomes.payment("EXPIRED_CARD");
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain();
  expect(await episodesOf(shop.merchant, id)).toMatchObject([{ status: "AWAITING_CUSTOMER" }]);
  await choose(shop.store.addPaymentMethod(customer));
  await processAll(shop);
  await shop.worker.drain();
  expect(await episodesOf(shop.merchant, id)).toMatchObject([{ status: "RECOVERED" }]);
  expect(shop.store.charges).toHaveLength(1);
});

test("choices at Shopify are charged at once while the hour allows another attempt; the next is taken over, and dunning tries it", async () => {
  shop.store.method(shop.card).outcome = outcomes.payment("EXPIRED_CARD");
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain();
  for (let nth = 0; nth < 4; nth++) {
    const declined = shop.store.addPaymentMethod(customer);
    shop.store.method(declined).outcome = outcomes.payment("EXPIRED_CARD");
    await choose(declined);
    await processAll(shop);
    await shop.worker.drain();
  }
  expect(await attemptsOf(shop.merchant, id)).toHaveLength(5);
  const good = shop.store.addPaymentMethod(customer);
  await choose(good);
  await processAll(shop);
  await shop.worker.drain();
  expect(await current()).toMatchObject({ store_payment_method_id: plain(good) });
  expect(await attemptsOf(shop.merchant, id)).toHaveLength(5);
  expect(await episodesOf(shop.merchant, id)).toMatchObject([
    { status: "OPEN", next_retry_at: expect.any(String) },
  ]);
  expect(shop.store.charges).toEqual([]);
});

describe("a change here", () => {
  test("goes first where both have changed", async () => {
    const [ours, theirs] = [shop.store.addPaymentMethod(customer), shop.store.addPaymentMethod(customer)];
    await choose(theirs);
    expect((await put(ours)).status).toBe(200);
    await processAll(shop);
    await shop.worker.drain();
    expect(await methodOf()).toBe(ours);
    expect(await current()).toMatchObject({ store_payment_method_id: plain(ours) });
  });

  test("that arrives late, after it was undone, is not mistaken for the customer's choice", async () => {
    const other = shop.store.addPaymentMethod(customer);
    shop.store.fail({ kind: "network", effect: "late", times: 1, on: "CommitDraft" });
    await put(other);
    await shop.worker.drain({ soon: false });
    await put(shop.card);
    vi.useFakeTimers({ now: Date.now() + 5 * 60_000, toFake: ["Date"] });
    await shop.worker.tick();
    expect(await methodOf()).toBe(shop.card);
    await shop.store.arriveLate();
    expect(await methodOf()).toBe(other);
    await processAll(shop);
    await shop.worker.drain();
    expect(await methodOf()).toBe(shop.card);
    expect(await current()).toMatchObject({ store_payment_method_id: plain(shop.card) });
  });

  test("that is made while the contract is synced is sent by the next sync, though its message is lost", async () => {
    const [first, last] = [shop.store.addPaymentMethod(customer), shop.store.addPaymentMethod(customer)];
    await put(first);
    const { pass, reached, open } = gate();
    const store = fetch;
    vi.stubGlobal("fetch", async (...[input, init]: Parameters<typeof fetch>) => {
      const answer = await store(input, init);
      if (String(init?.body).includes("CommitDraft")) await pass();
      return answer;
    });
    const synced = shop.worker.drain();
    await reached;
    vi.stubGlobal("fetch", store);
    expect((await put(last)).status).toBe(200);
    shop.worker.forget();
    open();
    await synced;
    expect(await methodOf()).toBe(first);
    vi.useFakeTimers({ now: Date.now() + 5 * 60_000, toFake: ["Date"] });
    await shop.worker.tick();
    expect(await methodOf()).toBe(last);
    expect(await current()).toMatchObject({ store_payment_method_id: plain(last) });
    const changed = (await actionsOf(id)).filter((action) => action === "payment_method_changed");
    expect(changed).toHaveLength(2);
    await shipNow(shop.merchant, shop.worker, id);
    await shop.worker.drain();
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
  });

  test("after the customer's choice was taken over is sent as any other", async () => {
    await choose(shop.store.addPaymentMethod(customer));
    await processAll(shop);
    await shop.worker.drain();
    await put(shop.card);
    await shop.worker.drain();
    expect(await methodOf()).toBe(shop.card);
    expect(await current()).toMatchObject({ store_payment_method_id: plain(shop.card) });
  });
});

test("two choices in a row: the last one stays", async () => {
  const [first, last] = [shop.store.addPaymentMethod(customer), shop.store.addPaymentMethod(customer)];
  await choose(first);
  await processAll(shop);
  await choose(last);
  await processAll(shop);
  await shop.worker.drain();
  expect(await methodOf()).toBe(last);
  expect(await current()).toMatchObject({ store_payment_method_id: plain(last) });
});

test("where the payment method here was revoked, its replacement at Shopify is taken over", async () => {
  const other = shop.store.addPaymentMethod(customer);
  shop.store.revokePaymentMethod(shop.card);
  await choose(other);
  await processAll(shop);
  await shop.worker.drain();
  expect(await current()).toMatchObject({ store_payment_method_id: plain(other), status: "VALID" });
});

test("a payment method that is revoked at Shopify is no choice: the subscription's own is sent again", async () => {
  const other = shop.store.addPaymentMethod(customer);
  await choose(other);
  shop.store.revokePaymentMethod(other);
  await processAll(shop);
  await shop.worker.drain();
  expect(await methodOf()).toBe(shop.card);
});

test("one of another customer is left alone at Shopify, and reported", async () => {
  const stranger = shop.store.addPaymentMethod(shop.store.addCustomer({ email: "stranger@customers.test" }));
  await choose(stranger);
  const lines = await logged(async () => {
    await processAll(shop);
    await shop.worker.drain();
  });
  expect(lines).toContainEqual(
    expect.objectContaining({ event: "payment_method_not_taken_over", alert: true, subscription_id: id }),
  );
  expect(await methodOf()).toBe(stranger);
  expect(await current()).toMatchObject({ store_payment_method_id: plain(shop.card) });
});
