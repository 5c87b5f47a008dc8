import { z } from "zod";
import { type Instant, parseInstant } from "../../lib/dates.ts";
import { toMinor } from "../../lib/money.ts";
import { UnknownOutcomeError } from "../port.ts";

/** What is not of the shape that was asked for tells nothing. */
export const parseResponse = <S extends z.ZodType>(schema: S, answer: unknown): z.output<S> => {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new UnknownOutcomeError("Shopify's answer is not understood");
};

/** A DateTime as an instant of ours. */
export const instantIn = (time: string): Instant => {
  const instant = parseInstant(time);
  if (instant === undefined) throw new UnknownOutcomeError(`Shopify names a time that cannot be: ${time}`);
  return instant;
};

/** MoneyV2: an amount as decimal text. */
export const moneySchema = z.object({ amount: z.string(), currencyCode: z.string() });
/** MoneyBag, of which the shop's own currency counts. */
export const moneyBagSchema = z.object({ shopMoney: moneySchema });

export const minorOf = ({ amount, currencyCode }: z.output<typeof moneySchema>): number => {
  const minor = toMinor(Number(amount), currencyCode);
  if (minor === undefined) throw new UnknownOutcomeError(`Shopify names an amount that cannot be: ${amount}`);
  return minor;
};
