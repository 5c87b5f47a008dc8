import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { maxDetails } from "../../base/errors.ts";
import { type FieldText, named } from "../../kit/http/document/describe.ts";
import { commonTexts, idOut } from "../../kit/http/document/fields.ts";
import {
  anyText,
  instant,
  instantIn,
  localeName,
  maxAddressText,
  maxPostalCode,
  maxText,
  nullableText,
  orNull,
  searchText,
  storeIdQuery,
} from "../../kit/http/document/params.ts";
import { dataOf, listOf, pageQuery } from "../../kit/http/list/pagination.ts";
import { countryCode, refuseUnlike } from "./country.ts";
import { consentStatuses } from "./tables.ts";

const consent = z.enum(consentStatuses).openapi("ConsentStatus", {
  description:
    "Whether a customer wants marketing messages. subscribed: yes. unsubscribed: no longer. suppressed: never, as after a complaint or a bounce.",
});
const asciiAtom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const asciiLabel = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
/** A dot-atom at a domain of two labels or more (RFC 5321 §4.1.2, with the characters of RFC 6531). */
const emailForm =
  /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@([\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;
/** The addresses of that form in ASCII, which `format: email` means. */
const asciiEmail = `^(?=[^@]{1,64}@)${asciiAtom}(\\.${asciiAtom})*@(${asciiLabel}\\.)+${asciiLabel}$`;

function isEmail(value: string): boolean {
  return value.length <= 254 && value.indexOf("@") <= 64 && emailForm.test(value);
}
export const email = z
  .string()
  .refine(isEmail, "must be an e-mail address")
  .openapi({ format: "email", maxLength: 254, pattern: asciiEmail, example: "ada@example.com" });

/** Longer than any name. */
const field = nullableText(maxText).optional();
const addressField = nullableText(maxAddressText).optional();

const optionalFields = {
  email_status: orNull(consent).optional(),
  sms_status: orNull(consent).optional(),
  first_name: field,
  last_name: field,
  title: field,
  phone_number: field,
  external_id: field,
  address1: addressField,
  address2: addressField,
  city: addressField,
  country: addressField,
  country_code: orNull(countryCode).optional(),
  region: addressField,
  postal_code: nullableText(maxPostalCode).optional(),
  timezone: field,
  ip: field,
  locale: orNull(localeName).optional(),
};

/** The descriptions of a customer's fields, in requests and responses. */
const profileTexts = {
  ...commonTexts,
  id: ["The profile's id.", demoId("profile", 1)],
  email: [
    "The e-mail address, as it was sent, at most 254 characters. No two profiles of an account have the same one, in any case.",
    "ada@example.com",
  ],
  full_name: ["First and last name; empty if neither is known.", "Ada Lovelace"],
  full_address: [
    "The lines of the address that are known, divided by commas; empty if none is.",
    "12 Elm Street, Brooklyn, New York, 11201, United States",
  ],
  first_name: ["The first name; null if not known. At most 10,000 characters.", "Ada"],
  last_name: ["The last name; null if not known. At most 10,000 characters.", "Lovelace"],
  title: ["A form of address such as Dr. It is stored and not returned; null for none.", "Dr"],
  phone_number: ["The phone number, as it was sent; null if not known.", "+1 555 0000001"],
  external_id: ["The customer's id in a system of the merchant's; null for none.", "crm-3"],
  store_customer_id: ["The customer's plain id at the connected store; null for none.", "customer-1"],
  email_status: "Whether the customer wants marketing e-mails; null if never asked.",
  sms_status: "Whether the customer wants marketing text messages; null if never asked.",
  timezone: [
    "The customer's time zone, as it was sent; null if not known. Nothing is reckoned by it.",
    "America/New_York",
  ],
  locale: "The language that the customer is written to in; null: the portal's default.",
  address1: ["The street and house number; null if not known.", "12 Elm Street"],
  address2: ["A second line of the address, such as the apartment; null for none.", "Apartment 4"],
  city: ["The city; null if not known.", "Brooklyn"],
  region: ["The state, province or region; null if not known.", "New York"],
  postal_code: ["The postal code; null if not known.", "11201"],
  country: [
    "The country's name, as it was sent; null if not known. With country_code it has to be that country's: in English, German, French, Spanish or the country's own language, or the code. By default the English name for country_code.",
    "United States",
  ],
  country_code: [
    "The country's ISO 3166-1 alpha-2 code. It decides where it is sent; without it a country that is known by its name has its code. Null in a request clears it; a response leaves it out while it is not known.",
    "US",
  ],
  ip: [
    "The IP address from which the customer signed up. It is stored and not returned; null for none.",
    null,
  ],
} as const satisfies Record<string, FieldText>;

/** A customer. `country_code` is absent if it is unknown. */
export const ProfileBody = named(
  "Profile",
  z.strictObject({
    id: idOut,
    email: z.string(),
    full_name: z.string(),
    full_address: z.string(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    phone_number: z.string().nullable(),
    external_id: z.string().nullable(),
    store_customer_id: z.string().nullable(),
    email_status: orNull(consent),
    sms_status: orNull(consent),
    timezone: z.string().nullable(),
    locale: orNull(localeName),
    address1: z.string().nullable(),
    address2: z.string().nullable(),
    city: z.string().nullable(),
    region: z.string().nullable(),
    country: z.string().nullable(),
    country_code: z.string().optional(),
    postal_code: z.string().nullable(),
    created_at: instant,
    updated_at: instant,
  }),
  profileTexts,
  { description: "A customer of the merchant." },
);

export const ProfileData = dataOf(ProfileBody, "ProfileData", "The profile.");
export const ProfileList = listOf(ProfileBody, "ProfileList");

export const ProfileQuery = z.strictObject({
  ...pageQuery,
  search: searchText("Customer").optional().openapi({
    description:
      "Part of the e-mail, full name, phone number, postal code, city, external id or store customer id, in any case and with or without apostrophes: 1 to 256 characters.",
    example: "ada",
  }),
  email: anyText.optional().openapi({
    description: "Only the profile with this e-mail address, the whole of it, in any case.",
    example: "ada@example.com",
  }),
  email_status: consent
    .optional()
    .openapi({ param: { description: "Only profiles with this consent to e-mails." } }),
  store_customer_id: storeIdQuery("Customer").optional().openapi({
    description:
      "Only the profile with this id at the connected store: plain, such as 123, or gid://shopify/Customer/123.",
    example: "customer-1",
  }),
});

export const ProfileCreate = named(
  "ProfileCreate",
  z.strictObject({
    email,
    ...optionalFields,
    created_at: instantIn.nullable().optional(),
    updated_at: instantIn.nullable().optional(),
  }),
  {
    ...profileTexts,
    created_at: [
      "When the customer was first known, for profiles that come from another system. Null or absent: now.",
      "2026-01-15T12:00:00.000Z",
    ],
    updated_at: [
      "When the profile last changed in that system. Null or absent: now.",
      "2026-01-15T12:00:00.000Z",
    ],
  },
  {
    example: {
      email: "grace@example.com",
      first_name: "Grace",
      last_name: "Hopper",
      email_status: "subscribed",
    },
  },
).superRefine(refuseUnlike);

export const ProfileUpdate = named(
  "ProfileUpdate",
  z.strictObject({ email: email.optional(), ...optionalFields }),
  profileTexts,
  {
    description: "Fields that are absent stay as they are; null clears one.",
    example: { phone_number: "+1 202 555 0147" },
  },
).superRefine(refuseUnlike);

export const maxUpload = 10_000;

const uploadedRows = {
  type: "array" as const,
  description: `The profiles: at most ${maxUpload} rows, no two with the same e-mail address.`,
  maxItems: maxUpload,
  items: { $ref: "#/components/schemas/ProfileCreate" },
};

/** The rows are checked one by one, until enough faults are found: all faults of all rows would fill the memory. */
const rows = z
  .array(z.unknown())
  .max(maxUpload, `must have at most ${maxUpload} rows`)
  .transform((input, context) => {
    const valid: NewProfile[] = [];
    for (const [index, row] of input.entries()) {
      const { data, error } = ProfileCreate.safeParse(row);
      if (data) valid.push(data);
      for (const issue of error?.issues ?? [])
        context.issues.push({ ...issue, path: [index, ...issue.path], input: row } as z.core.$ZodRawIssue);
      if (context.issues.length >= maxDetails) break;
    }
    return valid;
  });

/** A bare array of profiles means the same as an object with that array. */
export const ProfileUpload = z
  .preprocess(
    (value) => (Array.isArray(value) ? { profiles: value } : value),
    z.strictObject({ profiles: rows }),
  )
  .openapi("ProfileUpload", {
    type: ["object", "array"],
    anyOf: [
      {
        type: "object",
        required: ["profiles"],
        properties: { profiles: uploadedRows },
        additionalProperties: false,
      },
      uploadedRows,
    ],
    example: {
      profiles: [{ email: "grace@example.com", first_name: "Grace" }, { email: "alan@example.com" }],
    },
  });
export const ProfileUploaded = named("ProfileUploaded", z.strictObject({ imported: z.int() }), {
  imported: ["The number of rows: profiles that were created, changed, or already so.", 2],
});

export type NewProfile = z.output<typeof ProfileCreate>;
export type ProfileChanges = z.output<typeof ProfileUpdate>;
