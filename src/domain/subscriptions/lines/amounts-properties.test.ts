/** Totals reconcile with their lines to the minor unit, and nothing is below 0, whatever the discounts. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aDiscount, aLine, anOrder, aReduction, discountOn } from "../../../../test/support/amounts.ts";
import { seeded } from "../../../../test/support/seeded.ts";
import { calculateAmounts } from "./amounts.ts";

describe("whatever the lines and discounts", () => {
  test("totals reconcile with the lines to the minor unit, and nothing is below 0", () => {
    fc.assert(
      fc.property(anOrder, ([lines, discounts, shipping, tax]) => {
        const amounts = calculateAmounts(lines, discounts, shipping, tax);
        const { subtotal, discount_amount, total } = amounts;
        expect(amounts.lines.reduce((sum, { line_total }) => sum + line_total, 0)).toBe(subtotal);
        expect(subtotal).toBe(lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0));
        expect([amounts.shipping_amount, amounts.tax_amount]).toEqual([shipping, tax]);
        expect(total).toBe(subtotal - discount_amount + shipping + tax);
        expect(total).toBeGreaterThanOrEqual(tax);
        expect(discount_amount).toBeGreaterThanOrEqual(0);
        for (const one of amounts.lines) {
          expect(one.discount_amount).toBeGreaterThanOrEqual(0);
          expect(one.discount_amount).toBeLessThanOrEqual(one.line_total);
        }
        const all = [
          subtotal,
          discount_amount,
          total,
          ...amounts.lines.flatMap(({ line_total, discount_amount }) => [line_total, discount_amount]),
        ];
        expect(all.every(Number.isSafeInteger), all.join()).toBe(true);
      }),
      seeded(3000),
    );
  });

  test("line discounts are allotted to the minor unit: with no others, they are all there is", () => {
    fc.assert(
      fc.property(
        fc.array(aLine, { minLength: 1, maxLength: 8 }),
        fc.array(aReduction, { maxLength: 4 }),
        (lines, reductions) => {
          const discounts = reductions.map((reduction) => discountOn("LINE_ITEM", reduction));
          const { discount_amount, lines: byLine } = calculateAmounts(lines, discounts, 0);
          expect(byLine.reduce((sum, one) => sum + one.discount_amount, 0)).toBe(discount_amount);
        },
      ),
      seeded(1000),
    );
  });

  test("a discount takes the same off whether it is on the order or on its lines", () => {
    fc.assert(
      fc.property(fc.array(aLine, { minLength: 1, maxLength: 8 }), aReduction, (lines, reduction) => {
        const [order, items] = (["ORDER", "LINE_ITEM"] as const).map((target) =>
          calculateAmounts(lines, [discountOn(target, reduction)], 0),
        );
        expect(items!.total).toBe(order!.total);
      }),
      seeded(1000),
    );
  });

  test("a discount takes no more off a charge than its max_amount, whatever is in it and whatever else is off", () => {
    fc.assert(
      fc.property(anOrder, aDiscount, fc.nat(6), ([lines, discounts, shipping, tax], one, at) => {
        const totalWith = (given: typeof discounts) => calculateAmounts(lines, given, shipping, tax).total;
        const off = totalWith(discounts) - totalWith(discounts.toSpliced(at, 0, one));
        expect(off).toBeLessThanOrEqual(one.max_amount ?? Number.POSITIVE_INFINITY);
      }),
      seeded(3000),
    );
  });

  test("a max_amount that is not reached changes nothing", () => {
    fc.assert(
      fc.property(
        fc.array(aLine, { minLength: 1, maxLength: 8 }),
        aDiscount,
        fc.nat(3000),
        (lines, one, shipping) => {
          const { max_amount: _, ...unbounded } = one;
          const whole = calculateAmounts(lines, [unbounded], shipping);
          const bounded = { ...one, max_amount: Math.max(1, whole.discount_amount) };
          expect(calculateAmounts(lines, [bounded], shipping)).toEqual(whole);
        },
      ),
      seeded(1000),
    );
  });

  test("one more discount never makes it dearer", () => {
    fc.assert(
      fc.property(anOrder, aDiscount, ([lines, discounts, shipping, tax], more) => {
        const before = calculateAmounts(lines, discounts, shipping, tax).total;
        expect(calculateAmounts(lines, [...discounts, more], shipping, tax).total).toBeLessThanOrEqual(
          before,
        );
      }),
      seeded(1000),
    );
  });
});
