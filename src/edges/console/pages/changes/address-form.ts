import type { Field, Known } from "../forms/fields.ts";

const labels = {
  first_name: "First name",
  last_name: "Last name",
  company: "Company",
  address1: "Street",
  address2: "Addition",
  zip: "Postal code",
  city: "City",
  province: "Region",
  country_code: "Country (two letters)",
  phone: "Phone",
} as const;
type Name = keyof typeof labels;
type Address = { [Of in Name]?: string | null | undefined };
const needed: readonly string[] = ["address1", "zip", "city", "country_code"];

/** The fields of an address, filled in with one. */
export function addressFields<Shown>(
  addressIn: (known: Known<Shown>) => Address | null | undefined,
): Field<Shown>[] {
  return (Object.keys(labels) as Name[]).map((name) => ({
    name,
    label: labels[name],
    value: (known) => addressIn(known)?.[name],
    ...(needed.includes(name) ? { isRequired: true } : {}),
  }));
}
