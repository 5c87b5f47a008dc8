import { z } from "@hono/zod-openapi";

/** Money in a response: major units of the currency. */
export const moneyOut = z
  .number()
  .openapi({ description: "Major units of `currency_code`, such as 42.5 for 42.50 USD.", example: 42.5 });

/** The largest amount in a request that fits the currencies with three decimals as well. */
const maxAmount = 1_000_000_000;

/**
 * Money in a request: major units, with no more decimals than the currency has. `minorOf` checks that; the document cannot
 * state it as `multipleOf`, by which validators that divide in binary would refuse 0.07.
 */
export const moneyIn = z.number().min(0).max(maxAmount).openapi({
  description:
    "Major units of the account's currency, or of that of the subscription that is changed, such as 12.5 for 12.50 USD: from 0 to 1,000,000,000 (100,000,000 in a currency with four decimals), with no more decimals than the currency has.",
  example: 12.5,
});

/** Money in a request that is more than nothing. */
export const positiveMoneyIn = z
  .number()
  .gt(0, "must be more than 0")
  .max(maxAmount)
  .openapi({ example: 12.5 });
