import { emailKey, formsOfEmail } from "../../base/lib/email-address.ts";
import { searchTextOf } from "../../base/lib/text.ts";
import type { Profile } from "./tables.ts";

export function fullName({ first_name, last_name }: Pick<Profile, "first_name" | "last_name">): string {
  return joinParts([first_name, last_name], " ");
}

export function fullAddress({ address1, address2, city, region, postal_code, country }: Address): string {
  return joinParts([address1, address2, city, region, postal_code, country], ", ");
}

/** The e-mail address of an erased profile, which belongs to nobody. */
export function erasedEmail(id: string): string {
  return `redacted-${id}@redacted.invalid`;
}

/** The stored columns that are computed from the other fields. */
export function deriveColumns(
  profile: Pick<
    Profile,
    | "email"
    | "first_name"
    | "last_name"
    | "phone_number"
    | "postal_code"
    | "city"
    | "external_id"
    | "store_customer_id"
  >,
): Pick<Profile, "email_folded" | "search_identity" | "search_other"> {
  const { email, phone_number, postal_code, city, external_id, store_customer_id } = profile;
  return {
    email_folded: emailKey(email),
    search_identity: searchTextOf([
      ...formsOfEmail(email),
      fullName(profile),
      ...formsOf(phone_number, compactPhone),
      ...formsOf(postal_code, compactPostalCode),
      city,
    ]),
    search_other: searchTextOf([external_id, store_customer_id]),
  };
}

/** A text as it is, and as it is written without what divides it. */
function formsOf(text: string | null, compact: (text: string) => string): string[] {
  return text === null ? [] : [...new Set([text, compact(text)])];
}

function compactPhone(text: string): string {
  return /^[\d\s+()./-]*$/.test(text) ? text.replace(/[^\d+]/g, "") : text;
}

function compactPostalCode(text: string): string {
  return text.replace(/[\s-]/g, "");
}

function joinParts(parts: (string | null)[], by: string): string {
  return parts.filter((part): part is string => part !== null && part !== "").join(by);
}

type Address = Pick<Profile, "address1" | "address2" | "city" | "region" | "postal_code" | "country">;

/** The optional fields of a profile, all empty. */
export const emptyProfile = {
  first_name: null,
  last_name: null,
  title: null,
  phone_number: null,
  external_id: null,
  store_customer_id: null,
  email_status: null,
  sms_status: null,
  timezone: null,
  address1: null,
  address2: null,
  city: null,
  region: null,
  country: null,
  country_code: null,
  postal_code: null,
  ip: null,
  store_seen: null,
  locale: null,
} as const;
