import { afterAll, describe, expect, test, vi } from "vitest";
import type { Job } from "../../src/job.ts";
import { newId } from "../../src/lib/ids.ts";
import { topics } from "../../src/store/shopify/topics.ts";
import { contractOf } from "../shopify/mirrored.ts";
import { subscribed } from "../shopify/shop.ts";
import { select } from "../support/database.ts";
import { type Outcome, outcomes, type Webhook } from "../support/fake-shopify.ts";
import { type Case, doesNotGrow, grow, readsOfJobs } from "../support/growth.ts";
import { done } from "../support/lives.ts";
import { shipNow } from "../support/machine.ts";
import type { Read } from "../support/slow-database.ts";
import { profile } from "../support/tenant.ts";
import { hookedShop, type Shop, sendAccepted } from "../webhooks/hooks.ts";

/** What is asked of a store here in a second would empty its bucket. */
const ample = { maximum: 1e9, restoreRate: 1e9 };

let shop: Shop;
afterAll(() => {
  vi.unstubAllGlobals();
});

const customer = (): string => shop.store.method(shop.card).customer.id;
const waiting = (type: Job["type"]): Job[] => shop.worker.sent().filter((job) => job.type === type);

/** The newest webhook of this topic. */
const newest = async (topic: string): Promise<Webhook> => {
  const hook = (await shop.store.webhooks()).findLast((one) => one.topic === topic);
  if (!hook) throw new Error(`Nothing has happened that is ${topic}`);
  return hook;
};

/** Processes the webhooks of this topic. */
const workedOn = async (topic: string): Promise<void> => {
  await sendAccepted(shop, await newest(topic));
  await shop.worker.drain();
};

/** A contract at the store that is a subscription's. */
const contract = async (): Promise<string> => (await contractOf(shop, await subscribed(shop))).id;

const sold = async (more: object = {}): Promise<string> =>
  shop.store.addOrder({ customer: customer(), total: 2490, contracts: [await contract()], ...more });

/** An order that is known here. */
const knownOrder = async (more: object = {}): Promise<string> => {
  const order = await sold(more);
  await workedOn("orders/create");
  return order;
};

const sentOrder = async (): Promise<string> => {
  const order = await knownOrder();
  shop.store.fulfill(order, { part: true });
  return order;
};

const knownGroup = async (): Promise<string> => {
  const group = shop.store.addPlanGroup({ plans: [{}] });
  await workedOn("selling_plan_groups/create");
  return group;
};

/** A customer with a subscription, and with nothing else. */
const subscriber = async (): Promise<{ id: string; card: string }> => {
  const id = shop.store.addCustomer();
  const card = shop.store.addPaymentMethod(id);
  const { id: profileId } = await profile(shop.own.of, { store_customer_id: id });
  await subscribed({ ...shop, card, profileId });
  return { id, card };
};
const payingCard = async (): Promise<string> => (await subscriber()).card;

const checkout = (): string =>
  shop.store.checkoutContract({
    customer: customer(),
    method: shop.card,
    lines: [
      {
        productVariantId: "gid://shopify/ProductVariant/41001",
        quantity: 1,
        currentPrice: "10.00",
        sellingPlanId: "gid://shopify/SellingPlan/4401",
        sellingPlanName: "Weekly",
      },
    ],
  });

/** The webhook of an attempt whose charge was requested. */
const attempted = (outcome: Outcome) => async (topic: string) => {
  const id = await subscribed(shop);
  shop.store.nextOutcomes(outcome);
  await shipNow(shop.own, shop.worker, id);
  const [row] = await select<{ store_key: string }>(
    "SELECT store_key FROM billing_attempts WHERE subscription_id = ?",
    id,
  );
  return shop.store.webhookOf(topic, { idempotency_key: row?.store_key });
};

const ended = async (topic: string): Promise<Webhook> =>
  shop.store.webhookOf(topic, { admin_graphql_api_id: await contract() });

/** A customer asks for their data, or for its erasure. */
const compliance = async (topic: string): Promise<Webhook> => {
  const { id } = await subscriber();
  return shop.store.webhookOf(topic, {
    shop_id: 1,
    shop_domain: shop.own.of.account.shop,
    customer: { id: Number(id.split("/").at(-1)) },
    ...(topic === "customers/redact" ? { orders_to_redact: [] } : { data_request: { id: 1 } }),
  });
};

