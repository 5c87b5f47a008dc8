import type { Job } from "../../src/base/job.ts";
import { newId } from "../../src/base/lib/ids.ts";
import { topics } from "../../src/stores/shopify/topics.ts";
import { hookedShop, type Shop, sendAccepted } from "../edges/webhooks/hooks.ts";
import { contractOf } from "../stores/shopify/mirrored.ts";
import { subscribed } from "../stores/shopify/shop.ts";
import { execute, select } from "../support/database.ts";
import { plain } from "../support/fake-shopify/ids.ts";
import { type Outcome, outcomes, type Webhook } from "../support/fake-shopify.ts";
import { type Case, readsOfJobs } from "../support/growth.ts";
import { done } from "../support/shops.ts";
import { profile } from "../support/tenant.ts";
import { shipNow } from "../support/worker.ts";

/** The shop whose reads are measured; `openShop` opens it. */
export let shop: Shop;

/** A bucket that these tests, which send many requests in a second, do not empty. */
export const ample = { maximum: 1e9, restoreRate: 1e9 };

export async function openShop() {
  shop = await hookedShop(ample);
  return shop.merchant.of;
}

function customer(): string {
  return shop.store.method(shop.card).customer.id;
}

function sentJobs(type: Job["type"]): Job[] {
  return shop.worker.sent().filter((job) => job.type === type);
}

/** The newest webhook of this topic. */
async function newestWebhook(topic: string): Promise<Webhook> {
  const hook = (await shop.store.webhooks()).findLast((webhook) => webhook.topic === topic);
  if (!hook) throw new Error(`Nothing has happened that is ${topic}`);
  return hook;
}

/** Processes the webhooks of this topic. */
async function processNewest(topic: string): Promise<void> {
  await sendAccepted(shop, await newestWebhook(topic));
  await shop.worker.drain();
}

/** The contract of a new subscription, at the store. */
async function createContract(): Promise<string> {
  return (await contractOf(shop, await subscribed(shop))).id;
}

async function createOrder(more: object = {}): Promise<string> {
  return shop.store.addOrder({
    customer: customer(),
    total: 2490,
    contracts: [await createContract()],
    ...more,
  });
}

/** An order that the account has. */
async function createKnownOrder(more: object = {}): Promise<string> {
  const order = await createOrder(more);
  await processNewest("orders/create");
  return order;
}

async function createFulfilledOrder(): Promise<string> {
  const order = await createKnownOrder();
  shop.store.fulfill(order, { part: true });
  return order;
}

/** An order with a return that the account knows. */
async function createReturned(step: "request" | "approve"): Promise<string> {
  const order = await createKnownOrder();
  shop.store.return(order, step);
  await processNewest(`returns/${step}`);
  return order;
}

async function createKnownGroup(): Promise<string> {
  const group = shop.store.addPlanGroup({ plans: [{}] });
  await processNewest("selling_plan_groups/create");
  return group;
}

/** A customer with a subscription, and with nothing else. */
async function createSubscriber(): Promise<{ id: string; card: string }> {
  const id = shop.store.addCustomer();
  const card = shop.store.addPaymentMethod(id);
  const { id: profileId } = await profile(shop.merchant.of, { store_customer_id: plain(id) });
  await subscribed({ ...shop, card, profileId });
  return { id, card };
}

async function createCard(): Promise<string> {
  return (await createSubscriber()).card;
}

