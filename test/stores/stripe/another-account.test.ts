/** A subscription goes on at another account of Stripe with the cards that are there. */
import { expect, test, vi } from "vitest";
import { select } from "../../support/database.ts";
import { newFakeStripe } from "../../support/fake-stripe.ts";
import { inDays, type Json } from "../../support/shops.ts";
import { attemptsOf, episodesOf, shipNow } from "../../support/worker.ts";
import { fetchOf, keys, subscribed, useAccount } from "./account.ts";

/** An account leaves its account at Stripe for another one, which has none of its customers. */

const account = useAccount();

const call = (method: string, path: string, body?: object) =>
  account.worker.call<Json>(account.merchant.api, method, path, body ? { body } : {});

async function customerOfProfile(): Promise<string | null> {
  const [profile] = await select<{ store_customer_id: string | null }>(
    "SELECT store_customer_id FROM profiles WHERE id = ?",
    account.profileId,
  );
  return profile!.store_customer_id;
}

async function leave(): Promise<void> {
  const id = await subscribed(account);
  expect((await call("POST", `/api/subscriptions/${id}/cancel`, {})).status).toBe(200);
  expect((await call("DELETE", "/api/account/store")).status).toBe(204);
}

async function connect(): Promise<void> {
  expect((await call("PUT", "/api/account/store", { store: "stripe", ...keys })).status).toBe(200);
}

/** A fake that has nothing of the first. */
async function move() {
  await leave();
  const other = newFakeStripe({ now: () => Date.now(), random: Math.random });
  other.settings.accountId = "acct_another";
  vi.stubGlobal("fetch", fetchOf(other));
  await connect();
  return other;
}

async function create(card: string): Promise<string> {
  const made = await call("POST", "/api/subscriptions", {
    profile_id: account.profileId,
    store_payment_method_id: card,
    next_delivery_date: inDays(7),
    lines: [
      {
        store_product_id: "kibble",
        store_variant_id: "kibble-2kg",
        product_title: "Kibble",
        selling_plan_id: account.merchant.plan,
        price: 10,
        quantity: 1,
      },
    ],
  });
  expect(made.status).toBe(201);
  await account.worker.drain();
  return made.body.ids[0];
}

test("a payment method that belongs to nobody there is given to a new customer, who is charged", async () => {
  const other = await move();
  const id = await create("pm_card_visa");
  const customer = await customerOfProfile();
  expect(customer).not.toBe(account.customer);
  expect((await shipNow(account.merchant, account.worker, id)).status).toBe(200);
  await account.worker.drain();
  expect(await attemptsOf(account.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
  expect(other.intents()).toMatchObject([{ customer, status: "succeeded" }]);
});

test("a payment method of a customer there with the profile's e-mail address links the profile to them", async () => {
  const other = await move();
  const customer = other.addCustomer({ email: "ada@example.com" }).id;
  await create(other.addPaymentMethod(customer).id);
  expect(await customerOfProfile()).toBe(customer);
});

test("a payment method from before charges nobody there, and dunning waits for another", async () => {
  const other = await move();
  const id = await create(account.card);
  expect((await shipNow(account.merchant, account.worker, id)).status).toBe(200);
  await account.worker.drain();
  expect(await attemptsOf(account.merchant, id)).toMatchObject([
    { status: "FAILED", error_code: "resource_missing" },
  ]);
  expect(await episodesOf(account.merchant, id)).toMatchObject([{ status: "AWAITING_CUSTOMER" }]);
  expect(other.intents()).toEqual([]);
});

test("the same account at Stripe, connected again, has its customers still", async () => {
  await leave();
  await connect();
  await create("pm_card_visa");
  expect(await customerOfProfile()).toBe(account.customer);
});
