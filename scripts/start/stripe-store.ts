import { insertAccount } from "../../src/base/accounts/actions.ts";
import { hashOfKey } from "../../src/base/accounts/api-key.ts";
import { readEntry } from "../../src/base/accounts/queries.ts";
import { defaultSettings } from "../../src/base/accounts/settings.ts";
import { apiKeys, type ForeignAccount } from "../../src/base/accounts/tables.ts";
import { commit } from "../../src/base/db/commit.ts";
import type { Db } from "../../src/base/db/port.ts";
import { build, statement } from "../../src/base/db/statement.ts";
import { demoId } from "../../src/base/demo.ts";
import { dayMs } from "../../src/base/lib/time/durations.ts";
import { root } from "../paths.ts";
import { type ServedStripe, serveFakeStripe } from "../stripe-fake/serve.ts";

/** A second account, beside the demo store, whose store is the fake Stripe account of the tests. Local only. */
export const stripeShop = "stripe-demo.myshopify.com";
export const stripeKey = `prnl_${demoId("api_key", 2)}_stripe-demo-local-key-never-used-elsewhere03LEXCA`;

/**
 * Serves the fake account, and makes ours where there is none. The fake keeps its records beside the local database, so that its customers
 * and cards are there for as long as our subscriptions are.
 */
export async function openStripeStore(db: Db, now: Date): Promise<ServedStripe> {
  const served = await serveFakeStripe({ file: `${root}.wrangler/state/stripe-fake` });
  await openStripeAccount(db, now);
  return served;
}

export async function openStripeAccount(db: Db, now: Date): Promise<void> {
  if (!(await readEntry(db, { shop: stripeShop }))) await createAccount(db, now.toISOString());
}

async function createAccount(db: Db, now: string): Promise<void> {
  const account: ForeignAccount = {
    ...defaultSettings,
    id: demoId("account", 2),
    name: "Stripe Demo",
    shop: stripeShop,
    timezone: "Europe/Berlin",
    currency_code: "EUR",
    portal: JSON.stringify({ is_enabled: true, support_email: "help@stripe-demo.example" }),
    created_at: now,
    updated_at: now,
  };
  const key = {
    id: demoId("api_key", 2),
    name: "demo",
    key_hash: await hashOfKey(stripeKey),
    created_at: now,
  };
  const [{ rows }] = await commit({ db }, [insertAccount(account)]);
  const { seq } = rows[0]!;
  await commit({ db }, [statement(build.insert(apiKeys).values({ account_seq: seq, ...key }))]);
}

/** The customers, and how the test card of each behaves: https://docs.stripe.com/testing */
const customers = [
  { name: "Ada", card: "pm_card_visa", does: "her card is charged" },
  { name: "Bo", card: "pm_card_authenticationRequired", does: "his bank asks for him (3-D Secure)" },
  { name: "Cy", card: "pm_card_chargeCustomerFail", does: "their card is declined" },
] as const;

export type Subscribed = { name: string; does: string; id: string };

/** Connects the account, and subscribes its customers where they are not: with the operations that a merchant would call. */
export async function openStripeShop(address: string, { fake }: ServedStripe): Promise<Subscribed[]> {
  const call = apiOf(address);
  const made: Subscribed[] = [];
  const { access_token } = await call("POST", "/api/auth/token", { actor_type: "admin", name: "Ada" });
  const asAdmin = { Authorization: `Bearer ${access_token}` };
  const { secretKeys, publishableKey: publishable_key } = fake.settings;
  await call("PUT", "/api/account/store", { store: "stripe", secret_key: secretKeys[0], publishable_key });
  await call("POST", "/api/subscriptions/selling-plans", monthly).catch(() => {});
  for (const { name, card, does } of customers) {
    const email = `${name.toLowerCase()}@stripe-demo.example`;
    const found = await call("GET", `/api/profiles?search=${email}`, undefined, asAdmin);
    const profile_id =
      found.data[0]?.id ??
      (await call("POST", "/api/profiles", { email, first_name: name }, asAdmin)).data.id;
    const had = await call("GET", `/api/subscriptions?profile_id=${profile_id}`, undefined, asAdmin);
    const id =
      had.data[0]?.id ?? (await call("POST", "/api/subscriptions", kibbleFor(profile_id, card))).ids[0];
    made.push({ name, does, id });
  }
  return made;
}

const monthly = {
  id: "plan-monthly",
  name: "Every month",
  billing_interval: "MONTH",
  billing_interval_count: 1,
};

function kibbleFor(profile_id: string, store_payment_method_id: string) {
  return {
    profile_id,
    store_payment_method_id,
    next_delivery_date: new Date(Date.now() + 30 * dayMs).toISOString().slice(0, 10),
    lines: [
      {
        ...{ store_product_id: "product-1", store_variant_id: "variant-1", product_title: "Beef and carrot" },
        ...{ selling_plan_id: monthly.id, price: 39.95, quantity: 1 },
      },
    ],
  };
}

type Answer = { access_token?: string; ids: [string, ...string[]]; data: { id: string } & { id: string }[] };

function apiOf(address: string) {
  return async (method: string, path: string, body?: object, headers: object = {}): Promise<Answer> => {
    const response = await fetch(address + path, {
      method,
      headers: { "X-API-Key": stripeKey, "Content-Type": "application/json", ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response.json() as Promise<Answer>;
  };
}
