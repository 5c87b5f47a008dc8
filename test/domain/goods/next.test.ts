/** The forecast of goods counts each delivery's items on the day on which they are packed. */
import { describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { api } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import {
  addPlan,
  addSlot,
  done,
  force,
  inDays,
  itemOf,
  nextDay,
  openShop,
  subscribe,
} from "../../support/shops.ts";
import { linked, shipNow, useWorker } from "../../support/worker.ts";
import { cellsIn, forecast, path } from "./forecasts.ts";

const worker = useWorker();
const week = { from: inDays(0), to: inDays(6) };

const box = (plan: string) =>
  itemOf(plan, {
    store_variant_id: "box",
    product_title: "Box",
    quantity: 2,
    selection_items: [
      {
        slot_id: "a",
        store_product_id: "product-2",
        store_variant_id: "carrot",
        product_title: "Carrots",
        quantity: 3,
        price: 1,
      },
    ],
  });

describe("the goods of days that end before a second delivery", () => {
  test("are those of each subscription's next delivery, by the day on which they are packed", async () => {
    const shop = await openShop();
    await subscribe(shop, { next_delivery_date: inDays(2), lines: [itemOf(shop.plan, { quantity: 3 })] });
    await subscribe(shop, { next_delivery_date: inDays(2) });
    await subscribe(shop, { next_delivery_date: inDays(5) });
    await subscribe(shop, { next_delivery_date: inDays(7) });
    const answer = await forecast(shop, week);
    expect(cellsIn(answer)).toEqual([`${inDays(2)} variant-1 0/4/0`, `${inDays(5)} variant-1 0/1/0`]);
    expect(answer.data[0]).toEqual({
      date: inDays(2),
      store_variant_id: "variant-1",
      product_title: "Kibble",
      variant_title: null,
      sku: null,
      packed: 0,
      planned: 4,
      at_risk: 0,
      quantity: 4,
    });
    expect(answer.meta).toMatchObject({ horizon: "next", complete: true });
    const events = await api(shop.api, "GET", "/api/events", { query: { limit: 100 } });
    expect(answer.meta.sequence).toBe(events.body.meta.next_after);
  });

  test("count the items of a box, and the box as well", async () => {
    const shop = await openShop();
    await subscribe(shop, { next_delivery_date: inDays(1), lines: [box(shop.plan)] });
    expect(cellsIn(await forecast(shop, week))).toEqual([
      `${inDays(1)} box 0/2/0`,
      `${inDays(1)} carrot 0/6/0`,
    ]);
  });

  test("count what orders are to be packed, until it is fulfilled or cancelled", async () => {
    const shop = await openShop();
    const id = await linked(shop, worker, { next_delivery_date: inDays(3), lines: [box(shop.plan)] });
    await shipNow(shop, worker, id, {});
    await worker.drain();
    const packed = [`${inDays(0)} box 2/0/0`, `${inDays(0)} carrot 6/0/0`];
    expect(cellsIn(await forecast(shop, { from: inDays(0), to: inDays(0) }))).toEqual(packed);
    for (const [set, expected] of [
      ["status = 'PARTIALLY_REFUNDED'", packed],
      ["fulfillment_status = 'PARTIALLY_FULFILLED'", packed],
      ["fulfillment_status = 'FULFILLED'", []],
      ["fulfillment_status = 'UNFULFILLED', status = 'CANCELLED'", []],
      ["status = 'REFUNDED'", []],
    ] as const) {
      await execute(
        `UPDATE orders SET ${set} WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)`,
        shop.of.account.id,
      );
      expect(cellsIn(await forecast(shop, { from: inDays(0), to: inDays(0) })), set).toEqual(expected);
    }
  });

  test("go by each of the three dates, and by slot, plan and type", async () => {
    const shop = await openShop();
    const [packing, delivering] = [nextDay(2, 0), nextDay(4, 0)];
    const first = packing < delivering ? delivering : nextDay(4, 7);
    const slot = await addSlot(shop, { day_of_week: 4, packing_day_of_week: 2, billing_day_of_week: 1 });
    const made = await api(shop.of, "POST", "/api/subscriptions/entities", {
      body: { profile_id: shop.profileId, entity_type: "dog", name: "Rex" },
    });
    const entity_id = made.body.data.id;
    const id = await subscribe(shop, {
      next_delivery_date: first,
      delivery_slot_id: slot,
      lines: [itemOf(shop.plan, { entity_id })],
    });
    const { next_billing_date, next_production_date } = (
      await api(shop.api, "GET", `/api/subscriptions/${id}`)
    ).body.data;
    const days = { from: inDays(0), to: inDays(13), horizon: "next" };
    const by = async (date: string) => cellsIn(await forecast(shop, { ...days, by: date }));
    expect(await by("production_date")).toEqual([`${next_production_date} variant-1 0/1/0`]);
    expect(await by("delivery_date")).toEqual([`${first} variant-1 0/1/0`]);
    expect(await by("billing_date")).toEqual([`${next_billing_date} variant-1 0/1/0`]);
    const grouped = await forecast(shop, { ...days, group_by: "slot,plan,entity_type" });
    expect(grouped.data).toEqual([
      {
        date: next_production_date,
        ...{ store_variant_id: null, product_title: null, variant_title: null, sku: null },
        ...{ delivery_slot_id: slot, selling_plan_id: shop.plan, entity_type: "dog" },
        ...{ packed: 0, planned: 1, at_risk: 0, quantity: 1 },
      },
    ]);
  });

  test("are at risk in dunning, blocked, waiting, or where the card expires before it is charged", async () => {
    const shop = await openShop();
    const declined = await linked(shop, worker, {
      store_payment_method_id: "pm_card_declined",
      next_delivery_date: inDays(3),
    });
    await shipNow(shop, worker, declined, {});
    await worker.drain();
    const blocked = await subscribe(shop, { next_delivery_date: inDays(4) });
    await force(blocked, { billing_blocked_reason: "charged_by_others" });
    const waiting = await linked(shop, worker, { next_delivery_date: inDays(5) });
    await force(waiting, {
      billing_blocked_reason: "no_gateway",
      billing_waiting_since: new Date().toISOString(),
      billing_retry_at: `${inDays(5)}T12:00:00.000Z`,
    });
    const expiring = await subscribe(shop, {
      next_delivery_date: inDays(6),
      store_payment_method_id: `pm-${newId()}`,
    });
    await execute(
      `UPDATE payment_methods SET exp_year = 2020, exp_month = 1 WHERE id =
        (SELECT payment_method_id FROM subscriptions WHERE id = ?)`,
      expiring,
    );
    const answer = await forecast(shop, { ...week, horizon: "next" });
    expect(
      answer.data.map(({ date, packed, planned }: Record<string, unknown>) => [date, packed, planned]),
    ).toEqual(
      [...new Set(answer.data.map(({ date }: { date: string }) => date))].map((date) => [date, 0, 0]),
    );
    const upcoming = await api(shop.api, "GET", `/api/subscriptions/${declined}/upcoming`);
    expect(cellsIn(answer)).toEqual(
      [upcoming.body.data[0].delivery_date, inDays(4), inDays(5), inDays(6)]
        .toSorted()
        .map((date) => `${date} variant-1 0/0/1`),
    );
  });

  test("include what is paid for of subscriptions that have ended, or whose payment has failed for good", async () => {
    const shop = await openShop();
    const plan = await addPlan(shop, {
      ...{ billing_interval: "WEEK", billing_interval_count: 8 },
      ...{ delivery_interval: "WEEK", delivery_interval_count: 2 },
    });
    for (const status of ["CANCELLED", "EXPIRED", "PAYMENT_FAILED"]) {
      const id = await linked(shop, worker, { next_delivery_date: inDays(4), lines: [itemOf(plan)] });
      await force(id, { status, next_index: 1, next_billed_index: 3, next_billing_date: null });
    }
    const unpaid = await linked(shop, worker, { next_delivery_date: inDays(4), lines: [itemOf(plan)] });
    await force(unpaid, { status: "PAYMENT_FAILED" });
    expect(cellsIn(await forecast(shop, week))).toEqual([`${inDays(4)} variant-1 0/3/0`]);
    for (const by of ["delivery_date", "billing_date"])
      expect(cellsIn(await forecast(shop, { ...week, by }))).toEqual([`${inDays(4)} variant-1 0/3/0`]);
  });

  test("include no pause, but one that ends in time", async () => {
    const shop = await openShop();
    const id = await linked(shop, worker, { next_delivery_date: inDays(5) });
    await done(shop.api, "POST", id, "pause");
    expect((await forecast(shop, week)).data).toEqual([]);
    await done(shop.api, "POST", id, "resume");
    await done(shop.api, "POST", id, "pause", { pause_until: inDays(3) });
    expect(cellsIn(await forecast(shop, week))).toEqual([`${inDays(5)} variant-1 0/1/0`]);
  });
});

test("goods whose pause ends on the last day that is asked about are not packed, and those whose pause ends the day before are", async () => {
  const shop = await openShop();
  const pausedUntil = async (days: number, store_variant_id: string) => {
    const lines = [itemOf(shop.plan, { store_variant_id })];
    const id = await linked(shop, worker, { next_delivery_date: inDays(6), lines });
    await done(shop.api, "POST", id, "pause", { pause_until: inDays(days) });
    const { body } = await api(shop.api, "GET", `/api/subscriptions/${id}/upcoming`);
    return body.data[0].delivery_date;
  };
  expect(await pausedUntil(5, "before")).toBe(inDays(6));
  expect(await pausedUntil(6, "on the last day")).toBe(inDays(13));
  for (const horizon of ["next", "projected"])
    for (const by of ["production_date", "delivery_date", "billing_date"])
      expect(cellsIn(await forecast(shop, { ...week, horizon, by }))).toEqual([`${inDays(6)} before 0/1/0`]);
});

describe("a request", () => {
  test("says by itself how far it has to look", async () => {
    const shop = await openShop();
    const horizon = async (to: string) => (await forecast(shop, { from: inDays(0), to })).meta.horizon;
    expect(await horizon(inDays(61)), "nothing lives").toBe("next");
    await subscribe(shop);
    expect([await horizon(inDays(6)), await horizon(inDays(7))]).toEqual(["next", "projected"]);
    const daily = await addPlan(shop, { billing_interval: "DAY", billing_interval_count: 3 });
    await subscribe(shop, { lines: [itemOf(daily)] });
    expect([await horizon(inDays(2)), await horizon(inDays(3))]).toEqual(["next", "projected"]);
    const past = await forecast(shop, { from: inDays(-20), to: inDays(-1) });
    expect(past.meta.horizon).toBe("next");
  });

  test.each([
    [{ from: inDays(0), to: inDays(62) }, "to"],
    [{ from: inDays(1), to: inDays(0) }, "to"],
    [{ from: "soon", to: inDays(0) }, "from"],
    [{ to: inDays(0) }, "from"],
    [{ ...week, by: "weight" }, "by"],
    [{ ...week, group_by: "variant,colour" }, "group_by"],
    [{ ...week, horizon: "far" }, "horizon"],
  ])("of %j is refused, naming %s", async (query, field) => {
    const shop = await openShop();
    const { status, body } = await api(shop.api, "GET", path, { query: query as Record<string, string> });
    expect([status, body.details[0].path]).toEqual([400, field]);
  });

  test("of 62 days, both ends among them, is answered", async () => {
    const shop = await openShop();
    expect((await forecast(shop, { from: inDays(-31), to: inDays(30) })).data).toEqual([]);
  });

  test("with more than 5,000 cells is refused, naming a narrower range", async () => {
    const shop = await openShop();
    const lines = (day: number) =>
      Array.from({ length: 90 }, (_, nth) => itemOf(shop.plan, { store_variant_id: `v-${day}-${nth}` }));
    const ids: string[] = [];
    for (let nth = 0; nth < 60; nth++)
      ids.push(await subscribe(shop, { next_delivery_date: inDays(nth < 40 ? 1 : 2), lines: lines(nth) }));
    const { status, body } = await api(shop.api, "GET", path, { query: { from: inDays(0), to: inDays(3) } });
    expect([status, body.details[0].path]).toEqual([400, "to"]);
    expect(body.details[0].message).toContain(inDays(1));
    const narrower = await forecast(shop, { from: inDays(0), to: inDays(1) });
    expect(narrower.data).toHaveLength(3600);
  });

  test("that prefers CSV is answered as CSV, in which no cell is a formula", async () => {
    const shop = await openShop();
    await subscribe(shop, {
      next_delivery_date: inDays(1),
      lines: [
        itemOf(shop.plan, { product_title: '=HYPERLINK("x"), or so', store_variant_id: "v1", sku: "-1" }),
        itemOf(shop.plan, { product_title: "Plain", variant_title: "@2 kg", store_variant_id: "v2" }),
      ],
    });
    const { text, headers } = await api(shop.api, "GET", path, {
      query: week,
      headers: { Accept: "text/csv" },
    });
    expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("Forecast-Complete")).toBe("true");
    expect(text).toBe(
      [
        "\ufeffdate,store_variant_id,product_title,variant_title,sku,packed,planned,at_risk,quantity",
        `${inDays(1)},v1,"'=HYPERLINK(""x""), or so",,'-1,0,1,0,1`,
        `${inDays(1)},v2,Plain,'@2 kg,,0,1,0,1`,
        "",
      ].join("\r\n"),
    );
  });

  test("needs orders:read, by either credential, and is none of a customer's", async () => {
    const shop = await openShop();
    const statuses = await Promise.all(
      [shop.api, shop.admin, shop.customer].map(
        async (as) => (await api(as, "GET", path, { query: week })).status,
      ),
    );
    expect(statuses).toEqual([200, 200, 403]);
  });
});
