import {
  countryCodeOf,
  countryNameOf,
  isCountryCode,
  isNameOfCountry,
} from "../../../base/lib/places/countries.ts";
import { needsPostalCode } from "../../../base/lib/places/postal-codes.ts";
import { maxAddressText, maxPostalCode } from "../../../kit/http/document/params.ts";
import { serializeAddress } from "../../subscriptions/address/address.ts";
import type { SubscriptionReader, Surroundings } from "./surroundings.ts";

/** The address of the rows; null where they have none, and the customer's own is used. */
export function addressIn(reader: SubscriptionReader, { provinces }: Surroundings): string | null {
  const given = Object.fromEntries(addressFields.map((field) => [field, reader.text(field, longest(field))]));
  const { address1, city, postal_code: zip } = given;
  if (!address1 && !city && !zip) return null;
  const country = countryIn(reader);
  const isWithZip = !country || needsPostalCode(country.country_code);
  for (const field of ["address1", "city", ...(isWithZip ? (["postal_code"] as const) : [])] as const)
    if (reader.values[field] === undefined) reader.refuse(field, "is required where there is an address");
  if (!address1 || !city || (isWithZip && !zip) || !country) return null;
  return serializeAddress(provinces, {
    ...{ address1, city, zip: zip ?? "", ...country },
    address2: given.address2,
    phone: given.address_phone,
    first_name: given.address_first_name,
    last_name: given.address_last_name,
    company: given.company,
    province: given.region,
    province_code: given.province_code,
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

function longest(field: (typeof addressFields)[number]): number {
  return field === "postal_code" ? maxPostalCode : maxAddressText;
}

const addressFields = [
  ...(["address_first_name", "address_last_name", "company", "address1", "address2", "city"] as const),
  ...(["region", "province_code", "postal_code", "country", "country_code", "address_phone"] as const),
];
