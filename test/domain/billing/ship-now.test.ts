/** A ship-now makes one order at the date of its request, and the cycle counts from that delivery. */
import { describe, expect, test } from "vitest";
import { addDays, dayOfWeek } from "../../../src/base/lib/time/calendar.ts";
import { api } from "../../support/client.ts";
import {
  actionsOf,
  addPlan,
  addSlot,
  done,
  entriesOf,
  feedOf,
  inDays,
  itemOf,
  type Json,
  nextDay,
  on,
  read,
} from "../../support/shops.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { attemptsOf, chargesOf, linked, ordersOf, shipNow, useShop } from "../../support/worker.ts";

const { shop, worker } = useShop();

describe("what a success says", () => {
  test("success, message, the attempt and where it is", async () => {
    const id = await linked(shop, worker, { next_delivery_date: inDays(7) });
    const { status, body, headers } = await shipNow(shop, worker, id);
    expect([status, body]).toEqual([
      200,
      { success: true, message: "The billing attempt has started", billing_attempt_id: expect.any(String) },
    ]);
    expect(headers.get("Location")).toBe(on(id, `billing-attempts/${body.billing_attempt_id}`));
    expect((await api(shop.api, "GET", headers.get("Location")!)).body.data.id).toBe(body.billing_attempt_id);
    await worker.drain();
  });

  test.each([[{}], [undefined]])("a body of %j is as good as none", async (body) => {
    const id = await linked(shop, worker, { next_delivery_date: inDays(7) });
    expect((await shipNow(shop, worker, id, body)).status).toBe(200);
    await worker.drain();
    expect(await ordersOf(shop, id)).toMatchObject([{ delivery_date: inDays(0), total: 10, status: "PAID" }]);
  });

  test("a dry run says that an attempt would start, for how much and when, and writes and sends nothing", async () => {
    const id = await linked(shop, worker, { next_delivery_date: inDays(7) });
    const before = await rowsOf(shop.of.account.id);
    const { status, body, headers } = await shipNow(shop, worker, id, {}, { query: { dry_run: true } });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        message: "Dry run: a billing attempt would start; nothing was charged",
        dry_run: {
          cycle: 1,
          amount: 10,
          currency_code: "USD",
          billing_date: inDays(0),
          delivery_date: inDays(0),
          production_date: null,
          delivery_slot_id: null,
        },
        following_delivery_date: inDays(7),
      },
    ]);
    expect(headers.get("Location")).toBeNull();
    expect(worker.sent()).toEqual([]);
    expect(await rowsOf(shop.of.account.id)).toBe(before);
  });

  test("its history names who asked; the order is the system's", async () => {
    const id = await linked(shop, worker, { next_delivery_date: inDays(7) });
    const { body } = await worker.call(shop.customer, "POST", on(id, "ship-now"));
    await worker.drain();
    const [asked, placed] = (await entriesOf(id)).slice(-2);
    expect(asked).toMatchObject({
      action: "ship_now_requested",
      actor_type: "customer",
      actor_name: "Cy",
      metadata: {
        billing_attempt_id: body.billing_attempt_id,
        cycle: 1,
        attempt_number: 1,
        trigger: "SHIP_NOW",
      },
    });
    expect(placed).toMatchObject({
      action: "billing_succeeded",
      actor_type: "system",
      metadata: { billing_attempt_id: body.billing_attempt_id, cycle: 1 },
    });
    const [order] = await ordersOf(shop, id);
    expect((await feedOf(shop, id))[0]).toMatchObject({ action: "billing_succeeded", order_id: order.id });
    expect(await actionsOf(order.id)).toEqual(["order_placed"]);
  });
});

