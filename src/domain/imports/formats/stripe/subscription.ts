import type { ErrorDetail } from "../../../../base/errors.ts";
import { type Interval, intervalFault, intervalUnits } from "../../../../base/lib/time/intervals.ts";
import { stripeExponentOf } from "../../../../stores/stripe-decimals.ts";
import type { ImportedLine } from "../../fields.ts";
import { definedText, memberAt, textOf, unitOf } from "../columns.ts";
import { type MapContext, unusedMembers } from "../members.ts";
import { anchorOf, dateFaults, instantOf, nextCharge, statusOf } from "./dates.ts";
import { type Charges, discountOf } from "./discounts.ts";
import { stripeMembers } from "./members.ts";
import { taxFaults } from "./taxes.ts";

type Json = Record<string, unknown>;

/**
 * A subscription object of Stripe's API, each of its items a line. `customer` and `default_payment_method` may be
 * ids, or the objects that `expand` brings; the customer's e-mail address is in the object alone. Where the account's store takes over
 * payment methods that a provider keeps, Stripe is the provider, and `store_customer_id` is added to the object.
 */
export function mapStripeObject(object: Json, context: Partial<MapContext> = {}): ImportedLine[] {
  const items = memberAt(object, "items", "data");
  if (!Array.isArray(items) || items.length === 0)
    return [{ fields: definedText({ subscription_ref: object.id }), faults: [fault("items", "has none")] }];
  const [first] = items;
  const currency = textOf(object.currency ?? memberAt(first, "price", "currency"))?.toLowerCase() ?? "";
  const interval = {
    billing_interval: unitOf(memberAt(first, "price", "recurring", "interval")),
    billing_interval_count: memberAt(first, "price", "recurring", "interval_count"),
  };
  const { added = {} } = context;
  const discount = added.discount_type
    ? { fields: {}, faults: [] }
    : discountOf(object, { currency, charges: chargesOf(object, interval) });
  const shared = {
    ...sharedFields(object),
    ...paymentFields(object, context.takesRemoteMethods),
    ...interval,
    ...discount.fields,
    currency_code: currency.toUpperCase(),
  };
  const faults = [
    ...unusedMembers(object, stripeMembers, added).map(withoutData),
    ...dateFaults(object, added),
    ...(added.price ? [] : taxFaults(object)),
    ...discount.faults,
  ];
  return items.map((item) => ({
    fields: definedText({ ...shared, ...lineFields(item, currency) }),
    faults: [...faults, ...faultsOf(item, { interval, currency })],
  }));
}

/** A list of Stripe's has its elements in `data`, which says nothing of them. */
function withoutData({ path, message }: ErrorDetail): ErrorDetail {
  return { path: path.replace("items.data.", "items."), message };
}

function sharedFields(object: Json) {
  const { customer, metadata } = object;
  const anchor = anchorOf(object);
  const address = memberAt(customer, "shipping", "address") ?? memberAt(customer, "address");
  const [first_name, last_name] = namesOf(memberAt(customer, "name"));
  const [address_first_name, address_last_name] = namesOf(memberAt(customer, "shipping", "name"));
  return {
    subscription_ref: object.id,
    email: memberAt(customer, "email"),
    first_name,
    last_name,
    phone_number: memberAt(customer, "phone"),
    ...(memberAt(address, "line1")
      ? {
          address_first_name: address_first_name ?? first_name,
          address_last_name: address_last_name ?? last_name,
          company: memberAt(customer, "business_name"),
          address1: memberAt(address, "line1"),
          address2: memberAt(address, "line2"),
          city: memberAt(address, "city"),
          region: memberAt(address, "state"),
          postal_code: memberAt(address, "postal_code"),
          country_code: memberAt(address, "country"),
          address_phone: memberAt(customer, "shipping", "phone"),
        }
      : {}),
    ...statusOf(object),
    next_billing_date: instantOf(nextCharge(object)),
    anchor_date: anchor?.date,
    anchor_day: anchor?.day,
    created_at: instantOf(object.start_date ?? object.created),
    custom_attributes:
      typeof metadata === "object" && metadata !== null && Object.keys(metadata).length > 0
        ? metadata
        : undefined,
  };
}

