import { vi } from "vitest";
import { forgetAccount } from "../../../src/base/accounts/queries.ts";
import { connectShopify } from "../../../src/stores/shopify/app/connect.ts";
import { registrable } from "../../../src/stores/shopify/topics.ts";
import { api } from "../../support/client.ts";
import { execute, testDb } from "../../support/database.ts";
import { plain } from "../../support/fake-shopify/ids.ts";
import {
  type FakeShopify,
  type FakeShopifyOptions,
  fakeShopify,
  fetchOf,
} from "../../support/fake-shopify.ts";
import { openedForEach, subscribedTo } from "../../support/opened-each.ts";
import { address, inDays, type Json, openShop, type Shop } from "../../support/shops.ts";
import { profile } from "../../support/tenant.ts";
import { openWorker, type TestWorker } from "../../support/worker.ts";

export const credentialsKey = btoa(String.fromCharCode(...new Uint8Array(32).fill(9)));
export const token = "shpat_test";
export const webhooksUri = "https://perennial.test/webhooks/shopify";

/** A merchant connected to a fake Shopify store, with a customer who has a card there. */
export type ConnectedShop = {
  merchant: Shop;
  worker: TestWorker;
  store: FakeShopify;
  card: string;
  profileId: string;
  plan: string;
};

export type Points = FakeShopifyOptions["points"];

/** `fetch` reaches this shop's store alone until the test ends; its plans have all been sent there. `points` replaces the bucket of a usual plan. */
export async function shopOnShopify(points?: Points): Promise<ConnectedShop> {
  const merchant = await openShop({ currency: "EUR" });
  const shop = merchant.of.account.shop;
  const store = fakeShopify({
    shop,
    token,
    currency: "EUR",
    now: () => Date.now(),
    ...(points ? { points } : {}),
  });
  vi.stubGlobal("fetch", fetchOf(store));
  await connectShopify(testDb(), credentialsKey, merchant.of.account, { token }, new Date().toISOString());
  forgetAccount(merchant.of.account.id);
  await isSetUp(merchant);
  store.subscribe(webhooksUri, registrable);
  const customer = store.addCustomer();
  const { id } = await profile(merchant.of, { ...address, store_customer_id: plain(customer) });
  const plan = "4401";
  store.addPlanGroup({
    plans: [
      {
        id: `gid://shopify/SellingPlan/${plan}`,
        name: "Weekly",
        billing: { interval: "WEEK", intervalCount: 1 },
      },
    ],
  });
  await store.webhooks();
  await plansSent(merchant);
  await api(merchant.of, "POST", "/api/subscriptions/selling-plans", {
    body: {
      id: plan,
      name: "Weekly",
      billing_interval: "WEEK",
      billing_interval_count: 1,
      shipping_amount: 4.9,
    },
  });
  return {
    merchant,
    worker: openWorker({ STORE_CREDENTIALS_KEY: credentialsKey }, merchant.of.account.id),
    store,
    card: store.addPaymentMethod(customer),
    profileId: id,
    plan,
  };
}

/** All plans of the account are at its store, or need not be. */
export function plansSent({ of }: Shop): Promise<unknown> {
  return execute(
    "UPDATE selling_plan_syncs SET next_action_at = NULL WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    of.account.id,
  );
}

/** The store has been set up, and the night in which that is compared is not a matter of the test. */
export function isSetUp({ of }: Shop): Promise<unknown> {
  return execute(
    "UPDATE shopify_connections SET next_action_at = NULL WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    of.account.id,
  );
}

/** A shop for each test of the file. */
export function useShop(open: () => Promise<ConnectedShop> = shopOnShopify): ConnectedShop {
  return openedForEach(open);
}

/** A subscription of 2 × 10.00 and 4.90 for delivery, with its contract at the store. */
export async function subscribed(to: ConnectedShop, more: Json = {}): Promise<string> {
  return subscribedTo(to, {
    profile_id: to.profileId,
    store_payment_method_id: to.card,
    next_delivery_date: inDays(7),
    lines: [
      {
        store_product_id: "31001",
        store_variant_id: "41001",
        product_title: "Kibble",
        selling_plan_id: to.plan,
        price: 10,
        quantity: 2,
      },
    ],
    ...more,
  });
}
