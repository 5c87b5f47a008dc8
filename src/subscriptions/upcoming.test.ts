import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PlacedSlot } from "../delivery/queries.ts";
import { type IntervalUnit, intervalUnits } from "../lib/intervals.ts";
import { afterCycle, type Discount, type Line, lastingLines } from "./amounts.ts";
import { addDays, datesOf, nthDelivery } from "./cadence.ts";
import { pricedColumns } from "./lines.ts";
import type { SubscriptionView } from "./queries.ts";
import { discountsOf, linesOf } from "./row-codec.ts";
import { deliveriesPerBilling, earliestDelivery, startingOn } from "./schedule.ts";
import type { Subscription } from "./tables.ts";
import { type Delivery, upcomingOf } from "./upcoming.ts";

const seeded = (numRuns: number) => ({ seed: Number(process.env.FUZZ_SEED ?? "20261121"), numRuns });
const today = "2026-11-21";
const now = "2026-11-21T12:00:00.000Z";

const line = (id: string, price: number, more: Partial<Line> = {}): Line =>
  ({
    id,
    price,
    quantity: 1,
    is_one_time: false,
    plan_shipping: 0,
    plan_discount: null,
    selection_items: null,
    ...more,
  }) as Line;
const discount = (value: number, limit: number | null, more: Partial<Discount> = {}): Discount =>
  ({
    id: "d",
    status: "ACTIVE",
    reduction: { type: "FIXED_AMOUNT", value },
    target_type: "ORDER",
    recurring_cycle_limit: limit,
    cycles_used: 0,
    exhausted_at: null,
    ...more,
  }) as Discount;
const on = (
  day_of_week: number,
  packing: number | null = null,
  billing: number | null = null,
  lead: number | null = null,
) =>
  ({
    day: {
      day_of_week,
      packing_day_of_week: packing,
      billing_day_of_week: billing,
      courier_lead_time_days: lead,
    },
  }) as PlacedSlot;

type Given = {
  lines?: Line[];
  discounts?: Discount[];
  start?: string;
  every?: [number, IntervalUnit];
  billed?: [number, IntervalUnit];
  place?: PlacedSlot;
};
const view = (given: Given = {}, values: Partial<Subscription> = {}): SubscriptionView => {
  const {
    lines = [line("a", 1000)],
    discounts = [],
    start = "2026-12-04",
    every = [1, "MONTH"],
    billed = every,
    place,
  } = given;
  const intervals = {
    delivery_interval: every[1],
    delivery_interval_count: every[0],
    billing_interval: billed[1],
    billing_interval_count: billed[0],
  };
  const row = {
    status: "ACTIVE",
    ...intervals,
    deliveries_per_billing: deliveriesPerBilling(intervals),
    current_billing_cycle: 1,
    max_cycles: null,
    ...startingOn(start, place, today),
    ...pricedColumns(lines, discounts),
    ...values,
  } as Subscription;
  return { row, place } as SubscriptionView;
};
const project = (of: SubscriptionView, count: number): Delivery[] => upcomingOf(of, count, today, now);

describe("the next deliveries", () => {
  test("begin with the next one as it stands, and go on from the anchor", () => {
    const plain = project(view({ start: "2027-01-31" }), 4).map(
      ({ cycle, billing, delivery, production, isBilled }) => [
        cycle,
        billing,
        delivery,
        production,
        isBilled,
      ],
    );
    expect(plain).toEqual([
      [1, "2027-01-31", "2027-01-31", null, true],
      [2, "2027-02-28", "2027-02-28", null, true],
      [3, "2027-03-31", "2027-03-31", null, true],
      [4, "2027-04-30", "2027-04-30", null, true],
    ]);
  });

  test("in a slot: each on its day, packed and billed before it", () => {
    const placed = project(view({ place: on(5, 4, 1, 1), start: "2026-12-04" }), 3).map(
      ({ billing, production, delivery }) => [billing, production, delivery],
    );
    expect(placed).toEqual([
      ["2026-11-30", "2026-12-03", "2026-12-04"],
      ["2027-01-04", "2027-01-07", "2027-01-08"],
      ["2027-02-01", "2027-02-04", "2027-02-05"],
    ]);
  });

  test("a next delivery that was set by itself keeps its dates", () => {
    const [first, second] = project(
      view(
        {},
        {
          next_delivery_date: "2026-12-09",
          next_production_date: "2026-12-08",
          next_billing_date: "2026-12-07",
        },
      ),
      2,
    );
    expect(first).toMatchObject({ delivery: "2026-12-09", production: "2026-12-08", billing: "2026-12-07" });
    expect(second).toMatchObject({ delivery: "2027-01-04" });
  });

  test.each([0, 1, 6, 24])("as many as are asked for: %i", (count) => {
    expect(project(view(), count)).toHaveLength(count);
  });

  test.each(["CANCELLED", "EXPIRED"] as const)("none for %s, which has no next dates", (status) => {
    const over = { status, next_billing_date: null, next_delivery_date: null, next_production_date: null };
    expect(project(view({}, over), 24)).toEqual([]);
  });

  test("counts on from the cycle that is next", () => {
    const cycles = project(
      view({}, { current_billing_cycle: 7, next_index: 6, next_billed_index: 6, anchor_date: "2026-06-04" }),
      3,
    );
    expect(cycles.map(({ cycle, delivery }) => [cycle, delivery])).toEqual([
      [7, "2026-12-04"],
      [8, "2027-01-04"],
      [9, "2027-02-04"],
    ]);
  });

  test("stop with the last of max_cycles", () => {
    const cyclesOf = (values: Partial<Subscription>) =>
      project(view({}, values), 24).map(({ cycle }) => cycle);
    expect(cyclesOf({ max_cycles: 3 })).toEqual([1, 2, 3]);
    expect(cyclesOf({ max_cycles: 3, current_billing_cycle: 3 })).toEqual([3]);
    expect(cyclesOf({ max_cycles: 1 })).toEqual([1]);
  });
});

