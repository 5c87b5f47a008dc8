/** A customer chooses lines that are sold at the catalogue's price, and always keeps a recurring one. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seeded } from "../../../../test/support/seeded.ts";
import type { CatalogueItem } from "../../catalogue/tables.ts";
import type { SellingPlan } from "../../selling-plans/tables.ts";
import { type Line, recurringLines } from "./amounts.ts";
import {
  type Contents,
  planForAdding,
  refusalToAdd,
  refusalToChangeQuantity,
  refusalToRemove,
  refusalToSwap,
} from "./line-choices.ts";

const variants = ["a", "b", "c"];
const planIds = ["weekly", "monthly"];

const aLine = fc
  .record({
    store_variant_id: fc.constantFrom(...variants),
    selling_plan_id: fc.constantFrom(...planIds),
    is_one_time: fc.boolean(),
    price: fc.nat(5000),
  })
  .map((line) => line as Line);

const anItem = fc
  .record({
    store_variant_id: fc.constantFrom(...variants),
    selling_plan_ids: fc.subarray(planIds).map((ids) => JSON.stringify(ids)),
    is_one_time_allowed: fc.constantFrom(0, 1),
    price: fc.nat(5000),
  })
  .map((item) => item as CatalogueItem);

/** Contents as customers make them: at least one recurring line, no item twice of one kind. */
const contents: fc.Arbitrary<Contents> = fc
  .record({
    row: fc.record({
      status: fc.constantFrom("ACTIVE", "PAUSED", "PAYMENT_FAILED", "CANCELLED", "EXPIRED"),
      currency_code: fc.constantFrom("USD", "EUR"),
      deliveries_per_billing: fc.constantFrom(1, 3),
      next_index: fc.constant(4),
      next_billed_index: fc.constantFrom(4, 6),
    }),
    lines: fc
      .uniqueArray(aLine, {
        minLength: 1,
        maxLength: 6,
        selector: (line) => `${line.is_one_time} ${line.store_variant_id}`,
      })
      .map((lines) => lines.map((line, index) => ({ ...line, id: `line-${index}` }) as Line))
      .filter((lines) => recurringLines(lines).length > 0),
    plans: fc
      .tuple(fc.constantFrom(0, 1), fc.constantFrom(0, 1))
      .map((active) => planIds.map((id, index) => ({ id, is_active: active[index] }) as SellingPlan)),
    pricedIn: fc.constantFrom("USD", "EUR"),
  })
  .map((made) => made as Contents);

type Step = { kind: "add" | "once" | "swap" | "remove"; nth: number; item: CatalogueItem };
const aStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("add", "once", "swap", "remove"),
  nth: fc.nat(5),
  item: anItem,
});

/** The lines after a step of a customer's; as before where it is refused. */
function take(before: Contents, { kind, nth, item }: Step, id: string): Line[] {
  const { lines } = before;
  const line = lines[nth % lines.length]!;
  if (kind === "remove")
    return refusalToRemove(before, line) ? lines : lines.filter((one) => one.id !== line.id);
  if (kind === "swap") {
    if (line.store_variant_id === item.store_variant_id || refusalToSwap(before, line, item)) return lines;
    const swapped = { ...line, store_variant_id: item.store_variant_id, price: item.price };
    return lines.map((one) => (one.id === line.id ? swapped : one));
  }
  const isOneTime = kind === "once";
  if (refusalToAdd(before, item, isOneTime)) return lines;
  const { id: selling_plan_id } = planForAdding(before, item, isOneTime)!;
  const { store_variant_id, price } = item;
  return [...lines, { id, store_variant_id, price, selling_plan_id, is_one_time: isOneTime } as Line];
}

describe("whatever a customer does with the lines", () => {
  test("a recurring line stays, no item stands in two lines of a kind, and a price is the line's own or the catalogue's", () => {
    fc.assert(
      fc.property(contents, fc.array(aStep, { maxLength: 12 }), (before, steps) => {
        let lines = before.lines;
        for (const [nth, step] of steps.entries()) lines = take({ ...before, lines }, step, `new-${nth}`);
        expect(recurringLines(lines).length).toBeGreaterThan(0);
        const keys = lines.map(({ is_one_time, store_variant_id }) => `${is_one_time} ${store_variant_id}`);
        expect(new Set(keys).size).toBe(keys.length);
        const prices = [...before.lines, ...steps.map(({ item }) => item)];
        for (const { store_variant_id, price } of lines)
          expect(prices).toContainEqual(expect.objectContaining({ store_variant_id, price }));
      }),
      seeded(300),
    );
  });

  test("what stays of an ended subscription, or of one whose deliveries are paid for, is as it was", () => {
    fc.assert(
      fc.property(contents, aStep, (before, step) => {
        const { status, next_index, next_billed_index } = before.row;
        const after = take(before, step, "new");
        const isOver = status === "CANCELLED" || status === "EXPIRED";
        if (isOver) expect(after).toBe(before.lines);
        if (isOver || next_billed_index > next_index)
          expect(recurringLines(after)).toEqual(recurringLines(before.lines));
      }),
      seeded(300),
    );
  });

  test("an added line's plan is sold, is that of a recurring line, and has the item, by name where a charge pays for several deliveries", () => {
    fc.assert(
      fc.property(contents, anItem, fc.boolean(), (before, item, isOneTime) => {
        if (refusalToAdd(before, item, isOneTime)) return;
        const plan = planForAdding(before, item, isOneTime)!;
        expect(plan.is_active).toBe(1);
        expect(recurringLines(before.lines).map((line) => line.selling_plan_id)).toContain(plan.id);
        const named: string[] = JSON.parse(item.selling_plan_ids);
        const needsName = !isOneTime && before.row.deliveries_per_billing > 1;
        if (named.length > 0 || needsName) expect(named).toContain(plan.id);
        expect(before.row.currency_code).toBe(before.pricedIn);
        if (isOneTime) expect(item.is_one_time_allowed).toBe(1);
      }),
      seeded(300),
    );
  });

  test("the quantity of a line can change wherever the line can be swapped or removed", () => {
    fc.assert(
      fc.property(contents, anItem, fc.nat(5), (before, item, nth) => {
        const line = before.lines[nth % before.lines.length]!;
        if (refusalToSwap(before, line, item) && refusalToRemove(before, line)) return;
        expect(refusalToChangeQuantity(before, line)).toBeUndefined();
      }),
      seeded(300),
    );
  });
});