describe("when and where the order goes", () => {
  test("at the date and in the slot of the body; the next cycle counts from that delivery", async () => {
    const slot = await addSlot(shop, { day_of_week: 3, packing_day_of_week: 2, billing_day_of_week: 1 });
    const id = await linked(shop, worker, { next_delivery_date: inDays(20) });
    const date = nextDay(3, 10);
    await shipNow(shop, worker, id, { delivery_date: date, slot_id: slot });
    await worker.drain();
    expect(await ordersOf(shop, id)).toMatchObject([
      {
        delivery_date: date,
        production_date: addDays(date, -1),
        billing_date: inDays(0),
        delivery_slot: { id: slot },
      },
    ]);
    expect(await read(shop, id)).toMatchObject({
      next_delivery_date: addDays(date, 7),
      next_billing_date: addDays(date, 7),
      current_billing_cycle: 2,
      delivery_slot_id: null,
    });
  });

  test("the production date of the request is the order's", async () => {
    const id = await linked(shop, worker, { next_delivery_date: inDays(20) });
    await shipNow(shop, worker, id, { delivery_date: `${inDays(5)}T12:00:00Z`, production_date: inDays(4) });
    await worker.drain();
    expect(await ordersOf(shop, id)).toMatchObject([
      { delivery_date: inDays(5), production_date: inDays(4) },
    ]);
  });

  test.each([0, 1, 3, 8, 15])(
    "else at its slot's earliest: %i days of lead time, and packed from today on",
    async (courier_lead_time_days) => {
      const slot = await addSlot(shop, { day_of_week: 5, packing_day_of_week: 2, courier_lead_time_days });
      const id = await linked(shop, worker, { next_delivery_date: nextDay(5, 40), delivery_slot_id: slot });
      await shipNow(shop, worker, id);
      await worker.drain();
      const [order] = await ordersOf(shop, id);
      const packed = (delivery: string): string => {
        const latest = addDays(delivery, -courier_lead_time_days);
        return addDays(latest, -((dayOfWeek(latest) - 2 + 7) % 7));
      };
      let earliest = nextDay(5, 0);
      while (packed(earliest) < inDays(0)) earliest = addDays(earliest, 7);
      expect(order).toMatchObject({ delivery_date: earliest, production_date: packed(earliest) });
      expect((await read(shop, id)).next_delivery_date >= addDays(earliest, 7)).toBe(true);
    },
  );
});

describe("what the cycle consumes", () => {
  test("discount cycles are counted, the last exhausts; one-time lines are gone", async () => {
    const id = await linked(shop, worker, { next_delivery_date: inDays(7) });
    const discount = { value: 10, value_type: "PERCENTAGE", target_type: "ORDER" };
    await done(shop.api, "POST", id, "discounts", { ...discount, title: "Once", recurring_cycle_limit: 1 });
    await done(shop.api, "POST", id, "discounts", { ...discount, title: "Twice", recurring_cycle_limit: 2 });
    await done(
      shop.api,
      "POST",
      id,
      "lines",
      itemOf(shop.plan, { product_title: "Treat", price: 5, is_one_time: true }),
    );
    await shipNow(shop, worker, id);
    await worker.drain();
    expect(await ordersOf(shop, id)).toMatchObject([{ total: 12.15, subtotal: 15, discount_amount: 2.85 }]);
    const then = await read(shop, id);
    expect(then.lines.map(({ product_title }: Json) => product_title)).toEqual(["Kibble"]);
    expect(then).toMatchObject({
      subtotal: 10,
      total: 9,
      total_revenue: 12.15,
      discounts: [
        { title: "Once", status: "EXHAUSTED", is_active: false, exhausted_at: expect.any(String) },
        { title: "Twice", status: "ACTIVE" },
      ],
    });
  });

  test("the last of max_cycles: EXPIRED, with its entry and without dates", async () => {
    const plan = await addPlan(shop, { max_cycles: 1 });
    const id = await linked(shop, worker, { next_delivery_date: inDays(7), lines: [itemOf(plan)] });
    await shipNow(shop, worker, id);
    await worker.drain();
    expect(await read(shop, id)).toMatchObject({
      status: "EXPIRED",
      next_billing_date: null,
      next_delivery_date: null,
      next_production_date: null,
      can_reactivate: true,
    });
    expect((await actionsOf(id)).slice(-2)).toEqual(["billing_succeeded", "subscription_expired"]);
  });

  test("and reactivated: another life, billed and EXPIRED once more", async () => {
    const plan = await addPlan(shop, { max_cycles: 1 });
    const id = await linked(shop, worker, { next_delivery_date: inDays(7), lines: [itemOf(plan)] });
    for (const activation of [1, 2]) {
      await shipNow(shop, worker, id, {}, { headers: { "Idempotency-Key": `activation-${activation}` } });
      await worker.drain();
      expect((await read(shop, id)).status).toBe("EXPIRED");
      await done(shop.api, "POST", id, "reactivate");
    }
    expect(await chargesOf(id)).toHaveLength(2);
    expect((await attemptsOf(shop, id)).map(({ cycle, attempt_number }) => [cycle, attempt_number])).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  test("a total of nothing makes an order of nothing", async () => {
    const id = await linked(shop, worker, {
      next_delivery_date: inDays(7),
      lines: [itemOf(shop.plan, { price: 0 })],
    });
    await shipNow(shop, worker, id);
    await worker.drain();
    expect(await ordersOf(shop, id)).toMatchObject([{ total: 0, status: "PAID" }]);
    expect(await chargesOf(id)).toEqual([{ amount: 0, state: "SUCCEEDED" }]);
  });
});
