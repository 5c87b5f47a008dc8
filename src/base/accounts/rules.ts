import { z } from "zod";
import { type Engine, engines } from "../env.ts";
import { isStorable } from "../lib/text.ts";
import { isTimezone } from "../lib/time/timezones.ts";
import { isShop, normalizeShop } from "./shop.ts";

export const timezone = z.string().refine(isTimezone, "must be an IANA time zone, such as Europe/Berlin");
export const currency = z
  .string()
  .transform((code) => code.toUpperCase())
  .refine(isCurrency, "must be an ISO 4217 currency code, such as EUR");
export const shopDomain = z
  .string()
  .transform(normalizeShop)
  .refine(isShop, "must be a domain, such as example.myshopify.com");
export const displayName = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .refine(isStorable, "must not contain NUL or lone surrogates");

/** The operator's input for a new account. The name defaults to the shop. */
export const newAccount = z.strictObject({
  shop: shopDomain,
  name: displayName.optional(),
  timezone: timezone.default("UTC"),
  currency: currency.default("USD"),
  engine: z.enum(engines).default("d1"),
  is_test: z.boolean().default(false),
});
export type NewAccount = Omit<z.infer<typeof newAccount>, "engine" | "is_test"> & {
  engine?: Engine;
  is_test?: boolean;
};

function isCurrency(code: string): boolean {
  return Intl.supportedValuesOf("currency").includes(code);
}
