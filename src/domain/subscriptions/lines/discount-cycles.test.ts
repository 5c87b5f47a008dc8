/** A discount ends with the last cycle of its limit, and lasts where it has none. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { discountOn, fixed, now } from "../../../../test/support/amounts.ts";
import { seeded } from "../../../../test/support/seeded.ts";
import { afterCycle } from "./amounts.ts";

const later = "2026-12-20T12:00:00.000Z";

describe("a discount over cycles", () => {
  test("without a limit it lasts", () => {
    const spent = afterCycle(discountOn("ORDER", fixed(1)), later);
    expect(spent).toMatchObject({ status: "ACTIVE", cycles_used: 1, exhausted_at: null, updated_at: later });
  });

  test("is exhausted by the last cycle of its limit", () => {
    const first = afterCycle(discountOn("ORDER", fixed(1), { recurring_cycle_limit: 2 }), now);
    expect(first).toMatchObject({ status: "ACTIVE", cycles_used: 1, exhausted_at: null });
    const second = afterCycle(first, later);
    expect(second).toMatchObject({
      status: "EXHAUSTED",
      cycles_used: 2,
      exhausted_at: later,
      updated_at: later,
    });
    expect(afterCycle(second, now)).toBe(second);
  });

  test.each(["REMOVED", "EXHAUSTED"] as const)("one that is %s is left alone", (status) => {
    const over = discountOn("ORDER", fixed(1), { status, recurring_cycle_limit: 1 });
    expect(afterCycle(over, later)).toBe(over);
  });

  test("counts one at a time, up to its limit", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.nat(40), (limit, cycles) => {
        let discount = discountOn("ORDER", fixed(1), { recurring_cycle_limit: limit });
        for (let n = 0; n < cycles; n++) discount = afterCycle(discount, later);
        expect(discount.cycles_used).toBe(Math.min(limit, cycles));
        expect(discount.status).toBe(cycles >= limit ? "EXHAUSTED" : "ACTIVE");
      }),
      seeded(200),
    );
  });
});
