/** An entry of a timeline shows each field that it has changed, before and after, in words. */
import { describe, expect, test } from "vitest";
import { changedFields } from "./entry-changes.ts";

const reader = { currency: "EUR", timezone: "Europe/Berlin" };
const line = (id: string, quantity: number) => ({
  ...{ id, quantity, price: 4.5, product_title: "Tea", variant_title: id === "a" ? "Green" : null },
});

const cases: [string, Record<string, unknown>, string[]][] = [
  ["a state", { status: { from: "ACTIVE", to: "PAYMENT_FAILED" } }, ["State: active → payment failed"]],
  [
    "a date, and one that was none",
    {
      next_delivery_date: { from: "2026-12-01", to: "2026-12-29" },
      pause_until: { from: null, to: "2026-12-24" },
    },
    ["Paused until: none → Thu, Dec 24, 2026", "Next delivery: Tue, Dec 1, 2026 → Tue, Dec 29, 2026"],
  ],
  ["an amount", { total: { from: 0, to: 59.8 } }, ["Amount: €0.00 → €59.80"]],
  [
    "the items that differ alone",
    { lines: { from: [line("a", 1), line("b", 2)], to: [line("a", 3), line("b", 2)] } },
    ["Items: 1 × Tea, Green at €4.50 → 3 × Tea, Green at €4.50"],
  ],
  [
    "a discount that was given, of those that still count",
    {
      discounts: {
        from: [{ title: "Old", is_active: false }],
        to: [
          { title: "Old", is_active: false },
          { title: "Sorry", is_active: true },
        ],
      },
    },
    ["Discounts: none → Sorry"],
  ],
  [
    "an address in one line",
    {
      delivery_address: {
        from: null,
        to: { address1: "Weg 1", zip: "10115", city: "Berlin", country: "Germany", country_code: "DE" },
      },
    },
    ["Address: none → Weg 1, 10115 Berlin, Germany"],
  ],
  ["no id, and no column that follows from another", { payment_method_id: { from: "a", to: "b" } }, []],
  ["nothing of a value that is no change", { status: "ACTIVE", total: null }, []],
];

describe("an entry says", () => {
  test.each(cases)("%s", (_, changes, told) => {
    expect(changedFields(changes, reader).map(({ label, from, to }) => `${label}: ${from} → ${to}`)).toEqual(
      told,
    );
  });
});

test("an amount of a record whose currency is not known is a number", () => {
  const [total] = changedFields({ total: { from: 1, to: 2.5 } }, { ...reader, currency: undefined });
  expect(total).toEqual({ label: "Amount", from: "1", to: "2.5" });
});
