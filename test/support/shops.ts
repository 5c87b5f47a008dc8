import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Bindings } from "../../src/base/env.ts";
import { newId } from "../../src/base/lib/ids.ts";
import { dayOfWeek } from "../../src/base/lib/time/calendar.ts";
import type { Subscription } from "../../src/domain/subscriptions/tables.ts";
import worker from "../../src/worker.ts";
import { type Answer, api, type Caller, deployment, type RequestOptions } from "./client.ts";
import { execute, select } from "./database.ts";
import { sharedWithObjects } from "./objects.ts";
import { type Merchant, openMerchant } from "./records.ts";
import { bearer, profile, token } from "./tenant.ts";

/** A merchant with a customer who subscribes: `plan` is weekly, `api` the key alone, `admin` a member of staff. */
export type Shop = Merchant & { api: Caller; profileId: string; customer: Caller; plan: string };

// biome-ignore lint/suspicious/noExplicitAny: a body as JSON, whose members the test states
export type Json = any;

export async function addPlan(of: Merchant, terms: object = {}): Promise<string> {
  const body = {
    id: `plan-${newId()}`,
    name: "Weekly",
    billing_interval: "WEEK",
    billing_interval_count: 1,
    ...terms,
  };
  return must(await api(of.of, "POST", "/api/subscriptions/selling-plans", { body })).data.id;
}

export async function customerOf(of: Merchant["of"]): Promise<{ profileId: string; customer: Caller }> {
  const { id } = await profile(of, address);
  const customer = bearer(await token(of, { actor_type: "customer", name: "Cy", profile_id: id }));
  return { profileId: id, customer };
}

export async function openShop(options: Parameters<typeof openMerchant>[0] = {}): Promise<Shop> {
  const shop = await openMerchant(options);
  const customer = await customerOf(shop.of);
  return { ...shop, ...customer, api: { credentials: shop.of.credentials }, plan: await addPlan(shop) };
}

export function itemOf(plan: string, more: object = {}) {
  return {
    store_product_id: "product-1",
    store_variant_id: "variant-1",
    product_title: "Kibble",
    selling_plan_id: plan,
    price: 10,
    quantity: 1,
    ...more,
  };
}

/** A date some days from today, UTC. */
export function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** The first such day of the week from some days on. */
export function nextDay(weekday: number, from = 7): string {
  for (let days = from; ; days++) if (dayOfWeek(inDays(days)) === weekday) return inDays(days);
}

/** The queue that only remembers what was sent. */
export function outbox() {
  const sent: Json[] = [];
  const queue = {
    sendBatch: async (messages: Iterable<{ body: unknown }>) => {
      sent.push(...[...messages].map(({ body }) => body));
    },
  } as unknown as Queue<unknown>;
  return { sent, bindings: { ...env, JOBS: queue } as Bindings };
}

/** A new subscription over HTTP; its first delivery is a week from today by default. */
export async function subscribe(of: Shop, more: object = {}): Promise<string> {
  const body = {
    profile_id: of.profileId,
    store_payment_method_id: "pm_success",
    next_delivery_date: inDays(7),
    lines: [itemOf(of.plan)],
    ...more,
  };
  return must(await retryAfterNoResponse(of.api, "POST", "/api/subscriptions", { body })).ids[0];
}

/** A contract at the store that no other subscription has. */
export function aContract(): number {
  return ++contracts;
}

export function on(id: string, part = ""): string {
  return `/api/subscriptions/${id}${part && `/${part}`}`;
}

export async function read(of: Shop, id: string): Promise<Json> {
  return must(await api(of.api, "GET", on(id))).data;
}

/** An operation that must succeed; the subscription as answered. */
export async function done(
  as: Caller,
  method: "POST" | "PUT" | "DELETE",
  id: string,
  part: string,
  body?: unknown,
  query: NonNullable<RequestOptions["query"]> = {},
): Promise<Json> {
  return must(await api(as, method, on(id, part), { ...(body === undefined ? {} : { body }), query })).data;
}

export async function rowOf(id: string): Promise<Subscription> {
  return (await select<Subscription>("SELECT * FROM subscriptions WHERE id = ?", id))[0]!;
}

