/** A subscription that is due on its account's day is billed once, and its next date follows. */
import { describe, expect, test, vi } from "vitest";
import {
  actionsOf,
  addPlan,
  addSlot,
  deliver,
  force,
  itemOf,
  openShop,
  read,
  rowOf,
  type Shop,
  type State,
  states,
  subscribe,
} from "../../support/shops.ts";
import {
  attemptsOf,
  chargesOf,
  deliveriesOf,
  later,
  linked,
  openWorker,
  ordersOf,
  setClock,
  useShop,
} from "../../support/worker.ts";

const { shop, worker } = useShop();

async function at(instant: string): Promise<void> {
  setClock(instant);
  await worker.tick();
}

function dueOn(at: Shop, next_delivery_date: string, more: object = {}) {
  return linked(at, worker, { next_delivery_date, ...more });
}

test("what is due is billed: attempt, charge, order, entries, next date", async () => {
  setClock("2026-03-02T08:00:00.000Z");
  const id = await dueOn(shop, "2026-03-03");
  await at("2026-03-02T23:59:00.000Z");
  expect(await attemptsOf(shop, id)).toEqual([]);
  await at("2026-03-03T00:00:00.000Z");
  expect(await attemptsOf(shop, id)).toMatchObject([
    { trigger: "RECURRING", status: "SUCCEEDED", cycle: 1, attempt_number: 1, billing_date: "2026-03-03" },
  ]);
  expect(await read(shop, id)).toMatchObject({
    next_delivery_date: "2026-03-10",
    next_billing_date: "2026-03-10",
    current_billing_cycle: 2,
  });
  expect((await actionsOf(id)).slice(2)).toEqual([
    ...["payment_reminder_due", "billing_started", "billing_succeeded"],
  ]);
  expect(await chargesOf(id)).toEqual([{ amount: 1000, state: "SUCCEEDED" }]);
  vi.useRealTimers();
  expect(await ordersOf(shop, id)).toMatchObject([
    {
      order_type: "SUBSCRIPTION",
      status: "PAID",
      fulfillment_status: "UNFULFILLED",
      delivery_date: "2026-03-03",
    },
  ]);
});

test("each account's day is its own: one instant, two days", async () => {
  const [west, east] = [
    await openShop({ timezone: "America/Los_Angeles" }),
    await openShop({ timezone: "Pacific/Auckland" }),
  ];
  setClock("2026-03-02T08:00:00.000Z");
  const [inWest, inEast] = [await dueOn(west, "2026-03-04"), await dueOn(east, "2026-03-04")];
  await at("2026-03-03T10:59:00.000Z");
  expect(await attemptsOf(east, inEast)).toEqual([]);
  await at("2026-03-03T11:00:00.000Z");
  expect(await attemptsOf(east, inEast)).toHaveLength(1);
  expect(await attemptsOf(west, inWest)).toEqual([]);
  await at("2026-03-04T07:59:00.000Z");
  expect(await attemptsOf(west, inWest)).toEqual([]);
  await at("2026-03-04T08:00:00.000Z");
  expect(await attemptsOf(west, inWest)).toMatchObject([{ status: "SUCCEEDED", billing_date: "2026-03-04" }]);
  expect(await attemptsOf(east, inEast)).toHaveLength(1);
});

test.each<[string, string, string[]]>([
  ["a week", "2026-03-13T09:00:00.000Z", ["2026-03-13", "2026-03-17"]],
  ["a month", "2026-04-09T09:00:00.000Z", ["2026-04-09", "2026-04-14"]],
])(
  "ticks missed for %s: one order to catch up, then the same days of the week",
  async (_, instant, dates) => {
    setClock("2026-03-02T08:00:00.000Z");
    const id = await dueOn(shop, "2026-03-03");
    await at(instant);
    await at(instant);
    await at(`${dates[1]}T00:00:00.000Z`);
    vi.useRealTimers();
    expect(await deliveriesOf(shop, id)).toEqual(dates.map((date) => [date, 10]));
    expect(await rowOf(id)).toMatchObject({ anchor_date: "2026-03-03", current_billing_cycle: 3 });
  },
);

