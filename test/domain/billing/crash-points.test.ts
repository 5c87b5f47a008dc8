/** A cycle is charged once, wherever the process dies around the charge and the commit. */
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import type { Bindings } from "../../../src/base/env.ts";
import { deployment } from "../../support/client.ts";
import { actionsOf, deliver, inDays, type Json, on, read } from "../../support/shops.ts";
import { interrupted, isolateEnded } from "../../support/slow-database.ts";
import {
  attemptsOf,
  chargesOf,
  episodesOf,
  later,
  linked,
  openWorker,
  ordersOf,
  setClock,
  shipNow,
  useShop,
} from "../../support/worker.ts";

const { shop, worker } = useShop();

const lost = isolateEnded;
const moments = ["before", "after"] as const;
type Moment = (typeof moments)[number];

/** The deployment whose isolate ends around the first batch that matches. */
function broken(matching: RegExp, moment: Moment): Bindings {
  let isBroken = false;
  const once = async () => {
    if (isBroken) return;
    isBroken = true;
    await lost();
  };
  return { ...env, ...worker.bindings, DB: interrupted(matching, { [moment]: once }) };
}

const batches = {
  start: /insert into "billing_attempts"/i,
  claim: /update "billing_attempts" set .*"claims"/i,
  ledger: /insert into "sandbox_charges"/i,
  success: /insert into "orders"/i,
  failure: /insert into "dunning_episodes"/i,
  wait: /update "billing_attempts" set .*"lease_until" = \?/i,
};

function dueLater(store_payment_method_id = "pm_success") {
  return linked(shop, worker, { next_delivery_date: inDays(30), store_payment_method_id });
}

function chargeOf(attempt: Json) {
  return {
    type: "charge",
    account_id: shop.of.account.id,
    attempt_id: attempt.id,
  };
}

/** Cron, until nothing is left to do. */
async function settle(): Promise<void> {
  for (let minute = 0; minute < 3; minute++) await later(worker, 61);
}

async function billedOnce(id: string): Promise<void> {
  vi.useRealTimers();
  expect(await chargesOf(id)).toEqual([{ amount: 1000, state: "SUCCEEDED" }]);
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "SUCCEEDED", attempt_number: 1 }]);
  expect(await ordersOf(shop, id)).toHaveLength(1);
  expect((await actionsOf(id)).slice(2)).toEqual(["ship_now_requested", "billing_succeeded"]);
  expect(await read(shop, id)).toMatchObject({ current_billing_cycle: 2, total_revenue: 10 });
}

test("row 1: before the start commits nothing has happened, and the client asks again", async () => {
  const id = await dueLater();
  const call = deployment(broken(batches.start, "before"));
  const answer = await call(shop.api, "POST", on(id, "ship-now"));
  expect([answer.status, answer.body.success]).toEqual([500, false]);
  expect(await attemptsOf(shop, id)).toEqual([]);
  expect(worker.sent()).toEqual([]);
  expect((await shipNow(shop, worker, id)).status).toBe(200);
  await worker.drain();
  await billedOnce(id);
});

test.each([
  ["without a key", {}],
  ["with a key", { headers: { "Idempotency-Key": "row-2" } }],
])("row 2: the start committed, its answer lost, the client asks again %s", async (_, options) => {
  const id = await dueLater();
  const call = deployment(broken(batches.start, "after"));
  expect((await call(shop.api, "POST", on(id, "ship-now"), options)).status).toBe(500);
  expect(await attemptsOf(shop, id)).toHaveLength(1);
  expect((await shipNow(shop, worker, id, undefined, options)).status).toBeLessThan(500);
  expect(await attemptsOf(shop, id)).toHaveLength(1);
  await worker.drain();
  await settle();
  await billedOnce(id);
});

test("row 3: committed, and nothing sent: the row is the outbox", async () => {
  const id = await dueLater();
  const JOBS = { sendBatch: lost } as unknown as Queue<unknown>;
  expect((await deployment({ ...worker.bindings, JOBS })(shop.api, "POST", on(id, "ship-now"))).status).toBe(
    200,
  );
  expect(worker.sent()).toEqual([]);
  await settle();
  await billedOnce(id);
});

test("row 5: ship-now and cron at the same instant", async () => {
  for (let nth = 0; nth < 5; nth++) {
    const id = await linked(shop, worker, { next_delivery_date: inDays(0) });
    const other = openWorker();
    await Promise.all([shipNow(shop, worker, id), other.tick(), shipNow(shop, worker, id)]);
    await Promise.all([worker.drain(), other.drain()]);
    await worker.tick();
    expect(await attemptsOf(shop, id)).toHaveLength(1);
    expect(await chargesOf(id)).toHaveLength(1);
    expect(await ordersOf(shop, id)).toHaveLength(1);
  }
});