/** What happens at the store, by the topics of the webhooks that follow. */
const orderEvents: Record<string, () => unknown> = {
  "subscription_contracts/create": checkout,
  "subscription_contracts/update": async () =>
    shop.store.merchant.edit(await contract(), { note: "Ring twice" }),
  "subscription_contracts/activate": async () => {
    const id = await contract();
    shop.store.merchant.pause(id);
    await workedOn("subscription_contracts/pause");
    shop.store.merchant.activate(id);
  },
  "subscription_contracts/pause": async () => shop.store.merchant.pause(await contract()),
  "subscription_contracts/cancel": async () => shop.store.merchant.cancel(await contract()),
  "orders/create": () => sold(),
  "orders/updated": async () => shop.store.refund(await knownOrder(), 100),
  "orders/paid": async () => shop.store.payOrder(await knownOrder({ paid: false })),
  "orders/cancelled": async () => shop.store.cancelOrder(await knownOrder()),
  "orders/fulfilled": async () => shop.store.fulfill(await knownOrder()),
  "orders/partially_fulfilled": () => sentOrder(),
  "refunds/create": async () => shop.store.refund(await knownOrder(), 100),
  "fulfillments/create": async () => shop.store.fulfill(await knownOrder()),
  "fulfillments/update": async () =>
    shop.store.track(await sentOrder(), { company: "DHL", number: newId(), url: "https://dhl.test/1" }),
  "customer_payment_methods/create": () => shop.store.createPaymentMethod(customer()),
  "customer_payment_methods/update": async () =>
    shop.store.replaceInstrument(await payingCard(), { brand: "mastercard", lastDigits: "4444" }),
  "customer_payment_methods/revoke": async () => shop.store.revokePaymentMethod(await payingCard()),
  "selling_plan_groups/create": () => shop.store.addPlanGroup({ plans: [{}] }),
  "selling_plan_groups/update": async () =>
    shop.store.changePlanGroup(await knownGroup(), { plans: [{ name: "Another" }] }),
  "selling_plan_groups/delete": async () => shop.store.removePlanGroup(await knownGroup()),
};

/** Webhooks of the other topics. */
const hooks: Record<string, (topic: string) => Promise<Webhook>> = {
  "subscription_billing_attempts/success": attempted(outcomes.success),
  "subscription_billing_attempts/failure": attempted(outcomes.payment("INSUFFICIENT_FUNDS")),
  "subscription_billing_attempts/challenged": attempted(outcomes.challenge()),
  "subscription_contracts/fail": ended,
  "subscription_contracts/expire": ended,
  "app/uninstalled": (topic) => shop.store.webhookOf(topic, { id: 1 }),
  "customers/data_request": compliance,
  "customers/redact": compliance,
  "shop/redact": (topic) =>
    shop.store.webhookOf(topic, { shop_id: 1, shop_domain: shop.own.of.account.shop }),
};

const reading = (jobs: () => Promise<Job[]>) => async () => {
  const todo = await jobs();
  shop.worker.forget();
  return readsOfJobs(shop.worker, todo);
};

/** The job of a webhook with this topic. */
const jobsOfTopic = (topic: string) => async (): Promise<Job[]> => {
  await orderEvents[topic]?.();
  const hook = hooks[topic] ? await hooks[topic](topic) : await newest(topic);
  shop.worker.forget();
  await sendAccepted(shop, hook);
  return waiting("webhook");
};

const syncOf = (subscription_id: string): Job[] => [
  { type: "sync_contract", account_id: shop.own.of.account.id, subscription_id },
];

const others: Record<string, () => Promise<Job[]>> = {
  "sync_contract: of a subscription that has changed": async () => {
    const id = await subscribed(shop);
    await done(shop.own.api, "POST", id, "skip", { skip_weeks: 1 });
    return syncOf(id);
  },
  "sync_contract: of one that has not": async () => syncOf(await subscribed(shop)),
  "charge: that is paid": async () => {
    await shipNow(shop.own, shop.worker, await subscribed(shop));
    return waiting("charge");
  },
};

const cases: Case[] = [
  ...Object.entries(others).map(([title, jobs]): Case => ({ title, read: reading(jobs) })),
  ...[...topics.keys()].map(
    (topic): Case => ({ title: `webhook: ${topic}`, read: reading(jobsOfTopic(topic)) }),
  ),
];

describe("what a job reads does not grow with an account on Shopify", () => {
  const opened = async () => {
    shop = await hookedShop(ample);
    return shop.own.of;
  };
  doesNotGrow(cases, opened, () => shop.worker.drain());
});

describe("forgetting a shop", () => {
  const readToForget = async (customers: number): Promise<number> => {
    const going = await hookedShop(ample);
    await grow(going.own.of, customers);
    going.store.uninstall();
    const its = { shop_id: 1, shop_domain: going.own.of.account.shop };
    await sendAccepted(going, await going.store.webhookOf("shop/redact", its));
    const reads: Read[] = [];
    for (let jobs = going.worker.sent(); jobs.length > 0; jobs = going.worker.sent()) {
      going.worker.forget();
      reads.push(...(await readsOfJobs(going.worker, jobs)));
    }
    expect(await select("SELECT id FROM accounts WHERE id = ?", going.own.of.account.id)).toEqual([]);
    return reads.reduce((total, { rows }) => total + rows, 0);
  };

  test("reads each of its rows a few times, however many there are", { timeout: 30_000 }, async () => {
    const [few, many] = [await readToForget(100), await readToForget(400)];
    expect(many).toBeLessThanOrEqual(few * 4.2);
  });
});