describe("prepaid: billed every 3 months, delivered every month", () => {
  const prepaid = { every: [1, "MONTH"], billed: [3, "MONTH"] } as const;
  const at = (values: Partial<Subscription> = {}, more: Given = {}, count = 7) =>
    project(view({ ...(prepaid as unknown as Given), ...more }, values), count);

  test("one in three is billed, and the cycle is that of the billing", () => {
    expect(at().map(({ cycle, isBilled }) => [cycle, isBilled])).toEqual([
      [1, true],
      [1, false],
      [1, false],
      [2, true],
      [2, false],
      [2, false],
      [3, true],
    ]);
  });

  test("the ones between cost nothing", () => {
    const totals = at({}, { lines: [line("a", 1000, { plan_shipping: 300 })] }, 4).map(
      ({ amounts }) => amounts.total,
    );
    expect(totals).toEqual([1300, 0, 0, 1300]);
    expect(at({}, {}, 2)[1]!.amounts).toEqual({
      subtotal: 0,
      discount_amount: 0,
      shipping_amount: 0,
      tax_amount: 0,
      total: 0,
      lines: [{ id: "a", line_total: 0, discount_amount: 0 }],
    });
  });

  test("in the midst of a period: the paid ones first, then the next billing", () => {
    const midst = at({
      anchor_date: "2026-11-04",
      next_index: 1,
      next_billed_index: 3,
      current_billing_cycle: 2,
      next_billing_date: "2027-02-04",
    });
    expect(midst.slice(0, 4).map(({ cycle, isBilled, delivery }) => [cycle, isBilled, delivery])).toEqual([
      [1, false, "2026-12-04"],
      [1, false, "2027-01-04"],
      [2, true, "2027-02-04"],
      [2, false, "2027-03-04"],
    ]);
    expect(midst[2]!.billing).toBe("2027-02-04");
  });

  test("max_cycles counts billings: the deliveries of the last one still come", () => {
    expect(at({ max_cycles: 2 }, {}, 24).map(({ cycle }) => cycle)).toEqual([1, 1, 1, 2, 2, 2]);
  });

  test("a discount's cycles are billings", () => {
    const off = at({}, { discounts: [discount(100, 2)] }).map(({ amounts }) => amounts.discount_amount);
    expect(off).toEqual([100, 0, 0, 100, 0, 0, 0]);
  });
});

