/** One billing pays for as many deliveries as its plan says, whatever the frequency becomes. */
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";

import { prepaid, projectedOf, totalsOf } from "../../support/prepaid.ts";
import {
  addPlan,
  done,
  force,
  inDays,
  itemOf,
  type Json,
  on,
  read,
  refusal,
  rowOf,
  subscribe,
} from "../../support/shops.ts";
import { advance, chargesOf, deliveriesOf, shipNow, useShop } from "../../support/worker.ts";

const { shop, worker } = useShop();

const slow = { timeout: 60_000 };

type Interval = [unit: string, count: number];

async function bought(billing: Interval, delivery: Interval): Promise<string> {
  const plan = await addPlan(shop, {
    billing_interval: billing[0],
    billing_interval_count: billing[1],
    delivery_interval: delivery[0],
    delivery_interval_count: delivery[1],
  });
  return subscribe(shop, { lines: [itemOf(plan)] });
}

function ask(id: string, [interval, interval_count]: Interval, query = {}) {
  return api<Json>(shop.api, "PUT", on(id, "frequency"), { body: { interval, interval_count }, query });
}

describe("one billing pays for as many deliveries as the plan says, whatever the frequency", () => {
  test.each<[Interval, Interval, Interval, Interval | 400]>([
    [
      ["MONTH", 3],
      ["MONTH", 1],
      ["MONTH", 6],
      ["MONTH", 2],
    ],
    [
      ["MONTH", 3],
      ["MONTH", 1],
      ["MONTH", 24],
      ["MONTH", 8],
    ],
    [
      ["MONTH", 3],
      ["MONTH", 1],
      ["YEAR", 1],
      ["MONTH", 4],
    ],
    [
      ["MONTH", 3],
      ["MONTH", 1],
      ["YEAR", 3],
      ["YEAR", 1],
    ],
    [
      ["MONTH", 3],
      ["MONTH", 1],
      ["WEEK", 3],
      ["WEEK", 1],
    ],
    [
      ["MONTH", 3],
      ["MONTH", 1],
      ["DAY", 21],
      ["DAY", 7],
    ],
    [["MONTH", 3], ["MONTH", 1], ["MONTH", 4], 400],
    [["MONTH", 3], ["MONTH", 1], ["WEEK", 1], 400],
    [["MONTH", 3], ["MONTH", 1], ["DAY", 1], 400],
    [
      ["YEAR", 1],
      ["MONTH", 1],
      ["YEAR", 2],
      ["MONTH", 2],
    ],
    [
      ["YEAR", 1],
      ["MONTH", 1],
      ["MONTH", 12],
      ["MONTH", 1],
    ],
    [["YEAR", 1], ["MONTH", 1], ["MONTH", 6], 400],
    [
      ["WEEK", 2],
      ["DAY", 2],
      ["WEEK", 1],
      ["DAY", 1],
    ],
    [
      ["WEEK", 2],
      ["DAY", 2],
      ["MONTH", 7],
      ["MONTH", 1],
    ],
    [["WEEK", 2], ["DAY", 2], ["MONTH", 8], 400],
    [["WEEK", 4], ["WEEK", 1], ["WEEK", 2], 400],
    [
      ["WEEK", 4],
      ["WEEK", 1],
      ["WEEK", 8],
      ["WEEK", 2],
    ],
    [
      ["WEEK", 1],
      ["WEEK", 1],
      ["MONTH", 5],
      ["MONTH", 5],
    ],
  ])("%j delivered %j, asked for %j: delivered %j", async (billing, delivery, asked, expected) => {
    const id = await bought(billing, delivery);
    const before = await rowOf(id);
    const answer = await ask(id, asked);
    if (expected === 400) {
      expect(refusal(answer)).toEqual([400, "FREQUENCY_NOT_OFFERED"]);
      expect(answer.body.details).toMatchObject([{ path: "interval_count" }]);
      expect(await rowOf(id)).toEqual(before);
      return;
    }
    expect(answer.body.data).toMatchObject({
      billing_interval: asked[0],
      billing_interval_count: asked[1],
      delivery_interval: expected[0],
      delivery_interval_count: expected[1],
      next_billing_date: inDays(7),
      next_delivery_date: inDays(7),
    });
    expect((await rowOf(id)).deliveries_per_billing).toBe(before.deliveries_per_billing);
  });

  test("one that is not offered is a refusal as a dry run too, and before the state", async () => {
    const id = await bought(["MONTH", 3], ["MONTH", 1]);
    expect(refusal(await ask(id, ["MONTH", 4], { dry_run: true }))).toEqual([400, "FREQUENCY_NOT_OFFERED"]);
    await done(shop.api, "POST", id, "cancel");
    expect(refusal(await ask(id, ["MONTH", 4]))).toEqual([400, "FREQUENCY_NOT_OFFERED"]);
    expect(refusal(await ask(id, ["MONTH", 6]))).toEqual([409, "INVALID_STATE"]);
  });
});

