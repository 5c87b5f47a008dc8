/** A contract that its merchant or the checkout has changed at Shopify is followed, even after silence. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { markContractChanged } from "../../../src/domain/contracts/outbox.ts";
import { hookedShop, processAll } from "../../edges/webhooks/hooks.ts";
import { ctxOn } from "../../support/ctx.ts";
import { select, testDb } from "../../support/database.ts";
import { deliver, type Json, read } from "../../support/shops.ts";
import { attemptsOf, shipNow } from "../../support/worker.ts";
import { contractOf, expectMirrored } from "./mirrored.ts";
import { subscribed, useShop } from "./shop.ts";
import { soldAtCheckout } from "./sold.ts";

/** Merchants change contracts at the store, and things go wrong there, while the subscription goes its own way. */

const shop = useShop(hookedShop);
let id: string;
beforeEach(async () => {
  id = await subscribed(shop);
  await shop.store.webhooks();
});

async function asked(method: string, path: string, body?: Json): Promise<Json> {
  const options = body === undefined ? {} : { body };
  return shop.worker.call(shop.merchant.api, method, `/api/subscriptions/${id}/${path}`, options);
}

function laterBy(minutes: number): void {
  vi.useFakeTimers({ now: Date.now() + minutes * 60_000, toFake: ["Date"] });
}

async function noticed(minutes: number): Promise<void> {
  laterBy(minutes);
  const { store_contract_id } = await read(shop.merchant, id);
  const realNow = new Date().toISOString();
  await markContractChanged(ctxOn(testDb(), shop.merchant.of.account, { realNow }), store_contract_id);
  await shop.worker.tick(Date.now() + 1000);
}

function line(variant: string): Json {
  return {
    store_product_id: "31002",
    store_variant_id: variant,
    product_title: "Treats",
    selling_plan_id: shop.plan,
    price: 5,
    quantity: 1,
  };
}

describe("a store that did not answer a while ago", () => {
  beforeEach(async () => {
    shop.store.fail({ kind: "network", effect: "none", times: 1, on: "ContractState" });
    await asked("POST", "lines", line("41002"));
    await shop.worker.drain();
    await noticed(5);
    await expectMirrored(shop, id);
  });

  test("a merchant's cancel still ends the subscription, and nothing is charged", async () => {
    shop.store.merchant.cancel((await contractOf(shop, id)).number);
    await noticed(5);
    expect(await read(shop.merchant, id)).toMatchObject({ status: "CANCELLED" });
    expect((await shipNow(shop.merchant, shop.worker, id)).status).toBe(409);
    expect(shop.store.contracts()).toHaveLength(1);
  });

  test("a merchant's pause still pauses it", async () => {
    shop.store.merchant.pause((await contractOf(shop, id)).number);
    await noticed(5);
    expect(await read(shop.merchant, id)).toMatchObject({ status: "PAUSED" });
  });
});

test("ship-now right after resume, before the store knows of it, is charged without dunning", async () => {
  await asked("POST", "pause", {});
  await shop.worker.drain();
  await asked("POST", "resume", {});
  shop.worker.forget();
  await shipNow(shop.merchant, shop.worker, id);
  shop.worker.forget();
  const [{ id: attempt_id }] = (await attemptsOf(shop.merchant, id)) as [Json];
  const { bindings } = shop.worker;
  await deliver([{ type: "charge", account_id: shop.merchant.of.account.id, attempt_id }], { bindings });
  expect(await read(shop.merchant, id)).toMatchObject({ is_in_dunning: false });
  await shop.worker.drain();
  laterBy(3);
  await shop.worker.tick();
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
  expect(shop.store.charges).toHaveLength(1);
});

test("a subscription paused at the store just before its billing is paused, without a failed payment", async () => {
  shop.store.merchant.pause((await contractOf(shop, id)).number);
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain();
  expect(await read(shop.merchant, id)).toMatchObject({ status: "PAUSED", is_in_dunning: false });
  laterBy(80);
  for (let times = 0; times < 3; times++) await shop.worker.tick();
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "CANCELLED" }]);
  expect(shop.store.charges).toEqual([]);
});

test.each(["", "a b", "x/../y", "a".repeat(200)])(
  "a payment method's id that cannot be one, %j: 400",
  async (ending) => {
    const { status, body } = await asked("PUT", "payment-method", {
      store_payment_method_id: `gid://shopify/CustomerPaymentMethod/${ending}`,
    });
    expect([status, body.errorCode]).toEqual([400, "UNKNOWN_PAYMENT_METHOD"]);
  },
);

test("a line with ids that Shopify cannot have is reported in the subscription, and its payment fails", async () => {
  await asked("POST", "lines", line("treats-small"));
  await shop.worker.drain();
  expect((await read(shop.merchant, id)).store_sync_error).toContain("treats-small");
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain();
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "FAILED", error_code: "invalid_id" }]);
  expect(shop.store.charges).toEqual([]);
});

test("a change made while the store refuses is sent at once, not after the delay of the refusal", async () => {
  shop.store.unknownVariants.add("gid://shopify/ProductVariant/41404");
  await asked("POST", "lines", line("41404"));
  const answer = shop.store.fetch;
  let isAsked = false;
  shop.store.fetch = async (request) => {
    const text = await request.clone().text();
    const answered = await answer(request);
    if (!isAsked && text.includes("mutation AddDraftLine")) {
      isAsked = true;
      await asked("POST", "cancel", {});
    }
    return answered;
  };
  await shop.worker.drain();
  await expectMirrored(shop, id);
  expect((await read(shop.merchant, id)).status).toBe("CANCELLED");
});

test("a payment method that the store has replaced is not sent again, and the replacement is charged", async () => {
  const contract = await contractOf(shop, id);
  const other = shop.store.addPaymentMethod(contract.customer.id);
  shop.store.revokePaymentMethod(shop.card);
  shop.store.merchant.edit(contract.number, { method: shop.store.method(other) });
  await processAll(shop);
  await shop.worker.drain();
  expect((await read(shop.merchant, id)).store_sync_error).toBeNull();
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain();
  expect((await contractOf(shop, id)).method?.id).toBe(other);
  expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
});

describe("a contract of the checkout", () => {
  test("with local delivery keeps it", async () => {
    const contract = shop.store.contract(soldAtCheckout(shop));
    const { shipping } = contract.deliveryMethod as Json;
    Object.assign(contract, { deliveryMethod: { localDelivery: { address: shipping.address } } });
    await processAll(shop);
    await shop.worker.drain();
    expect(contract.deliveryMethod).toHaveProperty("localDelivery");
  });

  test("becomes a separate subscription, whatever mark it carries", async () => {
    const contract = shop.store.contract(soldAtCheckout(shop));
    contract.customAttributes = [{ key: "perennial_subscription_id", value: id }];
    await processAll(shop);
    await shop.worker.drain();
    const its = await select<Json>(
      "SELECT id FROM subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND store_contract_id = ?",
      shop.merchant.of.account.id,
      contract.number,
    );
    expect(its).toHaveLength(1);
    expect(its[0].id).not.toBe(id);
  });
});
