import { sha256Hex } from "../../../../base/lib/encoding.ts";
import type { ImportedLine } from "../../fields.ts";
import { type CsvRow, definedText, firstOf, memberAt, textOf, unitOf } from "../columns.ts";
import { type MapContext, unusedMembers } from "../members.ts";
import { datesOf } from "./dates.ts";
import { rechargeMembers, templateMembers } from "./members.ts";

/**
 * A row of the template: a product of a customer, which is a subscription at Recharge. The template has no id, so that customer, variant and
 * interval make one, in which nobody can read them.
 */
export async function mapRechargeRow(
  row: CsvRow,
  context: Partial<MapContext> = {},
): Promise<ImportedLine[]> {
  const charge = intervalIn(row, "charge_interval");
  const shipping = intervalIn(row, "shipping_interval");
  const order = shipping.unit || shipping.count ? shipping : intervalIn(row, "order_interval");
  const variant = firstOf(row, "external_variant_id", "external_product_id");
  const email = row.shipping_email;
  const named = [email?.toLowerCase(), variant ?? "", charge.count ?? "", charge.unit ?? ""].join("/");
  const made = email === undefined ? undefined : (await sha256Hex(named)).slice(0, 32);
  const status = statusOf(row.status);
  const dates = datesOf(
    {
      unit: charge.unit,
      chargeCount: charge.count,
      orderCount: order.count,
      next: row.next_charge_date,
      isEnded: status === "CANCELLED",
      lastCharge: firstOf(row, "last_charge_date", "last_success_charge"),
      isPrepaid: isTrue(row.is_prepaid),
      dayOfMonth: { path: "charge_on_day_of_month", value: row.charge_on_day_of_month },
      dayOfWeek: null,
    },
    askedOf(context),
  );
  return [
    {
      fields: definedText({
        subscription_ref: row.subscription_ref ?? made,
        email,
        first_name: firstOf(row, "billing_first_name", "shipping_first_name"),
        last_name: firstOf(row, "billing_last_name", "shipping_last_name"),
        phone_number: firstOf(row, "billing_phone", "shipping_phone"),
        address_first_name: row.shipping_first_name,
        address_last_name: row.shipping_last_name,
        company: row.shipping_company,
        address1: row.shipping_address_1,
        address2: row.shipping_address_2,
        city: row.shipping_city,
        region: row.shipping_province,
        postal_code: row.shipping_zip,
        country: row.shipping_country,
        address_phone: row.shipping_phone,
        status,
        billing_interval: charge.unit,
        billing_interval_count: charge.count,
        delivery_interval: order.unit ?? charge.unit,
        delivery_interval_count: order.count ?? charge.count,
        next_billing_date: row.next_charge_date?.slice(0, 10),
        ...dates.fields,
        max_cycles: row.number_charges_until_expiration,
        store_product_id: row.external_product_id,
        store_variant_id: variant,
        product_title: row.external_product_name,
        variant_title: row.external_variant_name,
        quantity: row.quantity,
        price: row.recurring_price,
      }),
      faults: [...unusedMembers(row, templateMembers, context.added), ...dates.faults],
    },
  ];
}

/** A subscription of Recharge's API, version 2021-11, asked for with its customer; `address` may be put beside it. */
export function mapRechargeObject(
  object: Record<string, unknown>,
  context: Partial<MapContext> = {},
): ImportedLine[] {
  const customer = memberAt(object, "customer") ?? memberAt(object, "include", "customer");
  const address = memberAt(object, "address") ?? memberAt(object, "include", "address");
  const unit = unitOf(object.order_interval_unit);
  const status = isTrue(object.max_retries_reached)
    ? pastDue(textOf(object.status))
    : statusOf(textOf(object.status));
  const properties = object.properties;
  const dates = datesOf(
    {
      unit,
      chargeCount: object.charge_interval_frequency,
      orderCount: object.order_interval_frequency,
      next: textOf(object.next_charge_scheduled_at),
      isEnded: status === "CANCELLED",
      lastCharge: textOf(object.cancelled_at),
      isPrepaid: isTrue(object.is_prepaid),
      dayOfMonth: { path: "order_day_of_month", value: object.order_day_of_month },
      dayOfWeek: object.order_day_of_week,
    },
    askedOf(context),
  );
  return [
    {
      fields: definedText({
        subscription_ref: object.id,
        email: memberAt(customer, "email") ?? object.email,
        first_name: memberAt(customer, "first_name"),
        last_name: memberAt(customer, "last_name"),
        phone_number: memberAt(customer, "phone"),
        store_customer_id: memberAt(customer, "external_customer_id", "ecommerce"),
        address_first_name: memberAt(address, "first_name"),
        address_last_name: memberAt(address, "last_name"),
        company: memberAt(address, "company"),
        address1: memberAt(address, "address1"),
        address2: memberAt(address, "address2"),
        city: memberAt(address, "city"),
        region: memberAt(address, "province"),
        postal_code: memberAt(address, "zip"),
        country_code: memberAt(address, "country_code"),
        country: memberAt(address, "country_code") ? undefined : memberAt(address, "country"),
        address_phone: memberAt(address, "phone"),
        status,
        billing_interval: unit,
        billing_interval_count: object.charge_interval_frequency,
        delivery_interval: unit,
        delivery_interval_count: object.order_interval_frequency,
        next_billing_date: textOf(object.next_charge_scheduled_at)?.slice(0, 10),
        ...dates.fields,
        max_cycles: object.expire_after_specific_number_of_charges,
        store_product_id: memberAt(object, "external_product_id", "ecommerce"),
        store_variant_id: memberAt(object, "external_variant_id", "ecommerce"),
        product_title: object.product_title,
        variant_title: object.variant_title,
        sku: object.sku,
        quantity: object.quantity,
        price: object.price,
        currency_code: object.presentment_currency,
        created_at: object.created_at,
        cancelled_at: object.cancelled_at,
        cancellation_reason: object.cancellation_reason,
        custom_attributes: Array.isArray(properties) && properties.length > 0 ? { properties } : undefined,
      }),
      faults: [...unusedMembers(object, rechargeMembers, context.added), ...dates.faults],
    },
  ];
}

function askedOf({ charge_from, added = {} }: Partial<MapContext>) {
  return { chargeFrom: charge_from ?? "", isOwedSaid: added.prepaid_owed !== undefined };
}

function intervalIn(row: CsvRow, name: string): { unit: string | undefined; count: string | undefined } {
  return { unit: unitOf(row[`${name}_unit_type`]), count: row[`${name}_frequency`] };
}

/** Recharge has ACTIVE, CANCELLED and EXPIRED subscriptions. */
function statusOf(status: string | undefined): string | undefined {
  const upper = status?.trim().toUpperCase();
  return upper === "EXPIRED" || upper === "INACTIVE" ? "CANCELLED" : upper;
}

/** Recharge tries no more to charge an active one whose retries are used up. */
function pastDue(status: string | undefined): string | undefined {
  const known = statusOf(status);
  return known === "ACTIVE" ? "PAST_DUE" : known;
}

/** A flag of JSON, or of a spreadsheet. */
function isTrue(flag: unknown): boolean {
  return ["true", "1", "yes", "y"].includes(String(flag).trim().toLowerCase());
}
