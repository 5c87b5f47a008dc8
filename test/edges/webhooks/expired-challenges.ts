import { expect } from "vitest";
import { type ConnectedShop, subscribed } from "../../stores/shopify/shop.ts";
import { execute, select } from "../../support/database.ts";
import { outcomes } from "../../support/fake-shopify.ts";
import { deliver, type Json } from "../../support/shops.ts";
import { attemptsOf, setClock, shipNow } from "../../support/worker.ts";
import { logged, processAll } from "./hooks.ts";

/** Time passes, and then everything due is done once. */
export async function pass(shop: ConnectedShop, hours: number): Promise<void> {
  setClock(Date.now() + hours * hourMs);
  await shop.worker.tick();
  await processAll(shop);
}

/**
 * A ship-now whose challenge nobody has answered for three days, so that it was given up. Returns the subscription. Webhooks that earlier
 * tests have left are done, as their stores are gone.
 */
export async function withExpiredChallenge(shop: ConnectedShop): Promise<string> {
  await execute("UPDATE webhook_deliveries SET next_action_at = NULL");
  const id = await subscribed(shop);
  shop.store.nextOutcomes(outcomes.challenge());
  await shipNow(shop.merchant, shop.worker, id);
  await shop.worker.drain({ soon: false });
  await pass(shop, 1);
  await pass(shop, 73);
  expect(await statusesOf(shop, id)).toEqual(["FAILED authentication_expired"]);
  return id;
}

/** Tries the payment again; the customer is challenged anew. */
export async function challengeAgain(shop: ConnectedShop, id: string): Promise<void> {
  shop.store.nextOutcomes(outcomes.challenge());
  await retry(shop, id);
  await pass(shop, 1);
}

export async function retry({ merchant, worker }: ConnectedShop, id: string): Promise<void> {
  const { status, text } = await worker.call(merchant.api, "POST", `/api/subscriptions/${id}/retry-payment`);
  if (status !== 200) throw new Error(text);
  await worker.drain({ soon: false });
}

/** The customer confirms the nth payment that the store was asked for. */
export function confirm({ store }: ConnectedShop, nth: number): void {
  store.confirm(store.attempts[nth]!.id);
}

/** The webhooks that the store has to send are lost. */
export async function loseWebhooks({ store }: ConnectedShop): Promise<void> {
  await store.webhooks();
}

/** The message that compares the charges of the last three days. */
export function comparison({ merchant }: ConnectedShop): Json {
  const since = new Date(Date.now() - 72 * hourMs).toISOString();
  return { type: "reconcile", account_id: merchant.of.account.id, since, after: null };
}

/** A day later the charges are compared, and no webhook comes. */
export async function night(shop: ConnectedShop): Promise<void> {
  setClock(Date.now() + 24 * hourMs);
  await deliver([comparison(shop)], shop.worker);
  await shop.worker.drain({ soon: false });
}

export async function payWithAnotherCard(shop: ConnectedShop, id: string): Promise<void> {
  const customer = shop.store.contracts()[0]!.customer.id;
  await shop.worker.call(shop.merchant.api, "PUT", `/api/subscriptions/${id}/payment-method`, {
    body: { store_payment_method_id: shop.store.addPaymentMethod(customer) },
  });
  await shop.worker.drain();
}

/** The attempts of a subscription, the oldest first, each as its status and its code. */
export async function statusesOf(
  { merchant }: Pick<ConnectedShop, "merchant">,
  id: string,
): Promise<string[]> {
  const attempts: Json[] = await attemptsOf(merchant, id);
  return attempts
    .toReversed()
    .map(({ status, error_code }) => (error_code === null ? status : `${status} ${error_code}`));
}

/** The store's reference of the charge that paid, and the key that its attempt would have been sent under. */
export async function paidBy(
  id: string,
): Promise<{ store_reference: string; store_key: string } | undefined> {
  const [paid] = await select<{ store_reference: string; store_key: string }>(
    "SELECT store_reference, store_key FROM billing_attempts WHERE subscription_id = ? AND status = 'SUCCEEDED'",
    id,
  );
  return paid;
}

/** The charges that were logged as not agreeing, while something was done. */
export async function reportedBy(act: () => Promise<unknown>): Promise<Json[]> {
  const lines = await logged(act);
  return lines.filter(({ event }) => event === "charge_not_reconciled");
}

const hourMs = 3_600_000;
