import type { ImportedLine } from "../fields.ts";
import { type CsvRow, definedText } from "./columns.ts";
import { type MapContext, type Members, unusedMembers } from "./members.ts";

/**
 * The columns of the CSV in which apps of Shopify exchange contracts, and those that such a file lacks. A
 * contract that is picked up, or delivered by the shop itself, has no delivery here that would be the same.
 */
const members = {
  ...{ handle: "used", upcoming_billing_date: "used", customer_id: "used", currency_code: "used" },
  ...{ status: "used", cadence_interval: "used", cadence_interval_count: "used" },
  ...{ customer_payment_method_id: "used", delivery_price: "used" },
  ...{ delivery_method_type: ["SHIPPING", "shipping"], delivery_pickup_method_location_id: "decides" },
  ...{ delivery_address_first_name: "used", delivery_address_last_name: "used" },
  ...{ delivery_address_address1: "used", delivery_address_address2: "used", delivery_address_city: "used" },
  ...{ delivery_address_province_code: "used", delivery_address_country_code: "used" },
  ...{ delivery_address_company: "used", delivery_address_zip: "used", delivery_address_phone: "used" },
  ...{ delivery_local_delivery_phone: "used", delivery_local_delivery_instructions: "used" },
  ...{ line_variant_id: "used", line_quantity: "used", line_current_price: "used" },
  ...{ line_selling_plan_id: "used", line_selling_plan_name: "used" },
  ...{ email: "used", line_product_id: "used", line_product_title: "used" },
  ...{ remote_gateway: "used", remote_customer_id: "used", remote_payment_method_id: "used" },
} as const satisfies Members;

export const shopifyColumns = Object.keys(members);

/** A line of a contract. The first row of a handle has the contract, further rows have their lines alone. */
export function mapShopifyRow(row: CsvRow, { added }: Partial<MapContext> = {}): ImportedLine[] {
  const status = row.status?.toUpperCase();
  return [
    {
      fields: definedText({
        subscription_ref: row.handle,
        email: row.email,
        first_name: row.delivery_address_first_name,
        last_name: row.delivery_address_last_name,
        store_customer_id: row.customer_id,
        store_payment_method_id: row.customer_payment_method_id,
        remote_gateway: row.remote_gateway,
        remote_customer_id: row.remote_customer_id,
        remote_payment_method_id: row.remote_payment_method_id,
        address_first_name: row.delivery_address_first_name,
        address_last_name: row.delivery_address_last_name,
        address1: row.delivery_address_address1,
        address2: row.delivery_address_address2,
        city: row.delivery_address_city,
        company: row.delivery_address_company,
        province_code: row.delivery_address_province_code,
        postal_code: row.delivery_address_zip,
        country_code: row.delivery_address_country_code,
        address_phone: row.delivery_address_phone ?? row.delivery_local_delivery_phone,
        delivery_instructions: row.delivery_local_delivery_instructions,
        status: status === "EXPIRED" ? "CANCELLED" : status === "FAILED" ? "PAST_DUE" : status,
        billing_interval: row.cadence_interval?.toUpperCase(),
        billing_interval_count: row.cadence_interval_count,
        next_billing_date: row.upcoming_billing_date,
        selling_plan_id: row.line_selling_plan_id,
        selling_plan_name: row.line_selling_plan_id === undefined ? row.line_selling_plan_name : undefined,
        store_product_id: row.line_product_id,
        store_variant_id: row.line_variant_id,
        product_title: row.line_product_title,
        quantity: row.line_quantity,
        price: row.line_current_price,
        currency_code: row.currency_code,
        shipping_amount: row.delivery_price,
      }),
      faults: unusedMembers(row, members, added),
    },
  ];
}