test("24 months for one price of three deliveries: three in 24 months", slow, async () => {
  const { shop, id } = await prepaid(worker);
  await advance(shop, worker, 1 / 24);
  await done(shop.api, "PUT", id, "frequency", { interval: "MONTH", interval_count: 24 });
  await advance(shop, worker, 300);
  expect(await deliveriesOf(shop, id)).toEqual([
    ["2030-01-31", 30],
    ["2030-02-28", 0],
    ["2030-10-31", 0],
  ]);
  expect(await chargesOf(id)).toHaveLength(1);
});

test(
  "what is owed survives a change: the next delivery stays, later ones and the billing after follow",
  slow,
  async () => {
    const { shop, id } = await prepaid(worker);
    await advance(shop, worker, 1 / 24);
    const changed = await done(shop.api, "PUT", id, "frequency", { interval: "MONTH", interval_count: 6 });
    expect(changed).toMatchObject({ next_delivery_date: "2030-02-28", next_billing_date: "2030-06-30" });
    const projected = await projectedOf({ shop, id }, 4);
    await advance(shop, worker, 250);
    const deliveries: [string, number][] = [
      ["2030-02-28", 0],
      ["2030-04-30", 0],
      ["2030-06-30", 30],
      ["2030-08-31", 0],
    ];
    expect(projected).toEqual(deliveries);
    expect((await deliveriesOf(shop, id)).slice(1, 5)).toEqual(deliveries);
  },
);

test("two changes, there and back, leave what is owed", slow, async () => {
  const { shop, id } = await prepaid(worker);
  await advance(shop, worker, 1 / 24);
  for (const [interval, interval_count] of [
    ["WEEK", 3],
    ["MONTH", 3],
  ])
    await done(shop.api, "PUT", id, "frequency", { interval, interval_count });
  expect(await read(shop, id)).toMatchObject({
    next_delivery_date: "2030-02-28",
    next_billing_date: "2030-04-28",
  });
  await advance(shop, worker, 65);
  expect(await totalsOf({ shop, id })).toEqual([30, 0, 0]);
});

describe("how many deliveries are paid for is frozen with the amount", () => {
  test("a frequency changed while it is billed changes when they come, not how many", slow, async () => {
    const { shop, id } = await prepaid(worker);
    await shipNow(shop, worker, id);
    await api(shop.api, "PUT", on(id, "frequency"), { body: { interval: "MONTH", interval_count: 12 } });
    await worker.drain();
    await advance(shop, worker, 300);
    expect(await deliveriesOf(shop, id)).toEqual([
      ["2030-01-31", 30],
      ["2030-05-31", 0],
      ["2030-09-30", 0],
    ]);
  });

  test("what a billing pays for from then on does not change what one in progress does", slow, async () => {
    const { shop, id } = await prepaid(worker);
    await shipNow(shop, worker, id);
    await force(id, { deliveries_per_billing: 1 });
    await worker.drain();
    const { next_index, next_billed_index } = await rowOf(id);
    expect(next_billed_index - next_index).toBe(2);
  });
});
