import { z } from "zod";
import { toMinor } from "../../base/lib/money.ts";
import { type Instant, parseInstant } from "../../base/lib/time/dates.ts";
import { UnknownOutcomeError } from "../port.ts";

/** Parses an answer. One of another shape says nothing: it throws UnknownOutcomeError. */
export function parseResponse<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new UnknownOutcomeError("Shopify's answer has an unexpected shape");
}

/** A DateTime of Shopify as an instant. */
export function instantIn(time: string): Instant {
  const instant = parseInstant(time);
  if (instant === undefined) throw new UnknownOutcomeError(`Shopify returned an invalid time: ${time}`);
  return instant;
}

/** MoneyV2: an amount as decimal text. */
export const moneySchema = z.object({ amount: z.string(), currencyCode: z.string() });
/** MoneyBag, of which the currency counts in which the customer buys: it is that of their contract. */
export const moneyBagSchema = z.object({ presentmentMoney: moneySchema });

export function minorOf({ amount, currencyCode }: z.output<typeof moneySchema>): number {
  const minor = toMinor(Number(amount), currencyCode);
  if (minor === undefined) throw new UnknownOutcomeError(`Shopify returned an invalid amount: ${amount}`);
  return minor;
}
