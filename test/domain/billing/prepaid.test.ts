/** A prepaid delivery is made by cron when it is due, once, and none is lost in an outage. */
import { expect, test } from "vitest";
import { api } from "../../support/client.ts";
import {
  actionsOf,
  addPlan,
  addSlot,
  deliver,
  done,
  entriesOf,
  force,
  itemOf,
  type Json,
  on,
  openShop,
  read,
  type Shop,
} from "../../support/shops.ts";
import {
  advance,
  attemptsOf,
  chargesOf,
  clockOf,
  deliveriesOf,
  linked,
  openWorker,
  ordersOf,
  setClock,
  shipNow,
  startClock,
  useWorker,
} from "../../support/worker.ts";

const worker = useWorker();

const slow = { timeout: 30_000 };
const quarterly = {
  billing_interval: "MONTH",
  billing_interval_count: 3,
  delivery_interval: "MONTH",
  delivery_interval_count: 1,
};

async function prepaid(terms: object = {}, more: object = {}): Promise<{ shop: Shop; id: string }> {
  const shop = await openShop();
  await startClock(shop, "2030-01-31T12:00:00.000Z");
  const plan = await addPlan(shop, { ...quarterly, ...terms });
  const id = await linked(shop, worker, {
    next_delivery_date: "2030-01-31",
    lines: [itemOf(plan, { price: 30 })],
    ...more,
  });
  return { shop, id };
}

test("one billing covers three deliveries: a total, then two of nothing, at their dates", slow, async () => {
  const { shop, id } = await prepaid();
  await advance(shop, worker, 95);
  expect(await deliveriesOf(shop, id)).toEqual([
    ["2030-01-31", 30],
    ["2030-02-28", 0],
    ["2030-03-31", 0],
    ["2030-04-30", 30],
  ]);
  for (const order of await ordersOf(shop, id))
    expect(order).toMatchObject({
      status: "PAID",
      fulfillment_status: "UNFULFILLED",
      order_type: "SUBSCRIPTION",
    });
  expect((await chargesOf(id)).map(({ amount }) => amount)).toEqual([3000, 3000]);
  expect(await read(shop, id)).toMatchObject({
    current_billing_cycle: 3,
    total_revenue: 60,
    next_delivery_date: "2030-05-31",
    next_billing_date: "2030-07-31",
  });
  expect((await actionsOf(id)).slice(2)).toEqual([
    "billing_started",
    "billing_succeeded",
    "payment_reminder_due",
    "billing_started",
    "billing_succeeded",
  ]);
});

test("a delivery between is made by cron when it is due, once however often cron comes", async () => {
  setClock("2026-03-02T08:00:00.000Z");
  const shop = await openShop();
  const plan = await addPlan(shop, { ...quarterly, billing_interval: "WEEK", delivery_interval: "WEEK" });
  const id = await linked(shop, worker, {
    next_delivery_date: "2026-03-03",
    lines: [itemOf(plan, { price: 30 })],
  });
  for (const instant of ["2026-03-03T00:00:00.000Z", "2026-03-09T23:59:00.000Z"]) {
    setClock(instant);
    await worker.tick();
  }
  expect(await deliveriesOf(shop, id)).toEqual([["2026-03-03", 30]]);
  setClock("2026-03-10T00:00:00.000Z");
  const [one, two] = [openWorker(), openWorker()];
  await Promise.all([one.tick(), two.tick()]);
  await one.tick();
  expect(await deliveriesOf(shop, id)).toEqual([
    ["2026-03-03", 30],
    ["2026-03-10", 0],
  ]);
});

test("an outage of weeks: one order at once, none of what is paid for is lost", async () => {
  setClock("2026-03-02T08:00:00.000Z");
  const shop = await openShop();
  const plan = await addPlan(shop, { ...quarterly, billing_interval: "WEEK", delivery_interval: "WEEK" });
  const id = await linked(shop, worker, {
    next_delivery_date: "2026-03-03",
    lines: [itemOf(plan, { price: 30 })],
  });
  for (const day of ["03-03", "04-01", "04-01", "04-07", "04-14", "04-21"]) {
    setClock(`2026-${day}T08:00:00.000Z`);
    await worker.tick();
  }
  expect(await deliveriesOf(shop, id)).toEqual([
    ["2026-03-03", 30],
    ["2026-04-01", 0],
    ["2026-04-07", 0],
    ["2026-04-14", 30],
    ["2026-04-21", 0],
  ]);
});

test(
  "the price of the next period is charged when it begins, in one order with its lines",
  slow,
  async () => {
    const { shop, id } = await prepaid();
    await advance(shop, worker, 1);
    const { lines } = await read(shop, id);
    await done(shop.api, "PUT", id, `lines/${lines[0].id}`, { price: 45 });
    await advance(shop, worker, 90);
    expect((await deliveriesOf(shop, id)).map(([, total]) => total)).toEqual([30, 0, 0, 45]);
  },
);

