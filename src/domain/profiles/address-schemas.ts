import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { named } from "../../kit/http/document/describe.ts";
import { addressTexts, commonTexts, idOut, referenceTexts } from "../../kit/http/document/fields.ts";
import {
  idInPath,
  instant,
  maxAddressText,
  maxPostalCode,
  nullableText,
  text,
} from "../../kit/http/document/params.ts";
import { dataOf, listOf, pageQuery } from "../../kit/http/list/pagination.ts";
import { countryCode, withKnownCountry, withKnownCountryIfNamed } from "./country.ts";

/** The country may be named without its code, which only says more in the document: its name has to be one that is known. */
export const requiredOfAddress = ["address1", "city", "zip", "country_code"];

const filled = text({ min: 1, max: maxAddressText });
const mayBeAbsent = nullableText(maxAddressText).optional();

/** The fields of an address in a request. */
export const addressFields = {
  address1: filled,
  city: filled,
  zip: text({ min: 1, max: maxPostalCode }),
  country: filled.optional(),
  country_code: countryCode.optional(),
  address2: mayBeAbsent,
  phone: mayBeAbsent,
  first_name: mayBeAbsent,
  last_name: mayBeAbsent,
  company: mayBeAbsent,
  province: mayBeAbsent,
  province_code: mayBeAbsent,
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
const newAddress = z.strictObject(addressFields);
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
const addressUpdate = z.strictObject({
  ...newAddress.partial().shape,
  update_subscriptions: z.boolean().optional(),
});
export const AddressUpdate = withKnownCountryIfNamed(
  named(
    "DeliveryAddressUpdate",
    addressUpdate,
    {
      ...addressTexts,
      update_subscriptions: "Whether the living subscriptions that deliver to it follow. False by default.",
    },
    {
      description: "Fields that are absent stay as they are; null clears one.",
      example: { zip: "11205" },
    },
  ),
);
export const AddressChanged = named(
  "DeliveryAddressChanged",
  z.strictObject({ data: AddressBody, subscription_ids: z.array(idOut).optional() }),
  {
    data: "The address.",
    subscription_ids: [
      "With update_subscriptions: the ids of the subscriptions that follow. Absent otherwise.",
      [demoId("subscription", 1)],
    ],
  },
);

export const addressPath = z.object({
  id: idInPath("id", "profile", demoId("profile", 1)),
  addressId: idInPath("addressId", "delivery address", demoId("delivery_address", 1)),
});

export type NewAddress = z.output<typeof AddressCreate>;
export type AddressChanges = Omit<z.output<typeof AddressUpdate>, "update_subscriptions">;
