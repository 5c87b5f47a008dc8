import { z } from "@hono/zod-openapi";
import {
  countryCodeOf,
  countryCodes,
  countryNameOf,
  isCountryCode,
  isNameOfCountry,
} from "../../base/lib/places/countries.ts";
import { required } from "../../kit/http/issue-messages.ts";

/** A country's code in a request: read in any case, stored in capitals. */
export const countryCode = z
  .string()
  .transform((code) => code.toUpperCase())
  .refine(isCountryCode, "must be an ISO 3166-1 code of a country, such as US")
  .openapi("CountryCode", {
    type: "string",
    enum: [...countryCodes],
    description:
      "The ISO 3166-1 alpha-2 code of a country. Requests may have it in any case; it is stored in capitals. XK is Kosovo.",
    example: "US",
  });

/** The fields of a country in a request. */
type Sent = { country?: string | null | undefined; country_code?: string | null | undefined };
type Country = { country: string | null; country_code: string | null };
type KnownCountry = { country: string; country_code: string };

/** Refuses a name that is not one of the country whose code is sent with it. */
export function refuseUnlike({ country, country_code: code }: Sent, c: z.RefinementCtx): void {
  if (!country || !code || !isCountryCode(code) || isNameOfCountry(country, code)) return;
  const message = `must be the country of country_code ${code}, ${countryNameOf(code)}, or absent`;
  c.addIssue({ code: "custom", path: ["country"], message });
}

/** An address, whose country has to be known: by its code, or by a name that has one. */
export function withKnownCountry<Address extends z.ZodType<Sent>>(address: Address): Address {
  return address.superRefine(refuseUnlike).refine(isCountryKnown, unknownCountry);
}

/** A change of an address. It may leave the country alone; one that it names has to be known. */
export function withKnownCountryIfNamed<Address extends z.ZodType<Sent>>(address: Address): Address {
  return address
    .superRefine(refuseUnlike)
    .refine((sent) => !namesCountry(sent) || isCountryKnown(sent), unknownCountry);
}

export function namesCountry({ country, country_code }: Sent): boolean {
  return country !== undefined || country_code !== undefined;
}

/**
 * Both fields of a country after a request that names one of them or both; none if it names neither. A code that is sent decides,
 * and the name that goes with it stays. A name without a code has the code of the country that is known by it, or none.
 */
export function countryAfter(
  sent: Sent,
  stored: Country = { country: null, country_code: null },
): Partial<Country> {
  const { country, country_code: code } = sent;
  if (!namesCountry(sent)) return {};
  if (code)
    return {
      country: nameBeside(code, country === undefined ? stored.country : country),
      country_code: code,
    };
  if (country) return { country, country_code: codeBeside(country, stored) };
  return {
    ...(country === undefined ? {} : { country }),
    ...(code === undefined ? {} : { country_code: code }),
  };
}

/** The country of an address, which its schema has found to be known. */
export function countryOfAddress(sent: Sent, stored?: Country): KnownCountry {
  return countryAfter(sent, stored) as KnownCountry;
}

/** A code that is not one of a country has its own fault. */
function isCountryKnown({ country, country_code }: Sent): boolean {
  return Boolean(country_code) || (typeof country === "string" && countryCodeOf(country) !== undefined);
}

const unknownCountry = {
  path: ["country_code"],
  error: ({ input }: { input?: unknown }) =>
    (input as Sent).country ? "is required, because no country is known by this name" : required,
  /** Beside the faults of other fields, too. */
  when: ({ value }: { value: unknown }) => typeof value === "object" && value !== null,
};

function nameBeside(code: string, name: string | null): string {
  return name && isNameOfCountry(name, code) ? name : countryNameOf(code);
}

/** A name that stays keeps its code too, which may be one that a store has sent. */
function codeBeside(name: string, stored: Country): string | null {
  return countryCodeOf(name) ?? (name === stored.country ? stored.country_code : null);
}
