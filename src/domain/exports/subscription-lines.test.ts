/** Exported lines and discounts can be moved in again, and come to the same total. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aDiscount, aLine, discountOn, fixed, lineOf, percent } from "../../../test/support/amounts.ts";
import { seeded } from "../../../test/support/seeded.ts";
import type { Account } from "../../base/accounts/tables.ts";
import { jsonText } from "../../kit/http/json-text.ts";
import { definedText } from "../imports/formats/columns.ts";
import { planSubscription } from "../imports/plan-subscription.ts";
import type { SellingPlan } from "../selling-plans/tables.ts";
import { calculateAmounts, type Discount, type Line, shippingOf } from "../subscriptions/lines/amounts.ts";
import { emptySubscription } from "../subscriptions/new-row.ts";
import type { SubscriptionView } from "../subscriptions/queries.ts";
import { subscriptionColumns, subscriptionLines } from "./subscription-lines.ts";

const account = { seq: 1, currency_code: "JPY", timezone: "UTC", closed_days: "[]" } as unknown as Account;
const now = "2026-11-20T12:00:00.000Z";
const plan = { id: "plan", name: "Plan", store_plan_id: null } as unknown as SellingPlan;

/** The view of a subscription in yen, whose minor units are whole. */
function viewOf(lines: Line[], discounts: Discount[], more: object = {}): SubscriptionView {
  const row = {
    ...{ ...emptySubscription, id: "s", currency_code: "JPY", status: "ACTIVE", delivery_address: null },
    ...{ lines: JSON.stringify(lines), discounts: JSON.stringify(discounts), tax_amount: 0 },
    ...{ shipping_amount: shippingOf(lines), billing_interval: "WEEK", billing_interval_count: 1 },
    ...{ delivery_interval: "WEEK", delivery_interval_count: 1, anchor_date: "2026-12-01" },
    ...{ next_billing_date: "2026-12-01", next_delivery_date: "2026-12-01", next_production_date: null },
    ...{ scheduled_index: null, scheduled_delivery_date: null, created_at: now },
    ...{ current_billing_cycle: 4, next_index: 0, next_billed_index: 0, ...more },
  };
  return {
    row,
    profile: jsonText('{"email":"ada@example.com"}'),
    account,
    now,
  } as unknown as SubscriptionView;
}

/** The subscription that an import makes of these lines, its lines and discounts without their ids. */
function movedIn(view: SubscriptionView) {
  let ids = 0;
  const lines = subscriptionLines(view).map((values) => ({ fields: definedText(values), faults: [] }));
  const made = planSubscription("s", lines, {
    ...{ account, now, plans: [plan], slots: new Map(), charge_from: "2026-11-21" },
    ...{
      past_due: "pause",
      create_plans: false,
      source: "here",
      provinces: new Map(),
      newId: () => `new-${ids++}`,
    },
  });
  if ("faults" in made) throw new Error(JSON.stringify(made.faults));
  return made.planned;
}

/** Lines and discounts as text, with numbers for the ids, so that those of two subscriptions are the same. */
function withoutIds({ lines, discounts }: { lines: string; discounts: string }): object {
  const [its, given] = [JSON.parse(lines) as Line[], JSON.parse(discounts) as Discount[]];
  return {
    lines: its.map(({ id: _, ...line }) => line),
    discounts: given.map(({ id: _, store_discount_id: __, line_ids, ...discount }) => ({
      ...discount,
      lines: line_ids?.map((id) => its.findIndex((line) => line.id === id)),
    })),
  };
}

const itemsOfBox: Line["selection_items"] = [
  {
    ...{ slot_id: "1", store_product_id: "p", store_variant_id: "v", product_title: "Beef" },
    ...{ variant_title: "S", quantity: 2, price: 665 },
  },
];

