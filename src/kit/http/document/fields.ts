import { z } from "@hono/zod-openapi";
import { demoId } from "../../../base/demo.ts";
import type { StoreRecord } from "../../../stores/ids.ts";
import type { FieldText } from "./describe.ts";

/** The id of a record of ours in a response. */
export const idOut = z.string().openapi({ format: "uuid" });

/** The description of a store id's field: `what` it is the id of, and the forms that it comes in. */
export function storeIdText(what: string, kind: StoreRecord, example: string | null) {
  return [
    `${what}. Responses have the plain id, such as 123; requests may have it as gid://shopify/${kind}/123 too.`,
    example,
  ] as const;
}

export const productIdText = storeIdText(
  "The product's id at the connected store, 1 to 255 characters",
  "Product",
  "product-1",
);

/** The descriptions of fields that most records have. */
export const commonTexts = {
  account_id: ["The id of the account that the record belongs to.", demoId("account", 1)],
  created_at: ["When the record was created: UTC, in the account's own time.", "2026-11-20T12:00:00.000Z"],
  updated_at: ["When the record last changed: UTC, in the account's own time.", "2026-11-20T12:00:00.000Z"],
  currency_code: ["The ISO 4217 code of the currency of every amount here.", "USD"],
} as const satisfies Record<string, FieldText>;

/** The descriptions of a reference's fields. */
export const referenceTexts = {
  profile_id: ["The id of the profile: the customer.", demoId("profile", 1)],
  subscription_id: ["The id of the subscription.", demoId("subscription", 1)],
  delivery_slot_id: [
    "The id of the delivery slot; null where deliveries have no slot.",
    demoId("delivery_slot", 1),
  ],
  cycle: ["The billing cycle of the subscription's current life, counted from 1.", 3],
  production_date: [
    "The calendar date on which the delivery is packed, in the account's time zone; null where the slot's day has no packing day, or there is no slot.",
    "2026-11-23",
  ],
} as const satisfies Record<string, FieldText>;

/** The descriptions of a postal address's fields, in a request and in a response. */
export const addressTexts = {
  address1: ["The street and house number.", "12 Elm Street"],
  address2: ["A second line; null or absent for none.", "Apartment 4"],
  city: ["The city.", "Brooklyn"],
  zip: ["The postal code.", "11201"],
  province: ["The state or province; null or absent for none.", "New York"],
  province_code: ["Its code, such as NY; null or absent for none.", "NY"],
  country: [
    "The country's name. With country_code it has to be that country's: in English, German, French, Spanish or the country's own language, or the code. By default the English name for country_code.",
    "United States",
  ],
  country_code: ["The country's ISO 3166-1 alpha-2 code, which decides.", "US"],
  first_name: ["The recipient's first name; null or absent for none.", "Ada"],
  last_name: ["The recipient's last name; null or absent for none.", "Lovelace"],
  company: ["A company; null or absent for none.", "Analytical Engines"],
  phone: ["A phone number; null or absent for none.", "+1 555 0000001"],
} as const satisfies Record<string, FieldText>;