function checkout(): string {
  return shop.store.checkoutContract({
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
}

/** The webhook of an attempt whose charge was requested. */
function webhookOfAttempt(outcome: Outcome) {
  return async (topic: string) => {
    const id = await subscribed(shop);
    shop.store.nextOutcomes(outcome);
    await shipNow(shop.merchant, shop.worker, id);
    const [row] = await select<{ store_key: string }>(
      "SELECT store_key FROM billing_attempts WHERE subscription_id = ?",
      id,
    );
    return shop.store.webhookOf(topic, { idempotency_key: row?.store_key });
  };
}

async function webhookOfContract(topic: string): Promise<Webhook> {
  return shop.store.webhookOf(topic, { admin_graphql_api_id: await createContract() });
}

/** A customer asks for their data, or for its erasure. */
async function webhookOfCustomer(topic: string): Promise<Webhook> {
  const { id } = await createSubscriber();
  return shop.store.webhookOf(topic, {
    shop_id: 1,
    shop_domain: shop.merchant.of.account.shop,
    customer: { id: Number(id.split("/").at(-1)) },
    ...(topic === "customers/redact" ? { orders_to_redact: [] } : { data_request: { id: 1 } }),
  });
}

/** The events at the store, by the topic of the webhook that each causes. */
const orderEvents: Record<string, () => unknown> = {
  "subscription_contracts/create": checkout,
  "subscription_contracts/update": async () =>
    shop.store.merchant.edit(await createContract(), { note: "Ring twice" }),
  "subscription_contracts/activate": async () => {
    const id = await createContract();
    shop.store.merchant.pause(id);
    await processNewest("subscription_contracts/pause");
    shop.store.merchant.activate(id);
  },
  "subscription_contracts/pause": async () => shop.store.merchant.pause(await createContract()),
  "subscription_contracts/cancel": async () => shop.store.merchant.cancel(await createContract()),
  "subscription_billing_cycles/skip": async () => shop.store.merchant.skipCycle(await createContract(), 1),
  "subscription_billing_cycles/unskip": async () => {
    const id = await createContract();
    shop.store.merchant.skipCycle(id, 1);
    await processNewest("subscription_billing_cycles/skip");
    shop.store.merchant.unskipCycle(id, 1);
  },
  "orders/create": () => createOrder(),
  "orders/updated": async () => shop.store.refund(await createKnownOrder(), 100),
  "orders/paid": async () => shop.store.payOrder(await createKnownOrder({ paid: false })),
  "orders/cancelled": async () => shop.store.cancelOrder(await createKnownOrder()),
  "orders/fulfilled": async () => shop.store.fulfill(await createKnownOrder()),
  "orders/partially_fulfilled": () => createFulfilledOrder(),
  "refunds/create": async () => shop.store.refund(await createKnownOrder(), 100),
  "returns/request": async () => shop.store.return(await createKnownOrder(), "request"),
  "returns/approve": async () => shop.store.return(await createKnownOrder(), "approve"),
  "returns/decline": async () => shop.store.return(await createReturned("request"), "decline"),
  "returns/cancel": async () => shop.store.return(await createReturned("approve"), "cancel"),
  "returns/close": async () => shop.store.return(await createReturned("approve"), "close"),
  "returns/reopen": async () => {
    const order = await createReturned("approve");
    shop.store.return(order, "close");
    await processNewest("returns/close");
    shop.store.return(order, "reopen");
  },
  "fulfillments/create": async () => shop.store.fulfill(await createKnownOrder()),
  "fulfillments/update": async () =>
    shop.store.track(await createFulfilledOrder(), {
      company: "DHL",
      number: newId(),
      url: "https://dhl.test/1",
    }),
  "customer_payment_methods/create": () => shop.store.createPaymentMethod(customer()),
  "customer_payment_methods/update": async () =>
    shop.store.replaceInstrument(await createCard(), { brand: "mastercard", lastDigits: "4444" }),
  "customer_payment_methods/revoke": async () => shop.store.revokePaymentMethod(await createCard()),
  "app/scopes_update": () =>
    shop.store.changeScopes((scopes) => scopes.filter((scope) => scope !== "read_customer_merge")),
  "customers/update": async () =>
    shop.store.merchant.editCustomer((await createSubscriber()).id, { firstName: "Grace" }),
  "customers/merge": async () =>
    shop.store.merchant.mergeCustomers((await createSubscriber()).id, (await createSubscriber()).id),
  "selling_plan_groups/create": () => shop.store.addPlanGroup({ plans: [{}] }),
  "selling_plan_groups/update": async () =>
    shop.store.changePlanGroup(await createKnownGroup(), { plans: [{ name: "Another" }] }),
  "selling_plan_groups/delete": async () => shop.store.removePlanGroup(await createKnownGroup()),
};

/** Webhooks of the other topics. */
const hooks: Record<string, (topic: string) => Promise<Webhook>> = {
  "subscription_billing_attempts/success": webhookOfAttempt(outcomes.success),
  "subscription_billing_attempts/failure": webhookOfAttempt(outcomes.payment("INSUFFICIENT_FUNDS")),
  "subscription_billing_attempts/challenged": webhookOfAttempt(outcomes.challenge()),
  "subscription_contracts/fail": webhookOfContract,
  "subscription_contracts/expire": webhookOfContract,
  "app/uninstalled": (topic) => shop.store.webhookOf(topic, { id: 1 }),
  "customers/data_request": webhookOfCustomer,
  "customers/redact": webhookOfCustomer,
  "shop/redact": (topic) =>
    shop.store.webhookOf(topic, { shop_id: 1, shop_domain: shop.merchant.of.account.shop }),
};

function reading(jobs: () => Promise<Job[]>) {
  return async () => {
    const sent = await jobs();
    shop.worker.forget();
    return readsOfJobs(shop.worker, sent);
  };
}

/** The job of a webhook with this topic. */
function jobsOfTopic(topic: string) {
  return async (): Promise<Job[]> => {
    await orderEvents[topic]?.();
    const hook = hooks[topic] ? await hooks[topic](topic) : await newestWebhook(topic);
    shop.worker.forget();
    await sendAccepted(shop, hook);
    return sentJobs("webhook");
  };
}

function syncContract(subscription_id: string): Job[] {
  return [{ type: "sync_contract", account_id: shop.merchant.of.account.id, subscription_id }];
}

const otherJobs: Record<string, () => Promise<Job[]>> = {
  "sync_contract: of a subscription that has changed": async () => {
    const id = await subscribed(shop);
    await done(shop.merchant.api, "POST", id, "skip", { skip_weeks: 1 });
    return syncContract(id);
  },
  "sync_contract: of one that has not": async () => syncContract(await subscribed(shop)),
  "set_up_store: a page of contracts, of which one is unknown": async () => {
    const { account } = shop.merchant.of;
    await execute(
      "UPDATE shopify_connections SET next_action_at = ?, contracts_from = ? WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      ...["2020-01-01T00:00:00.000Z", new Date().toISOString(), account.id],
    );
    checkout();
    return [{ type: "set_up_store", account_id: account.id }];
  },
  "charge: that is paid": async () => {
    await shipNow(shop.merchant, shop.worker, await subscribed(shop));
    return sentJobs("charge");
  },
};

export const cases: Case[] = [
  ...Object.entries(otherJobs).map(([title, jobs]): Case => ({ title, read: reading(jobs) })),
  ...[...topics.keys()].map(
    (topic): Case => ({ title: `webhook: ${topic}`, read: reading(jobsOfTopic(topic)), most: 120 }),
  ),
];
