/** A move that is killed after any of its steps goes on without loss. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { holdsJobs } from "../../../src/base/accounts/moving.ts";
import { type AccountStub, objectOf } from "../../../src/base/accounts/objects.ts";
import type { Row } from "../../../src/base/db/port.ts";
import { type Engine, parseEnv } from "../../../src/base/env.ts";
import type { Job } from "../../../src/base/job.ts";
import { tick } from "../../../src/runtime/jobs/tick.ts";
import { api } from "../../support/client.ts";
import { inObject } from "../../support/objects.ts";
import { type Json, on, openShop, type Shop, subscribe } from "../../support/shops.ts";
import { setClock, useWorker } from "../../support/worker.ts";
import { accountNow, dbAt, everyRow, Killed, killedAt, mover, withoutAlarms } from "./moving.ts";

withoutAlarms();
const worker = useWorker();
let shop: Shop;
let id: string;
beforeAll(async () => {
  shop = await openShop();
  ({ id } = shop.of.account);
});
afterEach(() => {
  vi.useRealTimers();
});

async function rowsIn(engine: Engine, sql: string): Promise<Row[]> {
  return (await dbAt(engine, id).batch([{ sql, params: [] }], "read"))[0]!.rows;
}

/** Messages are delivered wherever the account is now. */
async function deliverHere(jobs: Job[]): Promise<void> {
  const account = await accountNow(id);
  const messages = jobs.map((body, nth) => ({ id: `m${nth}`, attempts: 1, body }));
  const stub: AccountStub = objectOf(parseEnv(env), account);
  if (account.engine === "object") await stub.work(account, "perennial-jobs", messages);
  else {
    await worker.bindings.JOBS.sendBatch(jobs.map((body) => ({ body, delaySeconds: 0 })));
    await worker.drain({ soon: false });
    worker.forget();
  }
}

/** Minutes pass: cron looks, and so does the object's alarm, and what they send is worked on. */
async function minutesPass(minutes: number): Promise<void> {
  for (let nth = 0; nth < minutes; nth++) {
    setClock(Date.now() + 61_000);
    const isHeld = holdsJobs(await accountNow(id));
    await worker.tick().catch((error) => {
      if (!isHeld) throw error;
    });
    const { engine } = await accountNow(id);
    if (engine !== "object") continue;
    const jobs: Job[] = [];
    const queue = {
      sendBatch: async (sent: Iterable<{ body: Job }>) =>
        void jobs.push(...[...sent].map(({ body }) => body)),
    } as unknown as Queue<unknown>;
    await inObject(id, ({ storage }) =>
      tick({ ...worker.bindings, JOBS: queue, EVENTS: queue, STORAGE: { storage } }, new Date()),
    );
    await deliverHere(jobs.filter(({ type }) => type !== "reconcile"));
  }
}

/** A subscription whose charge the store has made, and whose answer never came. */
async function chargedWithoutAnswer(): Promise<string> {
  const subscription = await subscribe(shop, { store_payment_method_id: "pm_timeout" });
  await minutesPass(3);
  const answer = await api(shop.api, "POST", on(subscription, "ship-now"));
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  const attempt_id: string = answer.body.billing_attempt_id;
  await deliverHere([{ type: "charge", account_id: id, attempt_id, subscription_id: subscription }]);
  const { engine } = await accountNow(id);
  expect(await rowsIn(engine, `SELECT status FROM billing_attempts WHERE id = '${attempt_id}'`)).not.toEqual([
    { status: "SUCCEEDED" },
  ]);
  return subscription;
}

async function eventsOf(): Promise<Json[]> {
  const events: Json[] = [];
  for (let after = 0, more = true; more; ) {
    const { body } = await api(shop.api, "GET", "/api/events", { query: { after, limit: 100 } });
    events.push(...body.data);
    [after, more] = [body.meta.next_after, body.meta.has_more];
  }
  return events;
}

