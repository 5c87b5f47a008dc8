/** A failed ship-now leaves the schedule: the cycle is billed and delivered on its own day. */
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { addPlan, done, itemOf, openShop, read } from "../../support/shops.ts";
import {
  advance,
  deliveriesOf,
  linked,
  ordersOf,
  shipNow,
  startClock,
  useWorker,
} from "../../support/worker.ts";
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
  test("but what is owed stays owed through a pause: it is tried on the day after the resumption", async () => {
    const { shop, id } = await failedShipNow("pm_card_declined");
    await done(shop.api, "POST", id, "pause");
    await done(shop.api, "POST", id, "resume");
    await advance(shop, worker, 20);
    expect((await deliveriesOf(shop, id)).map(([date]) => date)).toEqual(["2030-01-31", "2030-02-11"]);
    expect((await read(shop, id)).next_delivery_date).toBe("2030-03-11");
  });

  test("after its delivery was moved, which ends a wait for the merchant", async () => {
    const { shop, id } = await failedShipNow("pm_gateway_disabled", { delivery_date: "2030-03-05" });
    await done(shop.api, "PUT", id, "schedule", { next_delivery_date: "2030-02-22" });
    await advance(shop, worker, 15);
    expect((await deliveriesOf(shop, id)).map(([date]) => date)).toEqual(["2030-01-31", "2030-02-22"]);
    expect((await read(shop, id)).next_delivery_date).toBe("2030-03-22");
  });
});

describe("a try at what is owed repeats the delivery of the ship-now that failed", () => {
  const asked = { delivery_date: "2030-02-20", production_date: "2030-02-10" };
  const datesOf = async ({ shop, id }: Awaited<ReturnType<typeof failedShipNow>>) =>
    (await ordersOf(shop, id)).map(({ production_date, delivery_date }) => [production_date, delivery_date]);

  test("and is packed today where the day of packing has passed", async () => {
    const failed = await failedShipNow("pm_card_declined", asked);
    await advance(failed.shop, worker, 1);
    expect(await datesOf(failed)).toContainEqual(["2030-02-11", "2030-02-20"]);
  });

  test("but on another day where that was closed meanwhile", async () => {
    const failed = await failedShipNow("pm_card_declined", asked);
    const closed = { from: "2030-02-20", to: "2030-02-20", rule: "later", label: "Stocktaking" };
    await api(failed.shop.api, "POST", "/api/subscriptions/closed-days", { body: closed });
    await advance(failed.shop, worker, 1);
    const deliveries = (await datesOf(failed)).map(([, delivery]) => delivery);
    expect(deliveries.toSorted()).toEqual(["2030-01-31", "2030-02-11"]);
  });
});
