import { vi } from "vitest";
import { forgetAccount } from "../../../src/base/accounts/queries.ts";
import { connectStripe } from "../../../src/stores/stripe/connect.ts";
import { testDb } from "../../support/database.ts";
import { type FakeStripe, type FakeStripeOptions, newFakeStripe } from "../../support/fake-stripe.ts";
import { openedForEach, subscribedTo } from "../../support/opened-each.ts";
import { inDays, type Json, openShop, type Shop } from "../../support/shops.ts";
import { profile } from "../../support/tenant.ts";
import { openWorker, type TestWorker } from "../../support/worker.ts";

export const credentialsKey = btoa(String.fromCharCode(...new Uint8Array(32).fill(9)));
export const keys = { secret_key: "sk_test_fake", publishable_key: "pk_test_fake" };

/** A merchant whose account is connected to a fake Stripe, with a customer who has a card there. */
export type ConnectedAccount = {
  merchant: Shop;
  worker: TestWorker;
  stripe: FakeStripe;
  customer: string;
  card: string;
  profileId: string;
};

/** `fetch` reaches this account at Stripe alone until the test ends. */
export async function accountOnStripe({
  currency = "EUR",
  ...options
}: FakeStripeOptions & { currency?: string } = {}): Promise<ConnectedAccount> {
  const merchant = await openShop({ currency });
  const stripe = newFakeStripe({ now: () => Date.now(), ...options });
  vi.stubGlobal("fetch", fetchOf(stripe));
  const { account } = merchant.of;
  await connectStripe(testDb(account), credentialsKey, account, keys, new Date().toISOString());
  forgetAccount(account.id);
  const customer = stripe.addCustomer({ email: "ada@example.com" }).id;
  const { id } = await profile(merchant.of, { email: "ada@example.com", store_customer_id: customer });
  return {
    merchant,
    worker: openWorker({ STORE_CREDENTIALS_KEY: credentialsKey }, account.id),
    stripe,
    customer,
    card: stripe.addPaymentMethod(customer).id,
    profileId: id,
  };
}

/** A global `fetch` that reaches Stripe's API and nothing else. */
export function fetchOf(stripe: FakeStripe): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { origin } = new URL(request.url);
    if (origin !== "https://api.stripe.com") throw new Error(`Nobody is at ${origin} in this test`);
    return stripe.fetch(request);
  };
}

/** An account for each test of the file. */
export function useAccount(open: () => Promise<ConnectedAccount> = accountOnStripe): ConnectedAccount {
  return openedForEach(open);
}

/** A subscription of 2 × 10.00, with its contract. */
export async function subscribed(to: ConnectedAccount, more: Json = {}): Promise<string> {
  return subscribedTo(to, {
    profile_id: to.profileId,
    store_payment_method_id: to.card,
    next_delivery_date: inDays(7),
    lines: [
      {
        store_product_id: "kibble",
        store_variant_id: "kibble-2kg",
        product_title: "Kibble",
        selling_plan_id: to.merchant.plan,
        price: 10,
        quantity: 2,
      },
    ],
    ...more,
  });
}
