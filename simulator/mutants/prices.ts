import { edit, type Mutant } from "./edits.ts";

const amounts = "src/domain/subscriptions/lines/amounts.ts";
const afterCycle = "src/domain/billing/after-cycle.ts";
const counted = "a discount's cycles are counted once";
const prices = "prices change with the cycles";

/** Bugs in what a cycle costs: prices and discounts that change with the cycles that were paid. */
export const priceMutants: Mutant[] = [
  {
    name: "a discount lasts a cycle longer",
    what: "a discount for two cycles is given for three",
    edits: [
      edit(
        amounts,
        "cycles_used >= discount.recurring_cycle_limit;",
        "cycles_used > discount.recurring_cycle_limit;",
      ),
    ],
    rule: counted,
  },
  {
    name: "discounts last beyond the first life",
    what: "in later lives no discount is used up",
    edits: [
      edit(
        afterCycle,
        "const served = new Set(discounts.filter(",
        "const served = new Set((row.activation > 1 ? [] : discounts).filter(",
      ),
    ],
    rule: counted,
    times: 3,
  },
  {
    name: "a discount is used up by a charge from before it",
    what: "a discount that is given while a payment is under way loses a cycle by it",
    edits: [
      edit(
        afterCycle,
        "served.has(discount.id) ? afterCycle",
        "served.has(discount.id) || served.size >= 0 ? afterCycle",
      ),
    ],
    rule: counted,
    times: 3,
  },
  {
    name: "prices stay as they began",
    what: "a price that was promised for the first cycle is charged for ever",
    edits: [edit(amounts, "in_cycles: in_cycles - 1, price }", "in_cycles, price }")],
    rule: prices,
  },
  {
    name: "prices change in the first life alone",
    what: "after a reactivation a line keeps the price that it had",
    edits: [
      edit(
        afterCycle,
        "billed.has(line.id) ? lineAfterCycle(line)",
        "billed.has(line.id) && row.activation === 1 ? lineAfterCycle(line)",
      ),
    ],
    rule: prices,
    times: 3,
  },
  {
    name: "a discount counts again for the delivery",
    what: "a discount on the goods takes its share off the delivery too",
    edits: [
      edit(
        amounts,
        '.filter((discount) => isActive(discount) && discount.target_type === "SHIPPING_LINE")',
        '.filter((discount) => isActive(discount) && discount.target_type !== "LINE_ITEM")',
      ),
    ],
    rule: "an attempt costs what its lines cost",
  },
  {
    name: "discounts are rounded down",
    what: "half a cent is never given away",
    edits: [edit(amounts, "(whole + 5000n) / 10_000n", "whole / 10_000n")],
    rule: "an attempt costs what its lines cost",
    times: 3,
  },
];
