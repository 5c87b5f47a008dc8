import { invalid } from "./errors.ts";
import { exponentOf, largestMajor, toMinor } from "./lib/money.ts";

/** A request's amount in minor units. Throws VALIDATION_FAILED for decimals that the currency does not have, and for too much. */
export function minorOf(major: number, currency: string, path: string): number {
  const minor = toMinor(major, currency);
  if (minor !== undefined) return minor;
  throw invalid([{ path, message: amountMessage(major, currency) }]);
}

function amountMessage(major: number, currency: string): string {
  const most = largestMajor(currency);
  if (major > most) return `must be at most ${most} ${currency}`;
  const decimals = exponentOf(currency);
  return `must be an amount of ${currency}, ${decimals === 0 ? "without" : `with at most ${decimals}`} decimals`;
}
