import { countryCodeOf, countryNameOf, isCountryCode, isNameOfCountry } from "../../../base/lib/countries.ts";
import { serializeAddress } from "../../subscriptions/address.ts";
import type { SubscriptionReader } from "./surroundings.ts";

/** The address of the rows; null where they have none, and the customer's own is used. */
export function addressIn(reader: SubscriptionReader): string | null {
  const given = Object.fromEntries(addressFields.map((field) => [field, reader.text(field)]));
  const { address1, city, postal_code: zip } = given;
  if (!address1 && !city && !zip) return null;
  for (const field of ["address1", "city", "postal_code"] as const)
    if (given[field] === undefined) reader.refuse(field, "is required where there is an address");
  const country = countryIn(reader);
  if (!address1 || !city || !zip || !country) return null;
  return serializeAddress({
    ...{ address1, city, zip, ...country },
    address2: given.address2,
    phone: given.address_phone,
    first_name: given.address_first_name,
    last_name: given.address_last_name,
    province: given.region,
  });
}

function countryIn(reader: SubscriptionReader): { country: string; country_code: string } | undefined {
  const code = reader.values.country_code?.trim().toUpperCase();
  const country = reader.values.country?.trim();
  if (code === undefined && country === undefined)
    return reader.refuse("country_code", "is required where there is an address");
  if (code === undefined) {
    const known = isCountryCode(country!.toUpperCase()) ? country!.toUpperCase() : countryCodeOf(country!);
    if (known) return { country: known === country ? countryNameOf(known) : country!, country_code: known };
    return reader.refuse("country", "is not a country that is known by this name: send country_code");
  }
  if (!isCountryCode(code)) return reader.refuse("country_code", "must be an ISO 3166-1 code, such as US");
  if (country !== undefined && !isNameOfCountry(country, code))
    return reader.refuse("country", `must be the country of country_code ${code}, or absent`);
  return { country: country ?? countryNameOf(code), country_code: code };
}

const addressFields = [
  ...(["address_first_name", "address_last_name", "address1", "address2", "city", "region"] as const),
  ...(["postal_code", "country", "country_code", "address_phone"] as const),
];
