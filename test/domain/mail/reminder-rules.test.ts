/** Changed rules of reminders hold for every subscription, through crashes, and remind nobody twice of one date. */
import { expect, test } from "vitest";
import { copiesOf } from "../../support/copies.ts";
import { execute, select } from "../../support/database.ts";
import { logged } from "../../support/jobs.ts";
import { type Json, openShop, type Shop } from "../../support/shops.ts";
import { advance, linked, startClock, useWorker } from "../../support/worker.ts";
import { log, postboxOf } from "./postbox.ts";

const worker = useWorker();

/** More subscriptions than a batch changes, each billed every week. */
async function opened(count: number) {
  const shop = await openShop();
  const postbox = postboxOf(shop, worker);
  await postbox.set({ ...log, reminders: [] });
  await startClock(shop, "2030-01-01T12:00:00.000Z");
  const id = await linked(shop, worker, { next_delivery_date: "2030-01-20" });
  await copiesOf(id, count - 1);
  return { shop, postbox };
}

function weekly(days_before: number) {
  return { reminders: [{ interval: "week", at_least: 1, days_before }] };
}

/** How many subscriptions have each number of days. */
async function daysOf({ of }: Shop): Promise<Json> {
  const found = await select<{ days: number | null; n: number }>(
    "SELECT remind_days AS days, COUNT(*) AS n FROM subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) GROUP BY 1",
    of.account.id,
  );
  return Object.fromEntries(found.map(({ days, n }) => [String(days), n]));
}

async function positionsOf({ of }: Shop): Promise<(string | null)[]> {
  const found = await select<{ at: string | null }>(
    "SELECT reminders_applied_to AS at FROM webhook_endpoints WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    of.account.id,
  );
  return found.map(({ at }) => at);
}

test("are applied to a page of subscriptions at once, and to the others by messages, a page each", async () => {
  const { shop, postbox } = await opened(1_100);
  await postbox.set(weekly(10));
  expect(await daysOf(shop)).toEqual({ 10: 500, null: 600 });
  const lines = (await logged(() => worker.drain())) as Json[];
  expect(await daysOf(shop)).toEqual({ 10: 1_100 });
  expect(await positionsOf(shop)).toEqual([null]);
  const jobs = lines.filter(({ event, type }) => event === "job" && type === "apply_reminders");
  expect(jobs).toHaveLength(3);
  for (const { rows_read, rows_written } of jobs) {
    expect(rows_read).toBeLessThan(6 * 500 + 100);
    expect(rows_written).toBeLessThan(6 * 500 + 100);
  }
});

test("are applied by cron where the message was lost", async () => {
  const { shop, postbox } = await opened(600);
  await postbox.set(weekly(10));
  worker.forget();
  await worker.tick();
  expect(await daysOf(shop)).toEqual({ 10: 600 });
  await worker.tick();
  expect(worker.sent()).toEqual([]);
});

test("hold for all after a crash between two pages, and where a message comes twice", async () => {
  const { shop, postbox } = await opened(1_100);
  await postbox.set(weekly(10));
  const [job] = worker.sent().filter(({ type }) => type === "apply_reminders");
  const only = async () => {
    worker.forget();
    await worker.bindings.JOBS.sendBatch([job, job].map((body) => ({ body, delaySeconds: 0 })));
    const send = worker.bindings.JOBS.sendBatch;
    worker.bindings.JOBS.sendBatch = async () => Promise.reject(new Error("the queue is away"));
    await worker.drain().catch(() => undefined);
    worker.bindings.JOBS.sendBatch = send;
  };
  await only();
  expect((await daysOf(shop)).null ?? 0).toBeLessThan(600);
  await worker.tick();
  expect(await daysOf(shop)).toEqual({ 10: 1_100 });
});

test("that change while they are applied hold for all, the last ones", async () => {
  const { shop, postbox } = await opened(1_100);
  await postbox.set(weekly(10));
  const [first] = worker.sent().filter(({ type }) => type === "apply_reminders");
  worker.forget();
  await postbox.set(weekly(12));
  await worker.bindings.JOBS.sendBatch([{ body: first, delaySeconds: 0 }]);
  await worker.drain();
  expect(await daysOf(shop)).toEqual({ 12: 1_100 });
  await postbox.set(weekly(14));
  await postbox.set({ is_enabled: false });
  await worker.drain();
  expect(await daysOf(shop)).toEqual({ null: 1_100 });
});

test("reach subscriptions that are added while they are applied", async () => {
  const { shop, postbox } = await opened(600);
  await postbox.set(weekly(10));
  worker.forget();
  await linked(shop, worker, { next_delivery_date: "2030-01-20" });
  await worker.tick();
  expect(await daysOf(shop)).toEqual({ 10: 601 });
});

test("remind nobody twice of one date, whichever rules came between", async () => {
  const { shop, postbox } = await opened(1);
  await postbox.set(weekly(18));
  await advance(shop, worker, 2);
  expect(await postbox.list({ kind: "upcoming_charge" })).toHaveLength(1);
  for (const days of [5, 15, 20]) {
    await postbox.set(weekly(days));
    await advance(shop, worker, 1);
  }
  await postbox.set({ is_enabled: false });
  await postbox.set({ is_enabled: true });
  await advance(shop, worker, 10);
  expect(await postbox.list({ kind: "upcoming_charge" })).toHaveLength(1);
});

test("that are as before are not applied again", async () => {
  const { shop, postbox } = await opened(1);
  await postbox.set({ reply_to: "help@shop.example.com" });
  expect(worker.sent()).toEqual([]);
  await execute(
    "UPDATE subscriptions SET remind_days = 9 WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    shop.of.account.id,
  );
  await postbox.set({ reminders: [] });
  expect(await daysOf(shop)).toEqual({ 9: 1 });
});
