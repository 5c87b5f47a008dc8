/** Undoing a job restores nothing that would charge, deliver or revive wrongly, and says why. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { Bindings } from "../../../src/base/env.ts";
import { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import {
  addSlot,
  deliver,
  done,
  force,
  inDays,
  itemOf,
  type Json,
  nextDay,
  on,
  openShop,
  read,
  type Shop,
  states,
} from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import { advance, shipNow, startClock } from "../../support/worker.ts";
import { jobOf, rowsOf, useBulk } from "./bulk-jobs.ts";

const { worker, addOne, bulk, undo } = useBulk();

/** A subscription that is next delivered in three days of its account's own time, from now on. */
async function opened(more: object = {}) {
  const shop = await openShop();
  await startClock(shop, new Date().toISOString());
  return { shop, id: await addOne(shop, { next_delivery_date: inDays(3), ...more }) };
}

/** Takes a job back, with nothing else going on meanwhile. */
async function undoAlone({ api, of }: Shop, job_id: string): Promise<void> {
  expect((await worker.call(api, "POST", `/api/jobs/${job_id}/undo`)).status).toBe(200);
  await deliver([{ type: "work_rows", account_id: of.account.id, job_id }], { bindings: worker.bindings });
  worker.forget();
}

async function expectRefused(shop: Shop, job: string, why: string): Promise<void> {
  await undoAlone(shop, job);
  expect(await jobOf(shop, job)).toMatchObject({ status: "UNDONE", undone: 0 });
  expect(await rowsOf(shop, job)).toMatchObject([
    { status: "OK", errors: [{ message: expect.stringContaining(why) }] },
  ]);
}

