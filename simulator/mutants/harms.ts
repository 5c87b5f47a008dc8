import { edit, type Mutant } from "./edits.ts";

/** Bugs that random schedules hardly reach; the test that is named for each states whom it harms. */
export const harmMutants: Mutant[] = [
  {
    name: "the last retry day ends what is being paid",
    what: "a customer whose new card is tried after the last retry day is cancelled, and pays in time",
    edits: [
      edit(
        "src/domain/dunning/actions.ts",
        'if (step.status === "EXHAUSTED" && !failure.triesAgain) {',
        'if (step.status === "EXHAUSTED") {',
      ),
    ],
    caughtBy: { file: "test/billing/last-retry-day.test.ts", test: "and pays, is not cancelled" },
  },
  {
    name: "the provider's failure is a decline",
    what: "customers are in dunning, and lose their subscriptions, because of the merchant's payment provider",
    edits: [
      edit(
        "src/stores/shopify/declines.ts",
        'PAYMENT_PROVIDER_ERROR: "merchant"',
        'PAYMENT_PROVIDER_ERROR: "retry"',
      ),
    ],
    caughtBy: { file: "test/shopify/failures.test.ts", test: "(payment) with PAYMENT_PROVIDER_ERROR:" },
  },
];