test("max_cycles counts billings: EXPIRED after the last delivery that is paid for", slow, async () => {
  const { shop, id } = await prepaid({ max_cycles: 2 });
  await advance(shop, worker, 100);
  expect(await read(shop, id)).toMatchObject({
    status: "ACTIVE",
    next_billing_date: null,
    next_delivery_date: "2030-05-31",
  });
  await advance(shop, worker, 60);
  expect(await deliveriesOf(shop, id)).toEqual([
    ["2030-01-31", 30],
    ["2030-02-28", 0],
    ["2030-03-31", 0],
    ["2030-04-30", 30],
    ["2030-05-31", 0],
    ["2030-06-30", 0],
  ]);
  expect(await read(shop, id)).toMatchObject({ status: "EXPIRED", next_delivery_date: null });
  expect((await actionsOf(id)).slice(-2)).toEqual(["billing_succeeded", "subscription_expired"]);
  expect((await entriesOf(id)).at(-1)?.metadata).toEqual({ cycles: 2 });
  expect(await attemptsOf(shop, id)).toHaveLength(2);
});

test("after the last billing, upcoming still shows what is paid for", slow, async () => {
  const { shop, id } = await prepaid({ max_cycles: 1 });
  await advance(shop, worker, 1);
  const { data } = (await api(shop.api, "GET", on(id, "upcoming"))).body;
  expect(data.map((one: Json) => [one.delivery_date, one.is_billed, one.total])).toEqual([
    ["2030-02-28", false, 0],
    ["2030-03-31", false, 0],
  ]);
});

test("after the last billing, a pause and a resume leave no further billing", slow, async () => {
  const { shop, id } = await prepaid({ max_cycles: 1 });
  await advance(shop, worker, 1);
  await done(shop.api, "POST", id, "pause");
  await advance(shop, worker, 40);
  expect((await done(shop.api, "POST", id, "resume")).next_billing_date).toBeNull();
  await advance(shop, worker, 90);
  expect((await deliveriesOf(shop, id)).map(([, total]) => total)).toEqual([30, 0, 0]);
  expect((await read(shop, id)).status).toBe("EXPIRED");
});

test("after the last billing, ship-now is for what is paid for no more", slow, async () => {
  const { shop, id } = await prepaid({ max_cycles: 1 });
  await advance(shop, worker, 1);
  await shipNow(shop, worker, id);
  await worker.drain();
  expect(await chargesOf(id)).toHaveLength(1);
});

test(
  "ship-now in the middle of a period bills the next: what was owed is still delivered",
  slow,
  async () => {
    const { shop, id } = await prepaid();
    await advance(shop, worker, 30);
    await shipNow(shop, worker, id);
    await worker.drain();
    const today = (await clockOf(shop)).slice(0, 10);
    await advance(shop, worker, 155);
    const deliveries = await deliveriesOf(shop, id);
    expect(deliveries.slice(0, 7).map(([, total]) => total)).toEqual([30, 0, 30, 0, 0, 0, 30]);
    expect(deliveries[2]?.[0]).toBe(today);
  },
);

test("with a slot: each delivery on its day, packed before it", slow, async () => {
  const shop = await openShop();
  await startClock(shop, "2030-01-30T12:00:00.000Z");
  const plan = await addPlan(shop, quarterly);
  const slot = await addSlot(shop, { day_of_week: 5, packing_day_of_week: 3, billing_day_of_week: 1 });
  const id = await linked(shop, worker, {
    next_delivery_date: "2030-02-08",
    delivery_slot_id: slot,
    lines: [itemOf(plan, { price: 30 })],
  });
  await advance(shop, worker, 110);
  const orders = (await ordersOf(shop, id)).reverse();
  expect(
    orders.map((order) => [order.billing_date, order.production_date, order.delivery_date, order.total]),
  ).toEqual([
    ["2030-02-04", "2030-02-06", "2030-02-08", 30],
    ["2030-03-06", "2030-03-06", "2030-03-08", 0],
    ["2030-04-10", "2030-04-10", "2030-04-12", 0],
    ["2030-05-06", "2030-05-08", "2030-05-10", 30],
  ]);
});

test("a message that comes early bills nothing while deliveries are owed", slow, async () => {
  const { shop, id } = await prepaid();
  await advance(shop, worker, 1);
  await force(id, { next_billing_date: "2030-02-01" });
  await deliver([{ type: "process_due", account_id: shop.of.account.id, subscription_ids: [id] }], {
    bindings: worker.bindings,
  });
  await worker.drain();
  expect(await attemptsOf(shop, id)).toHaveLength(1);
  expect(await deliveriesOf(shop, id)).toEqual([["2030-01-31", 30]]);
});

test("a plan whose billing is no whole multiple of its delivery is refused", async () => {
  const shop = await openShop();
  const body = { id: "odd", name: "Odd", ...quarterly, delivery_interval_count: 2 };
  const answer = await api(shop.api, "POST", "/api/subscriptions/selling-plans", { body });
  expect([answer.status, answer.body.errorCode]).toEqual([400, "VALIDATION_FAILED"]);
});