test("a tick that comes twice, or two at once, bills once", async () => {
  setClock("2026-03-02T08:00:00.000Z");
  const id = await dueOn(shop, "2026-03-03");
  const [one, two] = [openWorker(), openWorker()];
  setClock("2026-03-03T00:00:00.000Z");
  await Promise.all([one.tick(), two.tick()]);
  await Promise.all([one.tick(), two.tick()]);
  vi.useRealTimers();
  expect(await attemptsOf(shop, id)).toHaveLength(1);
  expect(await ordersOf(shop, id)).toHaveLength(1);
  expect(await chargesOf(id)).toHaveLength(1);
});

test("the 31st of January, and every month's end after it", async () => {
  const monthly = await addPlan(shop, { billing_interval: "MONTH" });
  setClock("2026-01-30T08:00:00.000Z");
  const id = await dueOn(shop, "2026-01-31", { lines: [itemOf(monthly)] });
  const dates = ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"];
  for (const date of dates) await at(`${date}T06:00:00.000Z`);
  vi.useRealTimers();
  expect(await deliveriesOf(shop, id)).toEqual(dates.map((date) => [date, 10]));
  expect((await read(shop, id)).next_delivery_date).toBe("2026-06-30");
});

test("with a slot: billed on its billing day, packed and delivered on its days", async () => {
  setClock("2026-03-02T08:00:00.000Z");
  const day = { day_of_week: 5, packing_day_of_week: 3, billing_day_of_week: 1, courier_lead_time_days: 1 };
  const slot = await addSlot(shop, day);
  const id = await dueOn(shop, "2026-03-13", { delivery_slot_id: slot });
  expect(await read(shop, id)).toMatchObject({
    next_billing_date: "2026-03-09",
    next_production_date: "2026-03-11",
  });
  await at("2026-03-08T23:00:00.000Z");
  expect(await attemptsOf(shop, id)).toEqual([]);
  await at("2026-03-09T00:00:00.000Z");
  vi.useRealTimers();
  expect(await ordersOf(shop, id)).toMatchObject([
    {
      billing_date: "2026-03-09",
      production_date: "2026-03-11",
      delivery_date: "2026-03-13",
      delivery_slot: { id: slot },
    },
  ]);
  expect(await read(shop, id)).toMatchObject({
    next_billing_date: "2026-03-16",
    next_production_date: "2026-03-18",
    next_delivery_date: "2026-03-20",
  });
});

test("where the delivery's day has passed, the catch-up is delivered on the slot's earliest", async () => {
  setClock("2026-03-02T08:00:00.000Z");
  const slot = await addSlot(shop, { day_of_week: 5, packing_day_of_week: 3 });
  const id = await dueOn(shop, "2026-03-06", { delivery_slot_id: slot });
  await at("2026-03-12T08:00:00.000Z");
  vi.useRealTimers();
  expect(await ordersOf(shop, id)).toMatchObject([
    { delivery_date: "2026-03-20", production_date: "2026-03-18" },
  ]);
  expect((await read(shop, id)).next_delivery_date).toBe("2026-03-27");
});

describe("what is not billed", () => {
  test.each<State>(["PAUSED", "CANCELLED", "EXPIRED", "PAYMENT_FAILED", "DUNNING"])("%s", async (state) => {
    setClock("2026-03-02T08:00:00.000Z");
    const id = await dueOn(shop, "2026-03-03");
    await force(id, states[state]);
    await at("2026-03-03T08:00:00.000Z");
    expect(await attemptsOf(shop, id)).toEqual([]);
  });

  test("without a contract, until there is one", async () => {
    setClock("2026-03-02T08:00:00.000Z");
    const id = await subscribe(shop, { next_delivery_date: "2026-03-03" });
    setClock("2026-03-03T00:00:00.000Z");
    await worksWithoutLinks(id);
    expect(await attemptsOf(shop, id)).toEqual([]);
    await later(worker, 60);
    expect(await attemptsOf(shop, id)).toEqual([]);
    await later(worker, 60);
    expect(await attemptsOf(shop, id)).toMatchObject([{ status: "SUCCEEDED" }]);
  });
});

/** A subscription whose links never arrive is found due by nobody. */
async function worksWithoutLinks(id: string): Promise<void> {
  const account_id = shop.of.account.id;
  await deliver([
    { type: "find_due", account_id, kind: "schedule" },
    { type: "process_due", account_id, subscription_ids: [id] },
  ]);
}