describe("what changes over cycles", () => {
  const totalsOf = (given: Given, count = 4) =>
    project(view(given), count).map(({ amounts }) => amounts.total);

  test.each([
    [null, 0, [900, 900, 900, 900]],
    [1, 0, [900, 1000, 1000, 1000]],
    [2, 0, [900, 900, 1000, 1000]],
    [3, 2, [900, 1000, 1000, 1000]],
  ])("a discount of %s cycles, %i of them used", (limit, cycles_used, totals) => {
    expect(totalsOf({ discounts: [discount(100, limit, { cycles_used })] })).toEqual(totals);
  });

  test("discounts end each by itself", () => {
    expect(
      totalsOf({
        discounts: [discount(100, 1), discount(200, 3), discount(50, null, { status: "REMOVED" })],
      }),
    ).toEqual([700, 800, 800, 1000]);
  });

  test("a one-time line is in the next order only, with the shipping that it brought", () => {
    const once = line("b", 500, { is_one_time: true, plan_shipping: 400 });
    const [first, second] = project(view({ lines: [line("a", 1000, { plan_shipping: 100 }), once] }), 2);
    expect(first!.lines.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(first!.amounts).toMatchObject({ subtotal: 1500, shipping_amount: 400, total: 1900 });
    expect(second!.lines.map(({ id }) => id)).toEqual(["a"]);
    expect(second!.amounts).toMatchObject({ subtotal: 1000, shipping_amount: 100, total: 1100 });
  });
});

/**
 * One delivery further: what billing and the schedule make of a subscription when nothing else happens. No two are on
 * one day, and each can still be made.
 */
const stepped = ({ row, place, ...rest }: SubscriptionView): SubscriptionView => {
  const perBilling = row.deliveries_per_billing;
  const isBilled = row.next_index === row.next_billed_index;
  const interval = { unit: row.delivery_interval, count: row.delivery_interval_count };
  const nth = (n: number) => nthDelivery(row.anchor_date, interval, n, place?.day);
  const ordered = isBilled ? row.next_billing_date! : (row.next_production_date ?? row.next_delivery_date!);
  const datesAt = (n: number) => datesOf(nth(n), place?.day, addDays(ordered, 1));
  let next_index = row.next_index + 1;
  const earliest = earliestDelivery(place, addDays(ordered, 1));
  while (nth(next_index) <= row.next_delivery_date! || nth(next_index) < earliest) next_index++;
  const owed = row.next_billed_index - row.next_index + (isBilled ? perBilling : 0) - 1;
  const next_billed_index = next_index + owed;
  const discounts = isBilled ? discountsOf(row).map((one) => afterCycle(one, now)) : discountsOf(row);
  const next = datesAt(next_index);
  return {
    ...rest,
    place,
    row: {
      ...row,
      ...pricedColumns(lastingLines(linesOf(row)), discounts, row.tax_amount),
      next_index,
      next_billed_index,
      current_billing_cycle: row.current_billing_cycle + (isBilled ? 1 : 0),
      next_delivery_date: next.delivery,
      next_production_date: next.production,
      next_billing_date: datesAt(next_billed_index).billing,
    },
  };
};

describe("the projection of n deliveries", () => {
  const weekday = fc.integer({ min: 1, max: 7 });
  const place = fc.option(
    fc.tuple(weekday, fc.option(weekday), fc.option(weekday), fc.option(fc.nat(10))).map((of) => on(...of)),
    { nil: undefined },
  );
  const aView = fc
    .record({
      unit: fc.constantFrom(...intervalUnits),
      count: fc.integer({ min: 1, max: 3 }),
      times: fc.integer({ min: 1, max: 4 }),
      start: fc
        .integer({ min: 0, max: 1500 })
        .map((n) => new Date(Date.UTC(2026, 10, 21 + n)).toISOString().slice(0, 10)),
      place,
      lines: fc.array(
        fc.record({ price: fc.nat(5000), is_one_time: fc.boolean(), plan_shipping: fc.nat(900) }),
        { minLength: 1, maxLength: 4 },
      ),
      discounts: fc.array(
        fc.record({ value: fc.nat(3000), limit: fc.option(fc.integer({ min: 1, max: 6 })) }),
        { maxLength: 3 },
      ),
    })
    .map(({ unit, count, times, start, place: slot, lines, discounts }) =>
      view({
        start,
        every: [count, unit],
        billed: [count * times, unit],
        lines: lines.map(({ price, ...more }, nth) => line(String(nth), price, more)),
        discounts: discounts.map(({ value, limit }) => discount(value, limit)),
        ...(slot ? { place: slot } : {}),
      }),
    );

  test("equals stepping n times", () => {
    fc.assert(
      fc.property(aView, fc.integer({ min: 1, max: 24 }), (start, count) => {
        const steps: Delivery[] = [];
        let at = start;
        for (let n = 0; n < count; n++) {
          steps.push(...project(at, 1));
          at = stepped(at);
        }
        expect(project(start, count)).toEqual(steps);
      }),
      seeded(400),
    );
  });

  test("of more begins with that of fewer, and changes nothing", () => {
    fc.assert(
      fc.property(aView, fc.integer({ min: 1, max: 23 }), (start, count) => {
        const before = JSON.stringify(start);
        expect(project(start, 24).slice(0, count)).toEqual(project(start, count));
        expect(JSON.stringify(start)).toBe(before);
      }),
      seeded(200),
    );
  });
});
