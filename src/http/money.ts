import { z } from "@hono/zod-openapi";
import { invalid } from "../errors.ts";
import { exponentOf, toMinor } from "../lib/money.ts";

/** Money in an answer: major units of the currency. */
export const moneyOut = z.number().openapi({ description: "Major units of the currency.", example: 42.5 });

/** Money in a request: major units, with no more decimals than the currency has (minorOf). */
export const moneyIn = z
  .number()
  .min(0)
  .openapi({ description: "Major units of the account's currency.", example: 12.5 });

/** A request's amount in minor units. Throws VALIDATION_FAILED for decimals that the currency does not have. */
export const minorOf = (major: number, currency: string, path: string): number => {
  const minor = toMinor(major, currency);
  if (minor !== undefined) return minor;
  const message = `must be an amount of ${currency}, with at most ${exponentOf(currency)} decimals`;
  throw invalid([{ path, message }]);
};
