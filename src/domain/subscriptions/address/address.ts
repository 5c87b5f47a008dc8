import { DomainError } from "../../../base/errors.ts";
import { countryCodeOf } from "../../../base/lib/places/countries.ts";
import { needsPostalCode } from "../../../base/lib/places/postal-codes.ts";
import { completeProvince, type Provinces } from "../../../base/lib/places/provinces.ts";
import type { Profile } from "../../profiles/tables.ts";

/** The JSON text of a delivery address, with its province by name and code, and without the fields that have no value. */
export function serializeAddress(provinces: Provinces, address: AddressInput): string {
  const whole = { ...address, ...completeProvince(provinces, address) };
  const isWritten = ([field, value]: [string, unknown]) => value != null && (value !== "" || field === "zip");
  return JSON.stringify(
    Object.fromEntries(fields.map((field): [string, unknown] => [field, whole[field]]).filter(isWritten)),
  );
}

/**
 * The JSON text of a profile's own address, or null where it is not complete. The country's code is looked up where it is
 * missing. Throws INVALID_STATE if the country is not known.
 */
export function profileAddress(provinces: Provinces, profile: Profile): string | null {
  const { address1, city, country } = profile;
  const zip = profile.postal_code ?? "";
  if (!address1 || !city || !country) return null;
  const country_code = profile.country_code || countryCodeOf(country);
  if (!zip && (!country_code || needsPostalCode(country_code))) return null;
  if (!country_code) throw unknownCountry();
  const { address2, first_name, last_name, phone_number: phone, region: province } = profile;
  return serializeAddress(provinces, {
    address1,
    city,
    zip,
    country,
    country_code,
    address2,
    first_name,
    last_name,
    phone,
    province,
  });
}

const requiredFields = ["address1", "city", "zip", "country", "country_code"] as const;
const optionalFields = [
  "address2",
  "phone",
  "first_name",
  "last_name",
  "company",
  "province",
  "province_code",
] as const;
const fields = [...requiredFields, ...optionalFields];

type Required = Record<(typeof requiredFields)[number], string>;
type Optional = (typeof optionalFields)[number];

/** A subscription's delivery address as its row holds it. A field without a value is left out. */
export type SubscriptionAddress = Required & { [field in Optional]?: string };

/** A delivery address as others name it. */
type AddressInput = Required & { [field in Optional]?: string | null | undefined };

function unknownCountry(): DomainError {
  return new DomainError(
    "INVALID_STATE",
    "Cannot deliver to the profile's own address: its country is not known by name, and country_code is not set",
  );
}
