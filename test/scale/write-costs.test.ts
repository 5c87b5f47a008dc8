/** A write takes the documented trips and rows. */
import { beforeAll, describe, expect, test } from "vitest";
import { type WriteCost, writeCosts } from "../../scripts/docs/figures.ts";
import { placesInBlock } from "../../src/kit/journal/tables.ts";
import type { RequestOptions } from "../support/client.ts";
import { select } from "../support/database.ts";
import { logged } from "../support/jobs.ts";
import {
  addPlan,
  addReason,
  addSlot,
  deliver,
  inDays,
  itemOf,
  type Json,
  nextDay,
} from "../support/shops.ts";
import { measured } from "../support/slow-database.ts";
import { linked, openWorker, useShop } from "../support/worker.ts";

const { shop } = useShop();
const { DB, reads: statements } = measured();
const worker = openWorker({ DB });
const ids = { plan: "", reason: "", slot: "", bounded: "" };
beforeAll(async () => {
  ids.plan = await addPlan(shop, { billing_interval_count: 2 });
  ids.reason = await addReason(shop, "skip");
  ids.slot = await addSlot(shop, { day_of_week: 4 });
  ids.bounded = await addSlot(shop, { day_of_week: 4 }, { max_deliveries_per_day: 1000 });
  // The credentials and the payment method are known from here on.
  const id = await linked(shop, worker);
  await write(shop.customer, "GET", `/api/subscriptions/${id}`);
});

function newSubscription() {
  return {
    profile_id: shop.profileId,
    store_payment_method_id: "pm_success",
    next_delivery_date: inDays(7),
    lines: [itemOf(shop.plan)],
  };
}

type Write = [as: "api" | "customer", method: "POST" | "PUT", part: string, body: () => object];

/** The changes of a subscription that has a contract. */
const changes: Record<string, Write> = {
  "to skip, with a reason": ["api", "POST", "skip", () => ({ skip_weeks: 1, skip_reason_id: ids.reason })],
  "to pause": ["api", "POST", "pause", () => ({})],
  "to cancel": ["api", "POST", "cancel", () => ({})],
  "to add a line": ["api", "POST", "lines", () => itemOf(ids.plan)],
  "to change the frequency, by its customer": [
    "customer",
    "PUT",
    "frequency",
    () => ({ interval: "WEEK", interval_count: 2 }),
  ],
  "to change the date and the slot": [
    "api",
    "PUT",
    "schedule",
    () => ({ next_delivery_date: nextDay(4, 14), delivery_slot_id: ids.slot }),
  ],
  "to change the payment method": [
    "api",
    "PUT",
    "payment-method",
    () => ({ store_payment_method_id: "pm_card_declined" }),
  ],
  "to ship now": ["api", "POST", "ship-now", () => ({})],
};

describe("a write takes the documented trips, and writes the documented rows", () => {
  const keyed = (nth: number) => ({ headers: { "Idempotency-Key": `key-${nth}` } });

  test("to create a subscription", async () => {
    const create = async (options: RequestOptions) =>
      costWithinBlock(() =>
        write(shop.api, "POST", "/api/subscriptions", { body: newSubscription(), ...options }),
      );
    expectDocumented("to create a subscription", await create({}), await create(keyed(0)));
  });

  test("to create a subscription in a slot that has a bound", async () => {
    const create = (options: RequestOptions) => {
      const place = { delivery_slot_id: ids.bounded, next_delivery_date: nextDay(4, 14) };
      const body = { ...newSubscription(), ...place };
      return costWithinBlock(() => write(shop.api, "POST", "/api/subscriptions", { body, ...options }));
    };
    expectDocumented("to create one in a slot with a bound", await create({}), await create(keyed(2)));
  });

  test.each(Object.entries(changes))("%s", async (title, [as, method, part, body]) => {
    const change = async (options: RequestOptions) => {
      const id = await linked(shop, worker, { next_delivery_date: inDays(7) });
      return costWithinBlock(() =>
        write(shop[as], method, `/api/subscriptions/${id}/${part}`, { body: body(), ...options }),
      );
    };
    expectDocumented(title, await change({}), method === "POST" ? await change(keyed(1)) : null);
  });

  test("to add an item of the catalogue, by its customer", async () => {
    await write(shop.api, "PUT", "/api/account/portal", { body: { is_enabled: true, can_add: true } });
    const item = { store_product_id: "p", store_variant_id: "v", product_title: "Treats", price: 5 };
    await write(shop.api, "PUT", "/api/account/portal/catalogue", { body: { items: [item] } });
    const add = async (options: RequestOptions) => {
      const id = await linked(shop, worker, { next_delivery_date: inDays(7) });
      await write(shop.customer, "GET", `/api/portal/subscriptions/${id}/lines`);
      const body = { store_variant_id: "v" };
      return costWithinBlock(() =>
        write(shop.customer, "POST", `/api/portal/subscriptions/${id}/lines`, { body, ...options }),
      );
    };
    const title = "to add an item of the catalogue, by its customer";
    expectDocumented(title, await add({}), await add(keyed(3)));
  });

  test("the charge of it", async () => {
    const id = await linked(shop, worker, { next_delivery_date: inDays(7) });
    await write(shop.api, "POST", `/api/subscriptions/${id}/ship-now`, { body: {} });
    const jobs = worker.sent();
    worker.forget();
    const cost = await costWithinBlock(() => deliver(jobs, { bindings: worker.bindings }), "job");
    expectDocumented("the charge of it", cost, null);
  });
});

type Cost = Omit<WriteCost, "keyed">;

function expectDocumented(title: string, cost: Cost, keyed: Cost | null): void {
  expect({ ...cost, keyed: keyed?.rows ?? null }).toEqual((writeCosts as Record<string, WriteCost>)[title]);
  if (keyed) expect(keyed.trips, "trips before the answer, with a key").toBe(cost.trips);
}

async function write(...args: Parameters<typeof worker.call>): Promise<Json> {
  const answer = await worker.call<Json>(...args);
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body;
}

/** The cost of a write whose entries count no block of the stream, as one entry in 32 does with a row more. */
async function costWithinBlock(act: () => Promise<unknown>, event?: string): Promise<Cost> {
  for (
    let [{ place }] = await lastPlace();
    place % placesInBlock > placesInBlock - 6;
    [{ place }] = await lastPlace()
  )
    await write(shop.api, "POST", "/api/subscriptions", { body: newSubscription() });
  return costOf(act, event);
}

function lastPlace() {
  return select<{ place: number }>(
    "SELECT MAX(sequence) AS place FROM activity_logs WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    shop.of.account.id,
  ) as Promise<[{ place: number }]>;
}

/** The trips that the log line of the request or the job says, and the rows that all statements have written. */
async function costOf(act: () => Promise<unknown>, event = "request"): Promise<Cost> {
  statements.length = 0;
  const lines = await logged(act);
  const rows = statements.reduce((sum, { written }) => sum + written, 0);
  return { trips: lines.find((line) => line.event === event)?.db_round_trips, rows };
}
