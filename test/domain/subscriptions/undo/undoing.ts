import { expect } from "vitest";
import { addDays } from "../../../../src/base/lib/time/calendar.ts";
import { type Answer, api, type Caller } from "../../../support/client.ts";
import { select } from "../../../support/database.ts";
import { itemOf, type Json, on, read, type Shop } from "../../../support/shops.ts";
import { clockOf } from "../../../support/worker.ts";

export type Made = { shop: Shop; id: string };

type Call = { method: "POST" | "PUT" | "DELETE"; part: string; body?: object };

/** Each change that can be undone, as a call of the API for a subscription as it is; undefined where its state has none. */
export const changes: Record<string, (made: Made, shown: Json) => Promise<Call>> = {
  pause: async () => ({ method: "POST", part: "pause", body: {} }),
  "pause until": async ({ shop }) => ({
    method: "POST",
    part: "pause",
    body: { pause_until: addDays((await clockOf(shop)).slice(0, 10), 45), reason: "Away" },
  }),
  resume: async () => ({ method: "POST", part: "resume", body: {} }),
  cancel: async () => ({ method: "POST", part: "cancel", body: { reason: "Too much" } }),
  reactivate: async () => ({ method: "POST", part: "reactivate", body: {} }),
  skip: async () => ({ method: "POST", part: "skip", body: { skip_weeks: 3 } }),
  "skip deliveries": async () => ({ method: "POST", part: "skip-deliveries", body: { count: 2 } }),
  schedule: async (_, { next_delivery_date: date }) => ({
    method: "PUT",
    part: "schedule",
    body: { next_delivery_date: addDays(date ?? "2030-06-01", 7) },
  }),
  "schedule, one alone": async (_, { next_delivery_date: date }) => ({
    method: "PUT",
    part: "schedule",
    body: { next_delivery_date: addDays(date ?? "2030-06-01", 1), scope: "this" },
  }),
  frequency: async (_, { billing_interval: interval, billing_interval_count: count }) => ({
    method: "PUT",
    part: "frequency",
    body: { interval, interval_count: count * 2 },
  }),
  address: async () => ({
    method: "PUT",
    part: "delivery-address",
    body: { address1: "Elsewhere 1", city: "Bonn", country_code: "DE", zip: "53111" },
  }),
  instructions: async () => ({
    method: "PUT",
    part: "delivery-instructions",
    body: { delivery_instructions: "Ring twice" },
  }),
  "payment method": async () => ({
    method: "PUT",
    part: "payment-method",
    body: { store_payment_method_id: "pm_other" },
  }),
  "add a line": async ({ shop }) => ({
    method: "POST",
    part: "lines",
    body: itemOf(shop.plan, { store_variant_id: "gift", is_one_time: true }),
  }),
  "change a line": async (_, { lines }) => ({
    method: "PUT",
    part: `lines/${lines[0].id}`,
    body: { quantity: 3, price: 8 },
  }),
  "remove a line": async (_, { lines }) => ({ method: "DELETE", part: `lines/${lines[0].id}` }),
  discount: async () => ({
    method: "POST",
    part: "discounts",
    body: { title: "Less", value: 10, value_type: "PERCENTAGE", target_type: "ORDER" },
  }),
  "remove a discount": async (_, { discounts }) => ({
    method: "DELETE",
    part: `discounts/${discounts[0]?.id}`,
  }),
};

/** Makes a change, which may be refused; the entry by which it is undone, if it was made. */
export async function make(
  made: Made,
  name: string,
  as: Caller = made.shop.api,
): Promise<string | undefined> {
  const { method, part, body } = await changes[name]!(made, await read(made.shop, made.id));
  const answer = await api(as, method, on(made.id, part), body === undefined ? {} : { body });
  if (answer.status >= 300) return undefined;
  return answer.headers.get("Entry-Id") ?? undefined;
}

/** Makes a change that is not refused. */
export async function mustMake(made: Made, name: string, as?: Caller): Promise<string> {
  const entry = await make(made, name, as);
  expect(entry, `${name} is made`).toBeDefined();
  return entry!;
}

export function undo(
  { shop, id }: Made,
  entry_id: string,
  { as = shop.api, dryRun = false } = {},
): Promise<Answer<Json>> {
  const query = dryRun ? { dry_run: true } : undefined;
  return api(as, "POST", on(id, "undo"), { body: { entry_id }, ...(query && { query }) });
}

export async function mustUndo(made: Made, entry: string, as?: Caller): Promise<Json> {
  const { status, text, body } = await undo(made, entry, as && { as });
  expect(status, text).toBe(200);
  return body.data;
}

/** A subscription with all that belongs to it, but for what every change writes: its row, its episodes and what is to come. */
export async function stateOf({ shop, id }: Made): Promise<Json> {
  const [row] = await select<Json>("SELECT * FROM subscriptions WHERE id = ?", id);
  const { revision: _revision, updated_at: _updated, ...columns } = row;
  const episodes = await select("SELECT * FROM dunning_episodes WHERE subscription_id = ? ORDER BY id", id);
  const cases = await select<Json>(
    "SELECT * FROM cancellation_cases WHERE subscription_id = ? ORDER BY id",
    id,
  );
  return {
    columns,
    episodes,
    cases: cases.map(({ updated_at: _, ...one }) => one),
    upcoming: await upcomingOf({ shop, id }),
  };
}

export async function upcomingOf({ shop, id }: Made, count = 12): Promise<Json[]> {
  return (await api(shop.api, "GET", on(id, "upcoming"), { query: { count } })).body.data;
}
