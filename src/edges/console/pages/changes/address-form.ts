import type { FormField } from "./change.ts";

export const addressNames = [
  ...["first_name", "last_name", "company", "address1", "address2"],
  ...["zip", "city", "province", "country_code", "phone"],
] as const;
const addressLabels: Record<(typeof addressNames)[number], string> = {
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
};
const neededOfAddress: readonly string[] = ["address1", "zip", "city", "country_code"];

/** The fields of an address, filled in with one. */
export function addressForm(
  address: { [Name in (typeof addressNames)[number]]?: string | null | undefined } | null,
): FormField[] {
  return addressNames.map((name) => ({
    name,
    label: addressLabels[name],
    value: address?.[name] ?? "",
    ...(neededOfAddress.includes(name) ? { isRequired: true } : {}),
  }));
}