describe("undoing a job", () => {
  test("puts no date back that has passed: it would be charged at once", async () => {
    const { shop, id } = await opened();
    const job = await bulk(shop, { action: "reschedule", input: { date: inDays(20) }, ids: [id] });
    await advance(shop, worker, 5);
    await expectRefused(shop, job.id, `${inDays(3)} has passed`);
    expect(await read(shop, id)).toMatchObject({
      next_delivery_date: inDays(20),
      next_billing_date: inDays(20),
    });
  });

  test("moves no date while a billing is under way, whose delivery it would change", async () => {
    const { shop, id } = await opened({ store_payment_method_id: "pm_pending" });
    const job = await bulk(shop, { action: "reschedule", input: { date: inDays(20) }, ids: [id] });
    expect((await shipNow(shop, worker, id)).status).toBe(200);
    await worker.drain({ soon: false });
    await expectRefused(shop, job.id, "a billing attempt is in progress");
    expect(await read(shop, id)).toMatchObject({ next_delivery_date: inDays(20) });
  });

  test("revives nobody whose payment had failed before the cancellation", async () => {
    const { shop, id } = await opened();
    await force(id, states.PAYMENT_FAILED);
    const job = await bulk(shop, { action: "cancel", ids: [id] });
    expect(await undo(shop, job.id)).toMatchObject({ undone: 1 });
    expect(await read(shop, id)).toMatchObject({ status: "PAYMENT_FAILED" });
  });

  test("charges nobody whose day has passed, as long as the rows are kept", async () => {
    const { shop, id } = await opened();
    const other = await addOne(shop, { next_delivery_date: inDays(30) });
    const job = await bulk(shop, { action: "cancel", ids: [id, other] });
    await advance(shop, worker, 5);
    expect(await undo(shop, job.id)).toMatchObject({ undone: 1 });
    expect((await rowsOf(shop, job.id))[0]).toMatchObject({
      status: "OK",
      errors: [{ message: `Cannot undo: ${inDays(3)} has passed` }],
    });
    expect(await read(shop, id)).toMatchObject({ status: "CANCELLED" });
    expect(await read(shop, other)).toMatchObject({ status: "ACTIVE", next_billing_date: inDays(30) });
  });

  test("leaves a pause that its customer has asked for at the same moment", async () => {
    const { shop, id } = await opened();
    const body = { action: "pause", input: {}, ids: [id] };
    const { data } = (await worker.call(shop.api, "POST", "/api/bulk", { body })).body;
    worker.forget();
    let times = 0;
    const DB = interrupted(/update "?subscriptions"? set/i, {
      before: async () => {
        if (times++ === 0) await done(shop.api, "POST", id, "pause", {});
      },
    });
    const bindings: Bindings = { ...env, ...worker.bindings, DB };
    await deliver([{ type: "work_rows", account_id: shop.of.account.id, job_id: data.id }], { bindings });
    await worker.drain();
    expect(await jobOf(shop, data.id)).toMatchObject({ status: "DONE", done: 1 });
    await undoAlone(shop, data.id);
    expect(await read(shop, id)).toMatchObject({ status: "PAUSED" });
    expect(JSON.stringify(await rowsOf(shop, data.id))).toContain("the job has changed nothing of it");
  });

  test("leaves a line that has been promised another price since", async () => {
    const { shop, id } = await opened();
    const change = (input: object) =>
      bulk(shop, {
        action: "change_price",
        input: { store_variant_id: "old", ...input },
        ids: [id],
        notice_days: 0,
      });
    const job = await change({ price: 8, from_cycle: 1 });
    await change({ price: 12, from_cycle: 3 });
    await expectRefused(shop, job.id, "lines changed since");
    const { body } = await api(shop.api, "GET", on(id, "upcoming"), { query: { count: 4 } });
    expect(body.data.map(({ total }: Json) => total)).toEqual([18, 18, 22, 22]);
  });

  test("leaves a line of one order that somebody has changed since", async () => {
    const { shop, id } = await opened();
    const input = itemOf(shop.plan, { store_variant_id: "gift", price: 5 });
    const job = await bulk(shop, { action: "add_one_time_line", input, ids: [id] });
    const gift = (await read(shop, id)).lines.find(({ is_one_time }: Json) => is_one_time);
    await done(shop.api, "PUT", id, `lines/${gift.id}`, { quantity: 3 });
    await expectRefused(shop, job.id, "lines changed since");
    expect((await read(shop, id)).total).toBe(35);
  });

  test("leaves a discount that was given for all of its cycles", async () => {
    const { shop, id } = await opened();
    const input = { title: "Sorry", value: 10, value_type: "PERCENTAGE", target_type: "ORDER" };
    const once = { ...input, recurring_cycle_limit: 1 };
    const job = await bulk(shop, { action: "apply_discount", input: once, ids: [id] });
    await advance(shop, worker, 4);
    await expectRefused(shop, job.id, "discounts changed since");
    expect((await read(shop, id)).discounts).toMatchObject([{ status: "EXHAUSTED" }]);
  });

  async function moved() {
    const shop = await openShop();
    const day = nextDay(3, 40);
    const from = await addSlot(shop, { day_of_week: 3 }, { max_deliveries_per_day: 1 });
    const to = await addSlot(shop, { day_of_week: 3 });
    const id = await addOne(shop, { delivery_slot_id: from, next_delivery_date: day });
    const input = { from_slot_id: from, to_slot_id: to };
    return { shop, from, to, id, day, job: await bulk(shop, { action: "move_slot", input, ids: [id] }) };
  }

  test("takes no place that somebody else has by now", async () => {
    const { shop, from, day, job } = await moved();
    await addOne(shop, { delivery_slot_id: from, next_delivery_date: day });
    await expectRefused(shop, job.id, "is a full day of the delivery slot");
    expect(await select("SELECT count FROM delivery_counts WHERE delivery_slot_id = ?", from)).toEqual([
      { count: 1 },
    ]);
  });

  test("leads to no slot that was deleted", async () => {
    const { shop, from, to, id, job } = await moved();
    await api(shop.api, "DELETE", `/api/subscriptions/delivery-slots/${from}`);
    await expectRefused(shop, job.id, "its delivery slot is gone");
    expect(await read(shop, id)).toMatchObject({ delivery_slot_id: to, delivery_slot_valid: true });
  });

  test("returns no delivery to a day that was closed since", async () => {
    const { shop, id } = await opened({ next_delivery_date: inDays(40) });
    const job = await bulk(shop, { action: "reschedule", input: { date: inDays(45) }, ids: [id] });
    const body = { from: inDays(40), to: inDays(40), rule: "earlier", label: "Holiday" };
    await worker.call(shop.api, "POST", "/api/subscriptions/closed-days", { body });
    await worker.drain();
    await expectRefused(shop, job.id, "closed days");
    expect(await read(shop, id)).toMatchObject({ next_delivery_date: inDays(45) });
  });
});
