import type { Profile } from "../profiles/tables.ts";

type Address = {
  address1: string;
  city: string;
  zip: string;
  country: string;
  country_code: string;
  address2?: string | null | undefined;
  phone?: string | null | undefined;
  first_name?: string | null | undefined;
  last_name?: string | null | undefined;
  company?: string | null | undefined;
  province?: string | null | undefined;
  province_code?: string | null | undefined;
};

const fields = [
  "address1",
  "city",
  "zip",
  "country",
  "country_code",
  "address2",
  "phone",
  "first_name",
  "last_name",
  "company",
  "province",
  "province_code",
] as const;

/** What a subscription keeps of an address, as JSON: its fields that say something. */
export const addressOf = (address: Address): string =>
  JSON.stringify(
    Object.fromEntries(
      fields.map((field) => [field, address[field]]).filter(([, value]) => value != null && value !== ""),
    ),
  );

/** A profile's own address, where it has one that can be delivered to. */
export const profileAddress = (profile: Profile): string | null => {
  const { address1, city, postal_code: zip, country, country_code } = profile;
  if (!address1 || !city || !zip || !country || !country_code) return null;
  const { address2, first_name, last_name, phone_number: phone, region: province } = profile;
  return addressOf({
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
};
