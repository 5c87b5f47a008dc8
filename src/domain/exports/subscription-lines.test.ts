import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aDiscount, aLine, discountOn, fixed, lineOf, percent } from "../../../test/support/amounts.ts";
import { seeded } from "../../../test/support/seeded.ts";
import { calculateAmounts, type Discount, type Line } from "../subscriptions/amounts.ts";
import { emptySubscription } from "../subscriptions/new-row.ts";
import type { SubscriptionView } from "../subscriptions/queries.ts";
import { chargedPrices, subscriptionColumns, subscriptionLines } from "./subscription-lines.ts";

type Values = Record<string, unknown>;

/** The view of a subscription in yen, whose minor units are whole. */
function viewOf(lines: Line[], discounts: Discount[], more: object = {}): SubscriptionView {
  const row = {
    ...{ ...emptySubscription, currency_code: "JPY", status: "ACTIVE", delivery_address: null },
    ...{
      lines: JSON.stringify(lines),
      discounts: JSON.stringify(discounts),
      shipping_amount: 500,
      tax_amount: 0,
    },
    ...{ current_billing_cycle: 4, next_index: 3, next_billed_index: 5, ...more },
  };
  return { row, profile: { email: "ada@example.com" } } as unknown as SubscriptionView;
}

/** The total that a program makes of the lines, as the import's columns are meant. */
function totalOf(rows: Values[]): number {
  const [own] = rows as [Values];
  const lines = rows.map(({ price, quantity }, nth) =>
    lineOf(price as number, quantity as number, { id: `${nth}` }),
  );
  const { discount_type: type, discount_value: value } = own;
  const discounts =
    type === undefined
      ? []
      : [discountOn("ORDER", type === "PERCENTAGE" ? percent(value as number) : fixed(value as number))];
  return calculateAmounts(lines, discounts, own.shipping_amount as number).total;
}

describe("a line is charged at prices", () => {
  test("that come to its total less its plan's discount, for all of its pieces", () => {
    fc.assert(
      fc.property(aLine, (line) => {
        const [priced] = calculateAmounts([line], [], 0).lines;
        const charged = chargedPrices(line, priced!);
        const sum = charged.reduce((all, { price, quantity }) => all + price * quantity, 0);
        expect(sum).toBe(priced!.line_total - priced!.discount_amount);
        expect(charged.reduce((all, { quantity }) => all + quantity, 0)).toBe(line.quantity);
        expect(charged.every(({ price, quantity }) => price >= 0 && quantity > 0)).toBe(true);
        expect(charged.length).toBeLessThanOrEqual(2);
      }),
      seeded(300),
    );
  });
});

describe("the lines of a subscription", () => {
  test("come to the total that they say, whatever its plans and its discount are", () => {
    const one = fc.tuple(fc.array(aLine, { minLength: 1, maxLength: 4 }), fc.option(aDiscount));
    fc.assert(
      fc.property(one, ([lines, discount]) => {
        const ofAll = discount && { ...discount, recurring_cycle_limit: null };
        const rows = subscriptionLines(viewOf(lines, ofAll ? [ofAll] : []));
        expect(totalOf(rows)).toBe(rows[0]!.expected_total);
      }),
      seeded(300),
    );
  });

  test("have the columns that are named, and no others", () => {
    const [row] = subscriptionLines(viewOf([lineOf(100, 1)], [discountOn("ORDER", percent(10))]));
    expect(Object.keys(row!).toSorted()).toEqual([...subscriptionColumns].toSorted());
  });

  test("leave out what is in the next order only", () => {
    const lines = [lineOf(100, 2), lineOf(70, 1, { is_one_time: true })];
    const rows = subscriptionLines(viewOf(lines, []));
    expect(rows.map(({ price, quantity, expected_total }) => [price, quantity, expected_total])).toEqual([
      [100, 2, 700],
    ]);
  });

  test("have what the schedule and the discount have left", () => {
    const used = { recurring_cycle_limit: 3, cycles_used: 1 };
    const [row] = subscriptionLines(viewOf([lineOf(100, 2)], [discountOn("ORDER", percent(12.5), used)]));
    expect(row).toMatchObject({
      ...{ cycles_billed: 3, prepaid_owed: 2, discount_type: "PERCENTAGE", discount_value: 12.5 },
      discount_cycles_left: 2,
    });
  });

  test.each<[string, Discount[], object]>([
    [
      "an exhausted discount",
      [discountOn("ORDER", fixed(9), { status: "EXHAUSTED" })],
      { expected_total: 700 },
    ],
    [
      "a discount on some lines, which the total has",
      [discountOn("LINE_ITEM", fixed(9), { line_ids: ["100x2"] })],
      { expected_total: 691 },
    ],
    ["one on shipping that stays", [discountOn("SHIPPING_LINE", percent(100))], { shipping_amount: 0 }],
    [
      "one on shipping that ends, which the total has",
      [discountOn("SHIPPING_LINE", percent(100), { recurring_cycle_limit: 2 })],
      { shipping_amount: 500, expected_total: 200 },
    ],
  ])("have no column for %s", (_, discounts, expected) => {
    const [row] = subscriptionLines(viewOf([lineOf(100, 2)], discounts));
    expect(row).toMatchObject(expected);
    expect(row!.discount_type).toBeUndefined();
  });

  test("have with their total what the store adds in taxes, which an import does not", () => {
    const [row] = subscriptionLines(viewOf([lineOf(100, 2)], [], { tax_amount: 70 }));
    expect(row).toMatchObject({ expected_total: 770 });
  });

  test.each([
    [{ status: "PAYMENT_FAILED" }, "PAST_DUE"],
    [{ status: "ACTIVE", dunning_episode_id: "an episode" }, "PAST_DUE"],
    [{ status: "EXPIRED" }, "CANCELLED"],
    [{ status: "CANCELLED" }, "CANCELLED"],
    [{ status: "PAUSED" }, "PAUSED"],
  ])("%j is %s", (row, status) => {
    expect(subscriptionLines(viewOf([lineOf(100, 2)], [], row))[0]!.status).toBe(status);
  });
});
