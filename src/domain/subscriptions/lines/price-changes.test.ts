/** A line has each of its later prices from the very cycle that was named. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { discountOn, fixed, lineOf } from "../../../../test/support/amounts.ts";
import { seeded } from "../../../../test/support/seeded.ts";
import { calculateAmounts, type Line, lineAfterCycle } from "./amounts.ts";

describe("a line whose price changes after some cycles", () => {
  const afterCycles = (line: Line, cycles: number): Line =>
    Array.from({ length: cycles }).reduce<Line>((before) => lineAfterCycle(before), line);

  test("has each price from its cycle on, and no changes left after the last", () => {
    const line = {
      ...lineOf(500, 1),
      price_changes: [
        { in_cycles: 1, price: 1000 },
        { in_cycles: 3, price: 800 },
      ],
    };
    const prices = [0, 1, 2, 3, 4].map((cycles) => afterCycles(line, cycles).price);
    expect(prices).toEqual([500, 1000, 1000, 800, 800]);
    expect(afterCycles(line, 3)).not.toHaveProperty("price_changes");
  });

  test("without changes it stays the same line", () => {
    const line = lineOf(500, 1);
    expect(lineAfterCycle(line)).toBe(line);
  });

  test("its price after any number of cycles is that of the last change that has begun", () => {
    const change = fc.record({ in_cycles: fc.integer({ min: 1, max: 12 }), price: fc.nat(10_000) });
    const changes = fc
      .uniqueArray(change, { maxLength: 5, selector: ({ in_cycles }) => in_cycles })
      .map((some) => some.toSorted((one, other) => one.in_cycles - other.in_cycles));
    fc.assert(
      fc.property(changes, fc.nat(15), (price_changes, cycles) => {
        const begun = price_changes.findLast(({ in_cycles }) => in_cycles <= cycles);
        expect(afterCycles({ ...lineOf(500, 1), price_changes }, cycles).price).toBe(begun?.price ?? 500);
      }),
      seeded(200),
    );
  });
});

test("a discount on some lines takes nothing off the others", () => {
  const [one, other] = [lineOf(1000, 1), { ...lineOf(3000, 1), id: "other" }];
  const discount = { ...discountOn("LINE_ITEM", fixed(1500)), line_ids: [one.id] };
  const { lines, total } = calculateAmounts([one, other], [discount], 0);
  expect(lines.map(({ discount_amount }) => discount_amount)).toEqual([1000, 0]);
  expect(total).toBe(3000);
});