/** The entries of a subscription, oldest first, as the database holds them. */
export async function entriesOf(id: string): Promise<EntryOf[]> {
  const rows = await select<EntryRow>(
    "SELECT * FROM activity_logs WHERE loggable_id = ? ORDER BY sequence",
    id,
  );
  const parsed = (json: string | null) => (json === null ? null : JSON.parse(json));
  return rows.map((row) => ({ ...row, changes: parsed(row.changes), metadata: parsed(row.metadata) }));
}

export async function actionsOf(id: string): Promise<string[]> {
  return (await entriesOf(id)).map(({ action }) => action);
}

/** The activity feed of a subscription over HTTP, newest first. */
export async function feedOf(of: Shop, subscription_id: string): Promise<Json[]> {
  const query = { start_date: "2020-01-01", end_date: "2100-01-01", subscription_id, limit: 100 };
  return must(await api(of.admin, "GET", "/api/activity-logs", { query })).data;
}

/** Puts a row into a state that only time or billing would bring about. */
export async function force(id: string, values: Record<string, string | number | null>): Promise<unknown> {
  return (
    Object.keys(values).length > 0 &&
    execute(
      `UPDATE subscriptions SET ${Object.keys(values).map((name) => `${name} = ?`)} WHERE id = ?`,
      ...Object.values(values),
      id,
    )
  );
}

export async function inState(of: Shop, state: State, more: object = {}): Promise<string> {
  const id = await subscribe(of, more);
  await force(id, states[state]);
  return id;
}

export async function addReason(
  of: Merchant,
  kind: "skip" | "pause" | "cancellation",
  more: object = {},
): Promise<string> {
  return must(
    await api(of.of, "POST", `/api/subscriptions/${kind}-reasons`, { body: { label: "Too much", ...more } }),
  ).data.id;
}

/** A delivery slot on a day of the week. */
export async function addSlot(of: Merchant, day: object, more: object = {}): Promise<string> {
  const made = must(await api(of.of, "POST", "/api/subscriptions/delivery-days", { body: day }));
  const hours = { label: "Morning", start_time: "09:00", end_time: "12:00" };
  const body = { delivery_day_id: made.data.id, ...hours, ...more };
  return must(await api(of.of, "POST", "/api/subscriptions/delivery-slots", { body })).data.id;
}

/** The status and the code of a refusal. */
export function refusal({ status, body }: Answer<Json>): [number, string] {
  return [status, body.errorCode];
}

/** Lets the consumer have messages, under these bindings; which of them it acknowledged and which it sends back. */
export async function deliver(
  bodies: unknown[],
  { queue = "perennial-jobs", bindings = env as Bindings, attempts = 1 } = {},
) {
  const timestamp = new Date();
  const messages = bodies.map((body, index) => ({ id: `message-${index}`, timestamp, attempts, body }));
  const batch = createMessageBatch(queue, messages);
  await worker.queue(batch, sharedWithObjects(bindings));
  const result = await getQueueResult(batch, createExecutionContext());
  return {
    acked: result.explicitAcks.toSorted(),
    retried: result.retryMessages.map(({ msgId }) => msgId).toSorted(),
  };
}

function must(answer: Answer<Json>): Json {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body;
}

export const address = {
  address1: "1 High Street",
  city: "London",
  postal_code: "N1",
  country: "United Kingdom",
  country_code: "GB",
};

/** The Worker with nobody at the other end of its queue: the real one delivers by itself once 100 messages wait. */
const retryAfterNoResponse = deployment(outbox().bindings);

let contracts = 7_000_000;

type EntryRow = {
  action: string;
  actor_type: string;
  actor_name: string | null;
  changes: string | null;
  metadata: string | null;
  profile_id: string;
};
export type EntryOf = Omit<EntryRow, "changes" | "metadata"> & { changes: Json; metadata: Json };

const over = { next_billing_date: null, next_delivery_date: null, next_production_date: null };
const someTime = "2026-06-01T00:00:00.000Z";
/** Every state a subscription can be in, as its columns say it. */
export const states = {
  ACTIVE: { status: "ACTIVE" },
  DUNNING: { status: "ACTIVE", dunning_episode_id: "0197b1c0-0000-7000-8000-000000000001" },
  PAUSED: { status: "PAUSED", paused_at: someTime },
  PAYMENT_FAILED: { status: "PAYMENT_FAILED" },
  CANCELLED: { status: "CANCELLED", cancelled_at: someTime, ...over },
  EXPIRED: { status: "EXPIRED", ...over },
} as const;
export type State = keyof typeof states;
