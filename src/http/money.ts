import { z } from "@hono/zod-openapi";

/** Money in a response: major units of the currency. */
export const moneyOut = z.number().openapi({ description: "Major units of the currency.", example: 42.5 });

/** Money in a request: major units, with no more decimals than the currency has. `minorOf` checks that. */
export const moneyIn = z
  .number()
  .min(0)
  .openapi({ description: "Major units of the account's currency.", example: 12.5 });
