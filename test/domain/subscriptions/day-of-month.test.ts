/** A schedule of the 31st that is changed in February stays one, unless another day is named. */
import { expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { addPlan, done, itemOf, type Json, on } from "../../support/shops.ts";
import { advance, linked, startClock, useShop } from "../../support/worker.ts";

const at = useShop({ timezone: "Europe/Berlin" });

type Change = [verb: string, body?: object];
const monthly: Change = ["frequency", { interval: "MONTH", interval_count: 1 }];

async function upcoming(id: string): Promise<string[]> {
  const { body } = await api<Json>(at.shop.api, "GET", on(id, "upcoming"), { query: { count: 4 } });
  return body.data.map((one: Json) => one.delivery_date);
}

/** Changes of a monthly subscription of the 31st, made in February. */
const changes: Record<string, [made: Change[], dates: string[]]> = {
  "every two months": [
    [["frequency", { interval: "MONTH", interval_count: 2 }]],
    ["2030-02-28", "2030-04-30", "2030-06-30", "2030-08-31"],
  ],
  "every two months and back": [
    [["frequency", { interval: "MONTH", interval_count: 2 }], monthly],
    ["2030-02-28", "2030-03-31", "2030-04-30", "2030-05-31"],
  ],
  "every year": [
    [["frequency", { interval: "YEAR", interval_count: 1 }]],
    ["2030-02-28", "2031-02-28", "2032-02-29", "2033-02-28"],
  ],
  "every year and back": [
    [["frequency", { interval: "YEAR", interval_count: 1 }], monthly],
    ["2030-02-28", "2030-03-31", "2030-04-30", "2030-05-31"],
  ],
  "every two weeks and back, which have no day of the month": [
    [["frequency", { interval: "WEEK", interval_count: 2 }], monthly],
    ["2030-02-28", "2030-03-28", "2030-04-28", "2030-05-28"],
  ],
  "cancelled and reactivated": [
    [["cancel"], ["reactivate"]],
    ["2030-02-28", "2030-03-31", "2030-04-30", "2030-05-31"],
  ],
  "resumed for the last day of a shorter month": [
    [["pause"], ["resume", { next_delivery_date: "2030-04-30" }]],
    ["2030-04-30", "2030-05-31", "2030-06-30", "2030-07-31"],
  ],
  "resumed for another day": [
    [["pause"], ["resume", { next_delivery_date: "2030-04-29" }]],
    ["2030-04-29", "2030-05-29", "2030-06-29", "2030-07-29"],
  ],
  "skipped by weeks and taken back": [
    [["skip", { skip_weeks: 1 }], ["unskip"]],
    ["2030-02-28", "2030-03-31", "2030-04-30", "2030-05-31"],
  ],
};

test("a schedule of the 31st that is changed in February stays one, unless another day is named", async () => {
  const { shop, worker } = at;
  await startClock(shop, "2030-01-30T12:00:00.000Z");
  const plan = await addPlan(shop, { billing_interval: "MONTH" });
  const next = { next_delivery_date: "2030-01-31", lines: [itemOf(plan)] };
  const ids: string[] = [];
  for (const _ of Object.keys(changes)) ids.push(await linked(shop, worker, next));
  await advance(shop, worker, 6);
  for (const [nth, [name, [made, dates]]] of Object.entries(changes).entries()) {
    const id = ids[nth]!;
    expect(await upcoming(id), name).toEqual(["2030-02-28", "2030-03-31", "2030-04-30", "2030-05-31"]);
    for (const [verb, body] of made)
      await done(shop.api, verb === "frequency" ? "PUT" : "POST", id, verb, body);
    await worker.drain();
    expect(await upcoming(id), name).toEqual(dates);
  }
});
