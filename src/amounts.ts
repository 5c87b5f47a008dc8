import { invalid } from "./errors.ts";
import { exponentOf, toMinor } from "./lib/money.ts";

/** A request's amount in minor units. Throws VALIDATION_FAILED for decimals that the currency does not have. */
export const minorOf = (major: number, currency: string, path: string): number => {
  const minor = toMinor(major, currency);
  if (minor !== undefined) return minor;
  const message = `must be an amount of ${currency}, with at most ${exponentOf(currency)} decimals`;
  throw invalid([{ path, message }]);
};
