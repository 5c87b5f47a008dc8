import type { PortalLocale } from "../accounts/portal-settings.ts";
import { countryNameOf, isCountryCode } from "../lib/places/countries.ts";
import type { Words } from "./words/en.ts";

/** A name for goods that are sold together. */
export function nameGoods({ andMore }: Pick<Words, "andMore">, [first = "", ...more]: string[]): string {
  return more.length > 0 ? `${first} ${andMore(more.length)}` : first;
}

/** A postal address, as subscriptions have it. */
export type Address = Partial<
  Record<
    "first_name" | "last_name" | "company" | "address2" | "province" | "country_code",
    string | null | undefined
  >
> &
  Record<"address1" | "zip" | "city" | "country", string>;

/** Whether a country writes the postal code at the end of an address, behind the region. Others write it before the city. */
export function isPostcodeLast(country_code: string | null | undefined): boolean {
  return postcodeLast.has(country_code ?? "");
}

const postcodeLast = new Set("US CA AU GB IE NZ IN ZA SG HK PH TH TW".split(" "));

/** An address in one line, in the order of its country, which has its name in the language if one is given. */
export function addressOf(address: Address | null, locale?: PortalLocale): string {
  if (!address) return "";
  const { city, zip, province } = address;
  const place = isPostcodeLast(address.country_code)
    ? [city, joinWords(province, zip)]
    : [joinWords(zip, city), province];
  return [...linesToStreet(address), ...place, countryOf(address, locale)].filter(Boolean).join(", ");
}

/** An address line by line, as an envelope of its country has it; the country has its name in the language if one is given. */
export function addressLines(address: Address | null, locale?: PortalLocale): string[] {
  if (!address) return [];
  const lines = [...linesToStreet(address), ...placeLines(address), countryOf(address, locale)];
  return lines.filter((line): line is string => Boolean(line));
}

/** A country as it is stored was named by whoever has typed it, in their language. */
function countryOf({ country, country_code: code }: Address, locale: PortalLocale | undefined): string {
  return locale && code && isCountryCode(code) ? countryNameOf(code, locale) : country;
}

function placeLines({ city, zip, province, country_code }: Address): Part[] {
  if (postcodeAlone.has(country_code ?? "")) return [city, province, zip];
  if (isPostcodeLast(country_code)) return [joinWords(province ? `${city},` : city, province, zip)];
  return [joinWords(zip, city), province === city ? null : province];
}

/** The countries where the postal code has a line of its own. */
const postcodeAlone = new Set("GB IE".split(" "));

function linesToStreet({ first_name, last_name, company, address1, address2 }: Address) {
  return [joinWords(first_name, last_name), company, address1, address2];
}

type Part = string | null | undefined;

function joinWords(...parts: Part[]): string {
  return parts.filter(Boolean).join(" ");
}

/** A product with its variant, if it has one. */
export function nameOfGoods({
  product_title,
  variant_title,
}: {
  product_title: string | null;
  variant_title: string | null;
}): string {
  return [product_title, variant_title].filter(Boolean).join(", ");
}

/** A payment method by its brand, in the customer's language where that has a word for it, and its last digits. */
export function cardOf(
  brand: string | null,
  last4: string | null,
  { brands }: Pick<Words, "brands"> = { brands: {} },
): string {
  const plain = (brand ?? "").replaceAll("_", " ").replace(/^[a-z]/, (letter) => letter.toUpperCase());
  const name = (brand !== null && Object.hasOwn(brands, brand) && brands[brand]) || plain;
  return last4 === null ? name : `${name} •••• ${last4}`.trim();
}
