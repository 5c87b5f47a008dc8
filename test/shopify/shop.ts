import { afterEach, beforeEach, vi } from "vitest";
import { forgetAccount } from "../../src/accounts/queries.ts";
import { connectShopify } from "../../src/store/shopify/connect.ts";
import { api } from "../support/client.ts";
import { testDb } from "../support/database.ts";
import { type FakeShopify, type FakeShopifyOptions, fakeShopify, fetchOf } from "../support/fake-shopify.ts";
import { address, inDays, type Json, type Life, life } from "../support/lives.ts";
import { type Machine, machine } from "../support/machine.ts";
import { profile } from "../support/tenant.ts";

export const credentialsKey = btoa(String.fromCharCode(...new Uint8Array(32).fill(9)));
export const token = "shpat_test";

/** A merchant connected to a fake Shopify store, with a customer who has a card there. */
export type Shop = {
  own: Life;
  worker: Machine;
  store: FakeShopify;
  card: string;
  profileId: string;
  plan: string;
};

export type Points = FakeShopifyOptions["points"];

/** `fetch` reaches this shop's store alone until the test ends. `points` replaces the bucket of a usual plan. */
export const shopOnShopify = async (points?: Points): Promise<Shop> => {
  const own = await life({ currency: "EUR" });
  const shop = own.of.account.shop;
  const store = fakeShopify({
    shop,
    token,
    currency: "EUR",
    now: () => Date.now(),
    ...(points ? { points } : {}),
  });
  vi.stubGlobal("fetch", fetchOf(store));
  await connectShopify(testDb(), credentialsKey, own.of.account, { token }, new Date().toISOString());
  forgetAccount(own.of.account.id);
  const customer = store.addCustomer();
  const { id } = await profile(own.of, { ...address, store_customer_id: customer });
  const plan = "4401";
  await api(own.of, "POST", "/api/subscriptions/selling-plans", {
    body: {
      id: plan,
      name: "Weekly",
      billing_interval: "WEEK",
      billing_interval_count: 1,
      shipping_amount: 4.9,
    },
  });
  return {
    own,
    worker: machine({ STORE_CREDENTIALS_KEY: credentialsKey }),
    store,
    card: store.addPaymentMethod(customer),
    profileId: id,
    plan,
  };
};

/** Opens a shop for each test of the file. The real clock and `fetch` are back after each test. */
export const useShop = (open: () => Promise<Shop> = shopOnShopify): Shop => {
  const shop = {} as Shop;
  beforeEach(async () => {
    Object.assign(shop, await open());
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  return shop;
};

/** A subscription of 2 × 10.00 and 4.90 for delivery, with its contract at the store. */
export const subscribed = async (
  { own, worker, card, profileId, plan }: Shop,
  more: Json = {},
): Promise<string> => {
  const { status, text, body } = await worker.call(own.api, "POST", "/api/subscriptions", {
    body: {
      profile_id: profileId,
      store_payment_method_id: card,
      next_delivery_date: inDays(7),
      lines: [
        {
          store_product_id: "31001",
          store_variant_id: "41001",
          product_title: "Kibble",
          selling_plan_id: plan,
          price: 10,
          quantity: 2,
        },
      ],
      ...more,
    },
  });
  if (status !== 201) throw new Error(text);
  await worker.drain();
  return body.ids[0];
};
