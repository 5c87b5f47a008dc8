import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Bindings } from "../../src/base/env.ts";
import { newId } from "../../src/base/lib/ids.ts";
import worker from "../../src/worker.ts";
import { type Answer, api, type Caller } from "./client.ts";
import { type Merchant, openMerchant, profileOf, put } from "./records.ts";

export const path = "/api/subscriptions";
type Values = Record<string, unknown>;

/** A day so many days from now, by UTC. */
export function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** A selling plan through the API; answers its id. */
export async function planned(as: Caller, values: Values = {}): Promise<string> {
  const body = {
    id: `plan-${newId()}`,
    name: "Monthly",
    billing_interval: "MONTH",
    billing_interval_count: 1,
    ...values,
  };
  return (await must(api(as, "POST", `${path}/selling-plans`, { body }), 201)).data.id;
}

/** A delivery day, and a slot on it, through the API. */
export async function placed(
  as: Caller,
  day: Values,
  slot: Values = {},
): Promise<{ day: string; slot: string }> {
  const made = await must(api(as, "POST", `${path}/delivery-days`, { body: day }), 201);
  const body = {
    delivery_day_id: made.data.id,
    label: "Morning",
    start_time: "09:00",
    end_time: "12:00",
    ...slot,
  };
  return {
    day: made.data.id,
    slot: (await must(api(as, "POST", `${path}/delivery-slots`, { body }), 201)).data.id,
  };
}

export async function entityFor(as: Caller, profile_id: string, name = "Biscuit"): Promise<string> {
  return (
    await must(api(as, "POST", `${path}/entities`, { body: { profile_id, entity_type: "dog", name } }), 200)
  ).data.id;
}

export async function openSeller(
  options: Parameters<typeof openMerchant>[0] = {},
  profile: Parameters<typeof profileOf>[1] = {},
): Promise<Seller> {
  const merchant = await openMerchant(options);
  const customer = profileOf(merchant.of, profile);
  await put("profiles", [customer]);
  return { ...merchant, profileId: customer.id, planId: await planned(merchant.admin) };
}

export function lineOf(planId: string, values: Values = {}): Values {
  return {
    store_product_id: "product-1",
    store_variant_id: "variant-1",
    product_title: "Kibble",
    selling_plan_id: planId,
    price: 20,
    quantity: 1,
    ...values,
  };
}

/** A body that creates one subscription; `values` say otherwise. */
export function bodyFor(
  { profileId, planId }: Pick<Seller, "profileId" | "planId">,
  values: Values = {},
): Values {
  return {
    profile_id: profileId,
    store_payment_method_id: "pm_success",
    next_delivery_date: "2035-01-31",
    lines: [lineOf(planId)],
    ...values,
  };
}

export function create(shop: Seller, values: Values = {}, options: Parameters<typeof api>[3] = {}) {
  return api(shop.admin, "POST", path, { body: bodyFor(shop, values), ...options });
}

/** Subscriptions through the API; answers their ids. */
export async function created(shop: Seller, values: Values = {}): Promise<string[]> {
  return (await must(create(shop, values), 201)).ids;
}

export async function shown(as: Caller, id: string) {
  return (await must(api(as, "GET", `${path}/${id}`), 200)).data;
}

export async function upcoming(as: Caller, id: string, count?: number) {
  return (
    await must(api(as, "GET", `${path}/${id}/upcoming`, { query: count === undefined ? {} : { count } }), 200)
  ).data;
}

/** A queue that only remembers what was sent. */
export function rememberingQueue() {
  const sent: unknown[] = [];
  const queue = {
    send: async (body: unknown) => void sent.push(body),
    sendBatch: async (messages: Iterable<{ body: unknown }>) =>
      void sent.push(...[...messages].map(({ body }) => body)),
  } as unknown as Bindings["JOBS"];
  return { sent, queue };
}

/** Gives messages to the Worker's queue consumer, as the platform would. */
export async function deliver(bodies: unknown[], queue = "perennial-jobs") {
  const messages = bodies.map((body, nth) => ({ id: `m${nth}`, timestamp: new Date(), attempts: 1, body }));
  const batch = createMessageBatch(queue, messages);
  const ctx = createExecutionContext();
  await worker.queue(batch, env);
  return getQueueResult(batch, ctx);
}

async function must<B = unknown>(answer: Promise<Answer<B>>, status: number): Promise<B> {
  const { status: got, body, text } = await answer;
  if (got !== status) throw new Error(`${got} instead of ${status}: ${text}`);
  return body;
}

/** A merchant with a customer and a plan. */
export type Seller = Merchant & { profileId: string; planId: string };
