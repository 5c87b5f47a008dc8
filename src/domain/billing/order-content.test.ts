/** Each prepaid delivery says which of how many it is, and every billing numbers its deliveries through. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { numberedContent } from "./order-content.ts";

function of(deliveries_per_billing: number, owed: number) {
  return numberedContent({ deliveries_per_billing, next_index: 7, next_billed_index: 7 + owed });
}

describe("which of how many a prepaid delivery is", () => {
  test.each([
    [3, 2, 2],
    [3, 1, 3],
    [2, 1, 2],
    [12, 11, 2],
    [12, 1, 12],
    // Another billing while deliveries of the one before are owed, as by ship-now.
    [3, 4, 2],
    [3, 3, 3],
  ])("of %i, with %i owed: %i", (deliveries, owed, expected) => {
    expect(of(deliveries, owed)).toEqual({ prepaid_delivery: expected, prepaid_deliveries: deliveries });
  });

  test("is not said where each delivery is billed", () => {
    expect(of(1, 1)).toEqual({ prepaid_delivery: null, prepaid_deliveries: null });
  });

  test("whenever billings come, each of them has one delivery of each further number, in order", () => {
    const steps = fc.array(fc.constantFrom("bill", "deliver"), { maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 12 }), steps, (deliveries, all) => {
        const numbers: (number | null)[] = [];
        let [owed, billings] = [0, 0];
        const deliver = (): void => {
          numbers.push(of(deliveries, owed--).prepaid_delivery);
        };
        for (const step of all) {
          if (step === "bill") {
            owed += deliveries - 1;
            billings++;
          } else if (owed > 0) deliver();
        }
        while (owed > 0) deliver();
        const further = Array.from({ length: deliveries - 1 }, (_, nth) => nth + 2);
        expect(numbers).toEqual(Array.from({ length: billings }, () => further).flat());
      }),
      { seed: Number(process.env.FUZZ_SEED ?? "20261121") },
    );
  });
});