/** The directory says how far the account is on its way. */
const marked = /^d1: [\s\S]*update "accounts" set "moving" = \?/;

type Step = { name: string; at: RegExp; nth?: number; isDone?: boolean };

const both: Step[] = [
  { name: "it is announced", at: /^d1: update "accounts" set "moving"/ },
  { name: "it is about to be closed", at: /^d1: update "accounts" set "moving"/, nth: 2 },
  { name: "the fence is put up", at: /BEFORE INSERT ON "/ },
  { name: "the fence is about to be put up", at: /BEFORE INSERT ON "/, isDone: false },
  { name: "it is moved", at: /^d1: [\s\S]*"engine" = \?/ },
  { name: "it is about to be moved", at: /^d1: [\s\S]*"engine" = \?/, isDone: false },
  { name: "a call has its turn to copy", at: marked, nth: 3 },
  { name: "some pages are copied", at: /INSERT INTO "/, nth: 9 },
];
const steps: [Engine, Step][] = [
  ...both.flatMap((step): [Engine, Step][] => [
    ["object", step],
    ["d1", step],
  ]),
  ["object", { name: "it has ended", at: /^d1: [\s\S]*DROP TRIGGER[\s\S]*update "accounts" set "moving"/ }],
  ["d1", { name: "it has ended", at: marked, nth: 4 }],
  ["object", { name: "the object has its settings", at: /^object: [\s\S]*update "accounts" set "name"/ }],
  ["d1", { name: "the directory's history is closed", at: /INSTEAD OF INSERT ON new_entries/ }],
  ["object", { name: "what is left behind is deleted in part", at: /^d1: [\s\S]*DELETE FROM "/, nth: 5 }],
  ["d1", { name: "the object is erased", at: /^erase/ }],
];

test.each(steps)(
  "moved to %s and killed after %o, it goes on without loss",
  async (to, { name, ...step }) => {
    setClock(Date.now());
    const from = (await accountNow(id)).engine;
    expect(from, name).not.toBe(to);
    const subscription = await chargedWithoutAnswer();
    const events = await eventsOf();
    const list = (await api(shop.api, "GET", "/api/subscriptions")).body;

    const operator = mover(shop.of.account);
    const { over, hasStruck } = killedAt(operator.ports(), step);
    let isOver = false;
    while (!isOver)
      isOver = await operator
        .step(to, { d1: over.d1!, object: over.object!, eraseObject: over.eraseObject! })
        .then(
          ({ step: at }) => at === "moved",
          (error) => {
            if (error instanceof Killed) return true;
            throw error;
          },
        );
    expect(hasStruck(), "the step was come to").toBe(true);

    const readMeanwhile = await api(shop.api, "GET", "/api/subscriptions");
    expect([readMeanwhile.status, readMeanwhile.body]).toEqual([200, list]);
    setClock(operator.now().getTime());
    await minutesPass(2);

    const again = mover(shop.of.account, { startMs: Date.now() });
    await again.until(to);
    setClock(again.now().getTime());
    await minutesPass(4);

    expect((await accountNow(id)).engine).toBe(to);
    expect(Object.values(await everyRow(dbAt("d1", id), id)).flat().length > 0).toBe(to === "d1");
    expect(
      await rowsIn(
        to,
        `SELECT a.status, COUNT(c.idempotency_key) AS charges, COUNT(DISTINCT o.id) AS orders FROM billing_attempts AS a
        LEFT JOIN sandbox_charges AS c ON c.idempotency_key = a.store_key
        LEFT JOIN orders AS o ON o.store_order_id = 'sandbox-order-' || c.charge_number
        WHERE a.subscription_id = '${subscription}' GROUP BY a.id`,
      ),
    ).toEqual([{ status: "SUCCEEDED", charges: 1, orders: 1 }]);
    const after = await eventsOf();
    expect(after.slice(0, events.length)).toEqual(events);
    expect(after.map(({ sequence }) => sequence)).toEqual(after.map((_, nth) => nth + 1));
  },
);
