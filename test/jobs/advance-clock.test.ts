import { expect, test } from "vitest";
import { logged } from "../support/jobs.ts";
import { entriesOf, type Json } from "../support/lives.ts";
import { advance, deliveriesOf, linked, startClock, useShop } from "../support/machine.ts";

const { shop, worker } = useShop();

test("days without work are passed over, and each day with work comes on its day", async () => {
  await startClock(shop, "2030-01-15T12:00:00.000Z");
  const id = await linked(shop, worker, { next_delivery_date: "2030-12-01" });
  const lines = await logged(() => advance(shop, worker, 350));
  const trips = lines
    .filter(({ type }) => type === "advance_clock")
    .reduce((sum, { db_round_trips }) => sum + db_round_trips, 0);
  expect(trips).toBeLessThan(350);
  const days = ["2030-12-01", "2030-12-08", "2030-12-15", "2030-12-22", "2030-12-29"];
  expect(await deliveriesOf(shop, id)).toEqual(days.map((day) => [day, 10]));
  const started = (await entriesOf(id)).filter(({ action }) => action === "billing_started") as Json[];
  expect(started.map(({ created_at }) => created_at)).toEqual(days.map((day) => `${day}T12:00:00.000Z`));
});