describe.each(moments)("the consumer dies %s the commit of", (moment) => {
  test.each([
    ["rows 8, 26: its claim", batches.claim],
    ["rows 9, 16: the store's ledger", batches.ledger],
    ["rows 9, 10: the success", batches.success],
  ])("%s", async (_, matching) => {
    const id = await dueLater();
    await shipNow(shop, worker, id);
    worker.forget();
    const [attempt] = await attemptsOf(shop, id);
    const bindings = broken(matching, moment);
    const result = await deliver([chargeOf(attempt)], { bindings });
    expect(result).toEqual({ acked: [], retried: ["message-0"] });
    await deliver([chargeOf(attempt)], { attempts: 2 });
    await settle();
    await billedOnce(id);
  });

  test.each([
    ["rows 8, 26: its claim", batches.claim],
    ["rows 9, 16: the store's ledger", batches.ledger],
    ["row 10: the failure", batches.failure],
  ])("%s, of a payment that is refused", async (_, matching) => {
    const id = await dueLater("pm_card_declined");
    await shipNow(shop, worker, id);
    worker.forget();
    const [attempt] = await attemptsOf(shop, id);
    expect((await deliver([chargeOf(attempt)], { bindings: broken(matching, moment) })).retried).toHaveLength(
      1,
    );
    await deliver([chargeOf(attempt)], { attempts: 2 });
    await settle();
    vi.useRealTimers();
    expect(await chargesOf(id)).toEqual([{ amount: 1000, state: "DECLINED" }]);
    expect(await attemptsOf(shop, id)).toMatchObject([{ status: "FAILED" }]);
    expect(await episodesOf(shop, id)).toMatchObject([{ status: "OPEN", attempt_count: 1 }]);
    expect((await actionsOf(id)).slice(2)).toEqual([
      "ship_now_requested",
      "billing_failed",
      "dunning_started",
    ]);
  });

  test("rows 8, 19: the store's answer, of a payment that is pending", async () => {
    const id = await dueLater("pm_pending");
    await shipNow(shop, worker, id);
    worker.forget();
    const [attempt] = await attemptsOf(shop, id);
    let batch = 0;
    const nth = async () => void (++batch === 2 && (await lost()));
    const bindings = { ...worker.bindings, DB: interrupted(/update "billing_attempts"/i, { [moment]: nth }) };
    expect((await deliver([chargeOf(attempt)], { bindings })).retried).toHaveLength(1);
    await settle();
    await billedOnce(id);
  });

  test("rows 1, 3: a recurring attempt's start", async () => {
    setClock("2026-03-02T08:00:00.000Z");
    const id = await linked(shop, worker, { next_delivery_date: "2026-03-03" });
    setClock("2026-03-03T08:00:00.000Z");
    const job = { type: "process_due", account_id: shop.of.account.id, subscription_ids: [id] };
    expect((await deliver([job], { bindings: broken(batches.start, moment) })).retried).toHaveLength(1);
    await deliver([job], { attempts: 2 });
    await settle();
    expect(await chargesOf(id)).toHaveLength(1);
    expect((await actionsOf(id)).slice(2)).toEqual(["billing_started", "billing_succeeded"]);
  });
});

test("row 8: a claim whose holder died is taken over when its lease ends, under the same key", async () => {
  const id = await dueLater();
  await shipNow(shop, worker, id);
  worker.forget();
  const [attempt] = await attemptsOf(shop, id);
  await deliver([chargeOf(attempt)], { bindings: broken(batches.claim, "after") });
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "PROCESSING" }]);
  expect(await deliver([chargeOf(attempt)])).toEqual({ acked: ["message-0"], retried: [] });
  expect(await chargesOf(id)).toEqual([]);
  await later(worker, 61);
  await billedOnce(id);
});

test("rows 11, 13: a message after the end, and late ones, change nothing", async () => {
  const id = await dueLater();
  await shipNow(shop, worker, id);
  const [attempt] = await attemptsOf(shop, id);
  await worker.drain();
  for (let nth = 0; nth < 3; nth++)
    expect(await deliver([chargeOf(attempt), chargeOf(attempt)])).toMatchObject({ retried: [] });
  await billedOnce(id);
});

test("row 12: the same message ten times at once", async () => {
  const id = await dueLater();
  await shipNow(shop, worker, id);
  worker.forget();
  const [attempt] = await attemptsOf(shop, id);
  await Promise.all(Array.from({ length: 10 }, () => deliver([chargeOf(attempt)])));
  await settle();
  await billedOnce(id);
});
