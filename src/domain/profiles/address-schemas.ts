import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { named } from "../../kit/http/describe.ts";
import { addressTexts, commonTexts, idOut, referenceTexts } from "../../kit/http/fields.ts";
import { dataOf, listOf, pageQuery } from "../../kit/http/pagination.ts";
import { idInPath, instant, maxText, nullableText, text } from "../../kit/http/params.ts";
import { countryCode, withKnownCountry, withKnownCountryIfNamed } from "./country.ts";

/** The country may be named without its code, which only says more in the document: its name has to be one that is known. */
export const requiredOfAddress = ["address1", "city", "zip", "country_code"];

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
};
const countryFields = {
  country: text({ min: 1, max: maxText }).optional(),
  country_code: countryCode.optional(),
};

export const AddressBody = named(
  "DeliveryAddress",
  z.strictObject({
    id: idOut,
    profile_id: idOut,
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
  }),
  {
    ...commonTexts,
    ...referenceTexts,
    ...addressTexts,
    id: ["The address's id.", demoId("delivery_address", 1)],
  },
  { description: "An address to which a customer's deliveries can go." },
);
export const AddressData = dataOf(AddressBody, "DeliveryAddressData", "The address.");
export const AddressList = listOf(AddressBody, "DeliveryAddressList");
export const AddressQuery = z.strictObject(pageQuery);
const newAddress = z.strictObject({
  ...requiredAddressFields,
  ...countryFields,
  ...z.object(addressFields).partial().shape,
});
export const AddressCreate = withKnownCountry(
  named("DeliveryAddressCreate", newAddress, addressTexts, {
    required: requiredOfAddress,
    example: {
      address1: "12 Elm Street",
      city: "Brooklyn",
      zip: "11201",
      country: "United States",
      country_code: "US",
    },
  }),
);
export const AddressUpdate = withKnownCountryIfNamed(
  named("DeliveryAddressUpdate", newAddress.partial(), addressTexts, {
    description: "Fields that are absent stay as they are; null clears one.",
    example: { zip: "11205" },
  }),
);

export const addressPath = z.object({
  id: idInPath("id", "profile", demoId("profile", 1)),
  addressId: idInPath("addressId", "delivery address", demoId("delivery_address", 1)),
});

export type NewAddress = z.output<typeof AddressCreate>;
export type AddressChanges = z.output<typeof AddressUpdate>;
