/** The parts by which an amount is explained add up to it to the minor unit, whatever the lines and discounts. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { anOrder } from "../../../test/support/amounts.ts";
import { seeded } from "../../../test/support/seeded.ts";
import { calculateAmounts } from "../subscriptions/lines/amounts.ts";
import { splitAmount } from "./attempt-parts.ts";

test("parts = amount, and none is a difference where the charge is as it was frozen", () => {
  fc.assert(
    fc.property(anOrder, ([lines, discounts, shipping, tax]) => {
      const { lines: _byLine, total, ...amounts } = calculateAmounts(lines, discounts, shipping, tax);
      const parts = splitAmount({ lines, discounts, ...amounts }, total);
      expect(parts.reduce((sum, { amount }) => sum + amount, 0)).toBe(total);
      expect(parts.filter(({ of }) => of === "other")).toEqual([]);
      expect(parts.filter(({ of }) => of === "line")).toHaveLength(lines.length);
      for (const { of, amount } of parts) {
        if (of === "plan" || of === "discount") expect(amount).toBeLessThan(0);
        else expect(amount).toBeGreaterThanOrEqual(0);
      }
    }),
    seeded(2000),
  );
});

test("another amount that the store has charged is a part of its own", () => {
  fc.assert(
    fc.property(anOrder, fc.integer({ min: 1, max: 5000 }), ([lines, discounts, shipping, tax], more) => {
      const { lines: _byLine, total, ...amounts } = calculateAmounts(lines, discounts, shipping, tax);
      const parts = splitAmount({ lines, discounts, ...amounts }, total + more);
      expect(parts.at(-1)).toEqual({ of: "other", amount: more });
      expect(parts.reduce((sum, { amount }) => sum + amount, 0)).toBe(total + more);
    }),
    seeded(500),
  );
});