const anyLine = fc
  .record({
    line: aLine,
    changes: fc.uniqueArray(fc.record({ in_cycles: fc.integer({ min: 1, max: 99 }), price: fc.nat(9999) }), {
      selector: ({ in_cycles }) => in_cycles,
      maxLength: 3,
    }),
    is_one_time: fc.boolean(),
    selection_items: fc.constantFrom(null, itemsOfBox),
  })
  .map(
    ({ line, changes, ...more }): Line => ({
      ...{ ...line, ...more },
      ...(changes.length > 0 ? { price_changes: changes.toSorted((a, b) => a.in_cycles - b.in_cycles) } : {}),
    }),
  );

const anyDiscount = fc
  .record({
    discount: aDiscount,
    limit: fc.option(fc.integer({ min: 1, max: 9 })),
    used: fc.nat(8),
    code: fc.option(fc.constant("HI")),
  })
  .map(
    ({ discount, limit, used, code }): Discount => ({
      ...discount,
      ...{ discount_code: code, recurring_cycle_limit: limit, cycles_used: used },
    }),
  );

describe("the lines of a subscription", () => {
  test("are moved in as the same lines and discounts, which come to the same total", () => {
    const one = fc.record({
      lines: fc.array(anyLine, { minLength: 1, maxLength: 4 }),
      discounts: fc.array(anyDiscount, { maxLength: 3 }),
      of: fc.option(fc.nat(3)),
    });
    fc.assert(
      fc.property(one, ({ lines, discounts, of }) => {
        const own = lines.map((line, nth) => ({ ...line, id: `line-${nth}` }));
        const line_ids = [own[(of ?? 0) % own.length]!.id];
        const some = discounts.map((discount, nth) =>
          of !== null && nth === 0 ? { ...discount, line_ids } : discount,
        );
        const view = viewOf(own, some);
        const { row, expected_total } = movedIn(view);
        expect(withoutIds(row)).toEqual(withoutIds(view.row));
        const { total } = calculateAmounts(own, some, shippingOf(own));
        expect([row.total, expected_total, row.shipping_amount]).toEqual([total, total, shippingOf(own)]);
      }),
      seeded(300),
    );
  });

  test("have the columns that are named, and no others", () => {
    const [row] = subscriptionLines(viewOf([lineOf(100, 1)], [discountOn("ORDER", percent(10))]));
    expect(Object.keys(row!).toSorted()).toEqual([...subscriptionColumns].toSorted());
  });

  test("have with their total what the store adds in taxes, which an import does not", () => {
    const [row] = subscriptionLines(viewOf([lineOf(100, 2)], [], { tax_amount: 70 }));
    expect(row).toMatchObject({ expected_total: 270 });
  });

  test("name the lines of a discount by their place, and the store's discount where it is another", () => {
    const lines = [lineOf(100, 1, { id: "a" }), lineOf(70, 1, { id: "b" })];
    const given = discountOn("LINE_ITEM", fixed(9), { line_ids: ["b"], store_discount_id: "gid-7" });
    const [row] = subscriptionLines(viewOf(lines, [given]));
    expect(row!.discounts).toMatchObject([{ lines: [1], store_discount_id: "gid-7", value: 9 }]);
    const { discounts, lines: moved } = movedIn(viewOf(lines, [given])).row;
    expect(JSON.parse(discounts)).toMatchObject([
      { line_ids: [JSON.parse(moved)[1].id], store_discount_id: "gid-7" },
    ]);
  });

  test.each([
    [{ status: "PAYMENT_FAILED" }, "PAST_DUE"],
    [{ status: "ACTIVE", dunning_episode_id: "an episode" }, "PAST_DUE"],
    [{ status: "EXPIRED" }, "EXPIRED"],
    [{ status: "CANCELLED" }, "CANCELLED"],
    [{ status: "PAUSED" }, "PAUSED"],
  ])("%j is %s", (row, status) => {
    expect(subscriptionLines(viewOf([lineOf(100, 2)], [], row))[0]!.status).toBe(status);
  });
});
