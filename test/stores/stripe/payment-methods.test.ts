/** A payment method at Stripe is taken only from its own customer, and is shown as Stripe has it. */
import { describe, expect, test, vi } from "vitest";
import { readAccount } from "../../../src/base/accounts/queries.ts";
import { parseEnv } from "../../../src/base/env.ts";
import { openStore } from "../../../src/stores/open.ts";
import type { StoreProfile } from "../../../src/stores/port/payment-methods.ts";
import type { Store } from "../../../src/stores/port.ts";
import { testDb } from "../../support/database.ts";
import { inDays, type Json, read } from "../../support/shops.ts";
import { profile } from "../../support/tenant.ts";
import { subscribed, useAccount } from "./account.ts";
import { newestOf, shipped } from "./charging.ts";

const account = useAccount();

/** The account's store as the domain opens it. */
async function opened(): Promise<Store> {
  const stored = (await readAccount(testDb(), account.merchant.of.account.id))!;
  const realNow = new Date();
  const now = realNow.toISOString();
  const env = parseEnv(account.worker.bindings);
  return openStore({ env, db: testDb(), account: stored, now, realNow, log: () => {} });
}

async function newProfile(values: object = {}): Promise<StoreProfile> {
  return (await profile(account.merchant.of, values)) as unknown as StoreProfile;
}

async function create(profileId: string, method: string, query: Json = {}): Promise<Json> {
  const { status, body } = await account.worker.call(account.merchant.api, "POST", "/api/subscriptions", {
    query,
    body: {
      profile_id: profileId,
      store_payment_method_id: method,
      next_delivery_date: inDays(7),
      lines: [
        {
          store_product_id: "kibble",
          store_variant_id: "kibble-2kg",
          product_title: "Kibble",
          selling_plan_id: account.merchant.plan,
          price: 10,
          quantity: 2,
        },
      ],
    },
  });
  return { status, ...body };
}

describe("a payment method that a request names", () => {
  test("is shown with what Stripe says of it", async () => {
    const id = await subscribed(account);
    expect(await read(account.merchant, id)).toMatchObject({
      payment_method_brand: "visa",
      payment_method_last4: "4242",
    });
  });

  test("of another customer is not known", async () => {
    const other = account.stripe.addCustomer({ email: "bob@example.com" }).id;
    const theirs = account.stripe.addPaymentMethod(other).id;
    expect(await create(account.profileId, theirs)).toMatchObject({
      status: 400,
      errorCode: "UNKNOWN_PAYMENT_METHOD",
    });
  });

  test.each(["pm_none", "../customers", "cus_1", "pm_a/../b"])("%s is not known", async (id) => {
    expect(await create(account.profileId, id)).toMatchObject({ errorCode: "UNKNOWN_PAYMENT_METHOD" });
  });

  test("of nobody becomes the profile's, whose customer is made and charged", async () => {
    const { id } = await newProfile({ first_name: "Grace", last_name: "Hopper" });
    const { status, ids } = await create(id, "pm_card_visa");
    expect(status).toBe(201);
    await account.worker.drain();
    await shipped(account, ids[0]);
    const [charge] = account.stripe.charges();
    expect(charge).toMatchObject({ amount: 2000 });
    expect(await newestOf(account, ids[0])).toMatchObject({ status: "SUCCEEDED" });
    const made = account.stripe.requests.find(({ operation }) => operation === "customers.create");
    expect(made).toMatchObject({
      params: { name: "Grace Hopper", metadata: { profile_id: id } },
      idempotencyKey: `customer:${account.merchant.of.account.id}:${id}`,
    });
  });

  test.each([
    ["2030-05-31T23:59:59.999Z", "VALID"],
    ["2030-06-01T00:00:00.000Z", "EXPIRED"],
  ])("is good until the end of its last month: %s, %s", async (now, status) => {
    account.stripe.updateCard(account.card, { exp_month: 5, exp_year: 2030 });
    vi.useFakeTimers({ now: Date.parse(now), toFake: ["Date"] });
    expect(await (await opened()).findPaymentMethod(account.card)).toMatchObject({ status });
  });

  test("of nobody is left alone by a dry run", async () => {
    const { id } = await newProfile();
    expect((await create(id, "pm_card_visa", { dry_run: true })).status).toBe(200);
    const asked = account.stripe.requests.map(({ operation }) => operation);
    expect(asked).not.toContain("customers.create");
    expect(asked).not.toContain("payment_methods.attach");
  });

  test("that Stripe does not give to a customer is not known", async () => {
    const { id } = await newProfile();
    expect(await create(id, "pm_card_chargeDeclined")).toMatchObject({
      status: 400,
      errorCode: "UNKNOWN_PAYMENT_METHOD",
    });
  });
});

describe("a payment method that is entered", () => {
  test("makes one customer, though the answer was lost", async () => {
    const store = await opened();
    const owner = await newProfile();
    account.stripe.fail({ kind: "network", effect: "done", on: "customers.create" });
    await expect(store.beginPaymentMethod!(owner)).rejects.toThrow();
    await store.beginPaymentMethod!(owner);
    const customers = new Set(
      account.stripe.requests
        .filter(({ operation }) => operation === "setup_intents.create")
        .map(({ params }) => params.customer),
    );
    expect(customers.size).toBe(1);
  });
});
