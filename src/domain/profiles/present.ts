import type { z } from "@hono/zod-openapi";
import type { AddressBody } from "./address-schemas.ts";
import { fullAddress, fullName } from "./rules.ts";
import type { ProfileBody } from "./schemas.ts";
import type { DeliveryAddress, Profile } from "./tables.ts";

/** The columns of a profile in responses. */
type ProfileRow = Pick<
  Profile,
  "country_code" | Exclude<keyof z.input<typeof ProfileBody>, "full_name" | "full_address">
>;

export function presentProfile(row: ProfileRow): z.input<typeof ProfileBody> {
  return {
    id: row.id,
    email: row.email,
    full_name: fullName(row),
    full_address: fullAddress(row),
    first_name: row.first_name,
    last_name: row.last_name,
    phone_number: row.phone_number,
    external_id: row.external_id,
    store_customer_id: row.store_customer_id,
    email_status: row.email_status,
    sms_status: row.sms_status,
    timezone: row.timezone,
    locale: row.locale,
    address1: row.address1,
    address2: row.address2,
    city: row.city,
    region: row.region,
    country: row.country,
    postal_code: row.postal_code,
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...(row.country_code === null ? {} : { country_code: row.country_code }),
  };
}

export function presentAddress(row: DeliveryAddress): z.input<typeof AddressBody> {
  return {
    id: row.id,
    profile_id: row.profile_id,
    address1: row.address1,
    address2: row.address2,
    city: row.city,
    zip: row.zip,
    province: row.province,
    province_code: row.province_code,
    country: row.country,
    country_code: row.country_code,
    first_name: row.first_name,
    last_name: row.last_name,
    company: row.company,
    phone: row.phone,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
