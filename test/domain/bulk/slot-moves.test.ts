/** A bulk move of slots moves those who are in the slot, and no delivery that its customer moves meanwhile. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { Bindings } from "../../../src/base/env.ts";
import { addSlot, deliver, done, nextDay, openShop, read, type Shop } from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import { later } from "../../support/worker.ts";
import { jobOf, rowsOf, useBulk } from "./bulk-jobs.ts";

const { worker, addOne, bulk } = useBulk();

/** A slot of Wednesdays, one of Fridays, and a subscription in the first. */
async function opened() {
  const shop = await openShop();
  const [from, to] = [await addSlot(shop, { day_of_week: 3 }), await addSlot(shop, { day_of_week: 5 })];
  const id = await addOne(shop, { delivery_slot_id: from, next_delivery_date: nextDay(3, 40) });
  return { shop, from, to, id };
}

test("who is not in the slot that is named stays where they are", async () => {
  const { shop, from, to, id } = await opened();
  const input = { from_slot_id: to, to_slot_id: from };
  const job = await bulk(shop, { action: "move_slot", input, ids: [id] });
  expect(await rowsOf(shop, job.id)).toMatchObject([
    { status: "SKIPPED", errors: [{ message: expect.stringContaining(`not delivered in the slot ${to}`) }] },
  ]);
  expect(await read(shop, id)).toMatchObject({
    delivery_slot_id: from,
    next_delivery_date: nextDay(3, 40),
  });
});

test("a delivery that its customer moves at the same moment goes to the new slot's day behind that", async () => {
  const { shop, from, to, id } = await opened();
  const job = await begun(shop, { from_slot_id: from, to_slot_id: to }, id);
  const day = nextDay(3, 54);
  let times = 0;
  const DB = interrupted(/^select .* from "subscriptions"/i, {
    after: async () => {
      if (times++ === 0) await done(shop.api, "PUT", id, "schedule", { next_delivery_date: day });
    },
  });
  const bindings: Bindings = { ...env, ...worker.bindings, DB };
  await deliver([{ type: "work_rows", account_id: shop.of.account.id, job_id: job }], { bindings });
  expect(times).toBeGreaterThan(1);
  await later(worker, 300);
  expect(await jobOf(shop, job)).toMatchObject({ status: "DONE", done: 1 });
  expect(await read(shop, id)).toMatchObject({
    delivery_slot_id: to,
    next_delivery_date: nextDay(5, 56),
  });
});

/** A job that no message has worked on. */
async function begun(shop: Shop, input: object, id: string): Promise<string> {
  const body = { action: "move_slot", input, ids: [id] };
  const answer = await worker.call(shop.api, "POST", "/api/bulk", { body });
  expect(answer.status, answer.text).toBe(202);
  worker.forget();
  return answer.body.data.id;
}