/** The payment method that Stripe charges: of the subscription, a source of it, and then the customer's: https://docs.stripe.com/api/subscriptions/object */
function paymentFields(object: Json, takesRemoteMethods = false) {
  const { customer, default_payment_method, default_source } = object;
  const method =
    idOf(default_payment_method) ??
    idOf(default_source) ??
    idOf(memberAt(customer, "invoice_settings", "default_payment_method")) ??
    idOf(memberAt(customer, "default_source"));
  if (!takesRemoteMethods) return { store_customer_id: idOf(customer), store_payment_method_id: method };
  const remote = {
    remote_gateway: "STRIPE",
    remote_customer_id: idOf(customer),
    remote_payment_method_id: method,
  };
  return method === undefined ? {} : remote;
}

/** The id of an object of Stripe's, which may be expanded. */
function idOf(value: unknown): unknown {
  return typeof value === "string" ? value : (memberAt(value, "id") ?? undefined);
}

function lineFields(item: unknown, currency: string) {
  const price = memberAt(item, "price");
  const product = memberAt(price, "product");
  const amount = amountOf(price, currency);
  return {
    store_product_id: typeof product === "string" ? product : memberAt(product, "id"),
    store_variant_id: memberAt(price, "id"),
    product_title: memberAt(product, "name") ?? memberAt(price, "nickname"),
    variant_title: memberAt(product, "name") ? memberAt(price, "nickname") : undefined,
    quantity: memberAt(item, "quantity"),
    price: typeof amount === "number" ? amount / 10 ** stripeExponentOf(currency.toUpperCase()) : undefined,
  };
}

/** The amount of a price in the subscription's currency: a price may be in several. Null where it depends on more than the quantity. */
function amountOf(price: unknown, currency: string): unknown {
  if (memberAt(price, "currency") === currency) return memberAt(price, "unit_amount");
  return memberAt(price, "currency_options", currency, "unit_amount");
}

type StripeInterval = { billing_interval: unknown; billing_interval_count: unknown };

function faultsOf(
  item: unknown,
  { interval, currency }: { interval: StripeInterval; currency: string },
): ErrorDetail[] {
  const price = memberAt(item, "price");
  const unit = unitOf(memberAt(price, "recurring", "interval"));
  const count = memberAt(price, "recurring", "interval_count");
  const isOther = unit !== interval.billing_interval || count !== interval.billing_interval_count;
  const amount = amountOf(price, currency);
  return [
    ...(amount === null ? [fault("items.price.unit_amount", notOneAmount)] : []),
    ...(amount === undefined
      ? [fault("items.price.currency", `has no amount of ${currency.toUpperCase()} in the object`)]
      : []),
    ...(isOther ? [fault("items.price.recurring", "differs between the items of one subscription")] : []),
  ];
}

const notOneAmount = "is null: prices by tiers or usage, or with parts of a cent, cannot be taken over";

/** The charges to come; undefined where the object does not say when they are. */
function chargesOf(object: Json, { billing_interval, billing_interval_count }: StripeInterval) {
  const next = nextCharge(object);
  const date = instantOf(next);
  const unit = intervalUnits.find((known) => known === billing_interval);
  const count = billing_interval_count;
  if (next === undefined || date === undefined || unit === undefined || typeof count !== "number")
    return undefined;
  if (intervalFault(unit, count)) return undefined;
  const interval: Interval = { unit, count };
  const { date: anchor, day: anchorDay } = anchorOf(object) ?? { date, day: null };
  return { anchor: anchor.slice(0, 10), anchorDay, next, interval } satisfies Charges;
}

function namesOf(name: unknown): [first: string | undefined, last: string | undefined] {
  if (typeof name !== "string") return [undefined, undefined];
  const [first, ...rest] = name.trim().split(/\s+/);
  return [first, rest.join(" ") || undefined];
}

function fault(path: string, message: string): ErrorDetail {
  return { path, message };
}
