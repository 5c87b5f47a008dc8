import { z } from "@hono/zod-openapi";
import { demoId } from "../demo.ts";
import { maxDetails } from "../errors.ts";
import { listOf, pageQuery } from "../http/pagination.ts";
import { anyText, idIn, instant, instantIn, nullableText, orNull, searchText, text } from "../http/params.ts";
import { consentStatuses } from "./tables.ts";

const consent = z.enum(consentStatuses).openapi("ConsentStatus");
const asciiAtom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const asciiLabel = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
/** A dot-atom at a domain of two labels or more (RFC 5321 §4.1.2, with the characters of RFC 6531). */
const emailForm =
  /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@([\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;
/** The addresses of that form in ASCII, which `format: email` means. */
const asciiEmail = `^(?=[^@]{1,64}@)${asciiAtom}(\\.${asciiAtom})*@(${asciiLabel}\\.)+${asciiLabel}$`;
const isEmail = (value: string): boolean =>
  value.length <= 254 && value.indexOf("@") <= 64 && emailForm.test(value);
export const email = z
  .string()
  .refine(isEmail, "must be an e-mail address")
  .openapi({ format: "email", maxLength: 254, pattern: asciiEmail, example: "ada@example.com" });

/** Longer than any name or address. */
const maxText = 10_000;
const field = nullableText(maxText).optional();

const optionalFields = {
  email_status: orNull(consent).optional(),
  sms_status: orNull(consent).optional(),
  first_name: field,
  last_name: field,
  title: field,
  phone_number: field,
  external_id: field,
  address1: field,
  address2: field,
  city: field,
  country: field,
  country_code: field,
  region: field,
  postal_code: field,
  timezone: field,
  ip: field,
};

/** A customer. `country_code` is absent if it is unknown. */
export const ProfileBody = z
  .strictObject({
    id: z.string(),
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
    address1: z.string().nullable(),
    address2: z.string().nullable(),
    city: z.string().nullable(),
    region: z.string().nullable(),
    country: z.string().nullable(),
    country_code: z.string().optional(),
    postal_code: z.string().nullable(),
    created_at: instant,
    updated_at: instant,
  })
  .openapi("Profile");

export const ProfileData = z.strictObject({ data: ProfileBody }).openapi("ProfileData");
export const ProfileList = listOf(ProfileBody, "ProfileList");

export const ProfileQuery = z.strictObject({
  ...pageQuery,
  search: searchText.optional().openapi({
    description:
      "Part of the e-mail, full name, phone number, external id or store customer id, in any case.",
    example: "ada",
  }),
  email: anyText.optional().openapi({ description: "The whole e-mail address, in any case." }),
  email_status: consent.optional(),
  store_customer_id: anyText.optional(),
});

export const ProfileCreate = z
  .strictObject({
    email,
    ...optionalFields,
    created_at: instantIn.nullable().optional(),
    updated_at: instantIn.nullable().optional(),
  })
  .openapi("ProfileCreate", {
    example: {
      email: "grace@example.com",
      first_name: "Grace",
      last_name: "Hopper",
      email_status: "subscribed",
    },
  });

export const ProfileUpdate = z
  .strictObject({ email: email.optional(), ...optionalFields })
  .openapi("ProfileUpdate", { example: { phone_number: "+1 202 555 0147" } });

export const maxUpload = 10_000;

const uploadedRows = {
  type: "array" as const,
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
export const ProfileUploaded = z.strictObject({ imported: z.int() }).openapi("ProfileUploaded");

const addressFields = {
  address2: nullableText(maxText),
  phone: nullableText(maxText),
  first_name: nullableText(maxText),
  last_name: nullableText(maxText),
  company: nullableText(maxText),
  province: nullableText(maxText),
  province_code: nullableText(maxText),
};
const requiredAddressFields = {
  address1: text({ min: 1, max: maxText }),
  city: text({ min: 1, max: maxText }),
  zip: text({ min: 1, max: maxText }),
  country: text({ min: 1, max: maxText }),
  country_code: text({ min: 1, max: maxText }),
};

export const AddressBody = z
  .strictObject({
    id: z.string(),
    profile_id: z.string(),
    address1: z.string(),
    address2: z.string().nullable(),
    city: z.string(),
    zip: z.string(),
    province: z.string().nullable(),
    province_code: z.string().nullable(),
    country: z.string(),
    country_code: z.string(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    company: z.string().nullable(),
    phone: z.string().nullable(),
    created_at: instant,
    updated_at: instant,
  })
  .openapi("DeliveryAddress");
export const AddressData = z.strictObject({ data: AddressBody }).openapi("DeliveryAddressData");
export const AddressList = listOf(AddressBody, "DeliveryAddressList");
export const AddressQuery = z.strictObject(pageQuery);
export const AddressCreate = z
  .strictObject({ ...requiredAddressFields, ...z.object(addressFields).partial().shape })
  .openapi("DeliveryAddressCreate", {
    example: {
      address1: "12 Elm Street",
      city: "Brooklyn",
      zip: "11201",
      country: "United States",
      country_code: "US",
    },
  });
export const AddressUpdate = AddressCreate.partial().openapi("DeliveryAddressUpdate", {
  example: { zip: "11205" },
});

export const addressPath = z.object({
  id: idIn.openapi({ example: demoId("profile", 1) }),
  addressId: idIn.openapi({ example: demoId("delivery_address", 1) }),
});

export type NewProfile = z.output<typeof ProfileCreate>;
export type ProfileChanges = z.output<typeof ProfileUpdate>;
export type NewAddress = z.output<typeof AddressCreate>;
export type AddressChanges = z.output<typeof AddressUpdate>;
