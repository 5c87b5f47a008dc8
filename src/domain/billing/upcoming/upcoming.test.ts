/** Upcoming deliveries have the dates, contents and amounts that their charges will have. */
import { describe, expect, test } from "vitest";
import { discount, line, type Plan, project, view } from "../../../../test/support/projection.ts";
import { slotOn } from "../../../../test/support/slots.ts";
import type { Subscription } from "../../subscriptions/tables.ts";

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
    const placed = project(view({ slot: slotOn(5, 4, 1, 1), start: "2026-12-04" }), 3).map(
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
  const prepaid: Plan = { every: [1, "MONTH"], billed: [3, "MONTH"] };
  const at = (values: Partial<Subscription> = {}, more: Plan = {}, count = 7) =>
    project(view({ ...prepaid, ...more }, values), count);

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
  const totalsOf = (plan: Plan, count = 4) => project(view(plan), count).map(({ amounts }) => amounts.total);

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

  test("a one-time line is in the next order only, with its shipping", () => {
    const once = line("b", 500, { is_one_time: true, plan_shipping: 400 });
    const [first, second] = project(view({ lines: [line("a", 1000, { plan_shipping: 100 }), once] }), 2);
    expect(first!.lines.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(first!.amounts).toMatchObject({ subtotal: 1500, shipping_amount: 400, total: 1900 });
    expect(second!.lines.map(({ id }) => id)).toEqual(["a"]);
    expect(second!.amounts).toMatchObject({ subtotal: 1000, shipping_amount: 100, total: 1100 });
  });
});
