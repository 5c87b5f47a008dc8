/** A day that is closed while a charge is under way moves nothing of that charge. */
import { expect, test } from "vitest";
import { addDays } from "../../../src/base/lib/time/calendar.ts";
import { actionsOf, inDays, openShop, read, rowOf, type Shop } from "../../support/shops.ts";
import { attemptsOf, later, linked, ordersOf, shipNow, useWorker } from "../../support/worker.ts";

const worker = useWorker();

/** A charge that the store has and has not answered: of a delivery in ten days. */
async function underWay(shop: Shop): Promise<string> {
  const first = { next_delivery_date: inDays(14), store_payment_method_id: "pm_pending" };
  const id = await linked(shop, worker, first);
  const { status, text } = await shipNow(shop, worker, id, { delivery_date: inDays(10) });
  expect([status, text]).toEqual([200, expect.anything()]);
  await worker.drain({ soon: false });
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "PROCESSING" }]);
  return id;
}

async function datesOf(id: string) {
  const { next_billing_date, next_delivery_date, schedule_revision, open_attempt_id } = await rowOf(id);
  return { next_billing_date, next_delivery_date, schedule_revision, open_attempt_id };
}

test("a customer whose days are closed while their charge is under way gets its order on its day, and the next one on an open day", async () => {
  const shop = await openShop();
  const other = await underWay(shop);
  await worker.drain();
  const { next_delivery_date: usual } = await read(shop, other);
  const id = await underWay(shop);
  const before = await datesOf(id);
  for (const day of new Set([inDays(10), before.next_delivery_date!, usual])) {
    const body = { from: day, to: day, rule: "later", label: "Holiday" };
    const closed = await worker.call(shop.api, "POST", "/api/subscriptions/closed-days", { body });
    expect(closed.status).toBe(201);
  }
  await worker.drain({ soon: false });
  expect(await datesOf(id), "the charge's outcome decides the dates").toEqual(before);
  expect(await actionsOf(id)).not.toContain("delivery_rescheduled");
  await later(worker, 61);
  expect(await attemptsOf(shop, id)).toMatchObject([{ status: "SUCCEEDED", delivery_date: inDays(10) }]);
  expect(await ordersOf(shop, id)).toMatchObject([{ delivery_date: inDays(10) }]);
  const { next_delivery_date, next_billing_date } = await read(shop, id);
  expect([next_billing_date, next_delivery_date]).toEqual([addDays(usual, 1), addDays(usual, 1)]);
  expect(await actionsOf(id)).toContain("billing_succeeded");
});
