import type { Attempt, Contract } from "./records.ts";
import type { Registration } from "./registrations.ts";
import type { FakeStore } from "./store.ts";

/** An event at the store whose webhook has not been sent yet. */
export type StoreEvent = { topic: string; id: string; at: string; payload: Record<string, unknown> };

/** A request that Shopify would send. `body` must be sent unchanged, because the signature covers it. */
export type Webhook = { topic: string; headers: Record<string, string>; body: string };

/**
 * Records an event for each of the app's subscriptions to its topic; without one nobody is told (apps/build/webhooks/subscribe). A webhook
 * has the fields that its subscription includes, or all (schema `WebhookSubscriptionInput.includeFields`).
 */
export function emit(store: FakeStore, topic: string, payload: Record<string, unknown>): void {
  if (!store.isInstalled) return;
  const id = crypto.randomUUID();
  for (const { includeFields } of subscriptionsTo(store, topic))
    store.events.push({ topic, id, at: store.now(), payload: included(payload, includeFields) });
}

/** X-Shopify-Topic has a topic as `orders/create`, the API as ORDERS_CREATE. */
function subscriptionsTo({ registrations }: FakeStore, topic: string): Registration[] {
  const name = topic.toUpperCase().replace("/", "_");
  return [...registrations.values()].filter((one) => one.topic === name);
}

function included(payload: Record<string, unknown>, fields: string[]): Record<string, unknown> {
  if (fields.length === 0) return payload;
  return Object.fromEntries(Object.entries(payload).filter(([field]) => fields.includes(field)));
}

export function contractPayload(contract: Contract): Record<string, unknown> {
  const { interval, interval_count } = policyPayload(contract.deliveryPolicy);
  return {
    admin_graphql_api_id: contract.id,
    id: contract.number,
    billing_policy: policyPayload(contract.billingPolicy),
    currency_code: contract.currency,
    customer_id: contract.customer.number,
    admin_graphql_api_customer_id: contract.customer.id,
    delivery_policy: { interval, interval_count },
    status: contract.status.toLowerCase(),
    admin_graphql_api_origin_order_id: contract.originOrder?.id ?? null,
    origin_order_id: contract.originOrder?.number ?? null,
    revision_id: String(contract.revision),
  };
}

export function attemptPayload(attempt: Attempt): Record<string, unknown> {
  const order = attempt.state.is === "succeeded" ? attempt.state.order : undefined;
  const failure = failureOf(attempt);
  return {
    id: attempt.number,
    admin_graphql_api_id: attempt.id,
    idempotency_key: attempt.key,
    order_id: order?.number ?? null,
    admin_graphql_api_order_id: order?.id ?? null,
    subscription_contract_id: attempt.contract.number,
    admin_graphql_api_subscription_contract_id: attempt.contract.id,
    ready: attempt.state.is !== "pending",
    error_message: failure?.message ?? null,
    error_code: failure?.code ?? null,
  };
}

/** X-Shopify-Hmac-Sha256: base64 of the raw body's HMAC with the app's secret. */
export async function signatureOf(secret: string, body: string): Promise<string> {
  const encoder = new TextEncoder();
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), hmac, false, ["sign"]);
  return btoa(
    String.fromCharCode(...new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(body)))),
  );
}

/** The webhook of an event. */
export async function deliveryOf(
  { settings: { shop, secret } }: FakeStore,
  { topic, id, at, payload }: StoreEvent,
): Promise<Webhook> {
  const body = JSON.stringify(payload);
  return {
    topic,
    headers: {
      "Content-Type": "application/json",
      "X-Shopify-Topic": topic,
      "X-Shopify-Hmac-Sha256": await signatureOf(secret, body),
      "X-Shopify-Shop-Domain": shop,
      "X-Shopify-API-Version": "2026-10",
      "X-Shopify-Webhook-Id": id,
      "X-Shopify-Event-Id": id,
      "X-Shopify-Triggered-At": at,
    },
    body,
  };
}

function policyPayload({ interval, intervalCount, minCycles, maxCycles }: Contract["billingPolicy"]) {
  return {
    interval: interval.toLowerCase(),
    interval_count: intervalCount,
    min_cycles: minCycles ?? null,
    max_cycles: maxCycles ?? null,
  };
}

function failureOf({ state }: Attempt): { code: string; message: string } | undefined {
  if (state.is !== "failed") return undefined;
  if (state.why.is === "unexpected") return { code: "unexpected_error", message: state.why.message };
  return { code: state.why.code.toLowerCase(), message: state.why.code.toLowerCase().replaceAll("_", " ") };
}
