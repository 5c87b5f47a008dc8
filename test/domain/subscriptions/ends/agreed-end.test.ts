/** A subscription that is to end is charged neither on or after the day, nor after the cycle, that was agreed on. */
import { describe, expect, test } from "vitest";
import { api } from "../../../support/client.ts";
import {
  addPlan,
  done,
  entriesOf,
  force,
  itemOf,
  on,
  openShop,
  read,
  refusal,
} from "../../../support/shops.ts";
import {
  advance,
  attemptsOf,
  linked,
  ordersOf,
  shipNow,
  startClock,
  useWorker,
} from "../../../support/worker.ts";

const worker = useWorker();
const start = "2030-01-01T12:00:00.000Z";

async function monthly(more: object = {}, terms: object = {}) {
  const shop = await openShop();
  await startClock(shop, start);
  const plan = await addPlan(shop, { billing_interval: "MONTH", ...terms });
  const id = await linked(shop, worker, {
    next_delivery_date: "2030-01-10",
    store_payment_method_id: "pm_success",
    lines: [itemOf(plan, { price: 12 })],
    ...more,
  });
  return { shop, id };
}

async function upcomingOf({ shop, id }: Awaited<ReturnType<typeof monthly>>): Promise<string[]> {
  const { body } = await api(shop.api, "GET", on(id, "upcoming"), { query: { count: 12 } });
  return (body.data as { billing_date: string }[]).map(({ billing_date }) => billing_date);
}

describe("ends_on", () => {
  test("the day cancels it, and its charge of that day is not made", async () => {
    const made = await monthly();
    const { shop, id } = made;
    await force(id, { ends_on: "2030-03-10" });
    expect(await upcomingOf(made)).toEqual(["2030-01-10", "2030-02-10"]);
    await advance(shop, worker, 60);
    expect((await ordersOf(shop, id)).length).toBe(2);
    await advance(shop, worker, 30);
    expect((await ordersOf(shop, id)).length).toBe(2);
    const ended = await read(shop, id);
    expect(ended).toMatchObject({ status: "CANCELLED", ends_on: null, next_billing_date: null });
    expect(ended.cancelled_at.slice(0, 10)).toBe("2030-03-10");
    const [entry] = (await entriesOf(id)).filter(({ action }) => action === "subscription_cancelled");
    expect(entry).toMatchObject({ actor_type: "system", metadata: { ends_on: "2030-03-10" } });
  });

  test("a paused one ends on its day, and so does one whose payment is owed", async () => {
    const paused = await monthly();
    await done(paused.shop.api, "POST", paused.id, "pause", {});
    const owing = await monthly({ store_payment_method_id: "pm_insufficient_funds" });
    for (const { shop, id } of [paused, owing]) {
      await advance(shop, worker, 10);
      await force(id, { ends_on: "2030-01-13" });
      await advance(shop, worker, 4);
      expect(await read(shop, id)).toMatchObject({ status: "CANCELLED", is_in_dunning: false });
    }
    expect(await attemptsOf(owing.shop, owing.id)).not.toContainEqual(
      expect.objectContaining({ created_at: expect.stringMatching(/^2030-01-1[3-9]/) }),
    );
  });

  test("neither ship-now nor another payment method charges from the day on, before cron has come", async () => {
    const { shop, id } = await monthly();
    await force(id, { ends_on: "2030-01-01" });
    expect(refusal(await shipNow(shop, worker, id))).toEqual([409, "INVALID_STATE"]);
    await done(shop.api, "PUT", id, "payment-method", { store_payment_method_id: "pm_other" });
    expect(await attemptsOf(shop, id)).toEqual([]);
  });

  test("nobody is reminded of a charge that is not made", async () => {
    const made = await monthly();
    const { shop, id } = made;
    await force(id, { ends_on: "2030-02-10" });
    await advance(shop, worker, 45);
    const days = (await entriesOf(id))
      .filter(({ action }) => action === "payment_reminder_due")
      .map(({ metadata }) => metadata.billing_date);
    expect(days).not.toContain("2030-02-10");
  });

  test("deliveries that are paid for still come", async () => {
    const made = await monthly(
      {},
      { billing_interval_count: 3, delivery_interval: "MONTH", delivery_interval_count: 1 },
    );
    const { shop, id } = made;
    await advance(shop, worker, 15);
    await force(id, { ends_on: "2030-02-01" });
    expect(await upcomingOf(made)).toHaveLength(2);
    await advance(shop, worker, 200);
    expect((await ordersOf(shop, id)).length).toBe(3);
    expect(await read(shop, id)).toMatchObject({ status: "CANCELLED", next_delivery_date: null });
  });
});

describe("ends_after_cycle", () => {
  test("the success of the cycle cancels it", async () => {
    const made = await monthly();
    const { shop, id } = made;
    await force(id, { ends_after_cycle: 2 });
    expect(await upcomingOf(made)).toEqual(["2030-01-10", "2030-02-10"]);
    await advance(shop, worker, 35);
    expect(await read(shop, id)).toMatchObject({ status: "ACTIVE", current_billing_cycle: 2 });
    await advance(shop, worker, 6);
    expect(await read(shop, id)).toMatchObject({ status: "CANCELLED", ends_after_cycle: null });
    await advance(shop, worker, 40);
    expect((await ordersOf(shop, id)).length).toBe(2);
  });
});
