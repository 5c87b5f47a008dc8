import { describe, expect, test } from "vitest";
import { addPlan, done, itemOf, openShop, read } from "../support/shops.ts";
import { advance, deliveriesOf, linked, shipNow, startClock, useWorker } from "../support/worker.ts";
import { turnCard } from "./upcoming-states.ts";

const worker = useWorker();
const monthly = { billing_interval: "MONTH", billing_interval_count: 1 };

/** A monthly subscription of the 31st, whose ship-now of the 10th of February has failed. */
async function failedShipNow(card: string, more: object = {}) {
  const shop = await openShop();
  await startClock(shop, "2030-01-31T12:00:00.000Z");
  const plan = await addPlan(shop, monthly);
  const id = await linked(shop, worker, { lines: [itemOf(plan)] });
  await advance(shop, worker, 10);
  await turnCard({ id }, card);
  await shipNow(shop, worker, id, { allow_repeat: true, ...more });
  await worker.drain();
  await turnCard({ id }, "pm_success");
  return { shop, id };
}

describe("a cycle that is billed on its own day is delivered by the schedule, though a ship-now of it has failed", () => {
  test("after a pause, so that the schedule keeps its day of the month", async () => {
    const { shop, id } = await failedShipNow("pm_card_declined");
    await done(shop.api, "POST", id, "pause");
    await done(shop.api, "POST", id, "resume");
    await advance(shop, worker, 20);
    expect((await deliveriesOf(shop, id)).map(([date]) => date)).toEqual(["2030-01-31", "2030-02-28"]);
    expect((await read(shop, id)).next_delivery_date).toBe("2030-03-31");
  });

  test("after its delivery was moved, which ends a wait for the merchant", async () => {
    const { shop, id } = await failedShipNow("pm_gateway_disabled", { delivery_date: "2030-03-05" });
    await done(shop.api, "PUT", id, "schedule", { next_delivery_date: "2030-02-22" });
    await advance(shop, worker, 15);
    expect((await deliveriesOf(shop, id)).map(([date]) => date)).toEqual(["2030-01-31", "2030-02-22"]);
    expect((await read(shop, id)).next_delivery_date).toBe("2030-03-22");
  });
});
