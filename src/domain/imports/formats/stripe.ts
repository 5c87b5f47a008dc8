import { exponentOf } from "../../../base/lib/money.ts";
import type { ImportedLine } from "../fields.ts";
import { definedText, memberAt, textOf, unitOf } from "./columns.ts";

/**
 * A subscription object of Stripe's API (docs/migrating.md#stripe), each of its items a line. `customer` and `default_payment_method` may be
 * ids, or the objects that `expand` brings; the customer's e-mail address is in the object alone. Where the account's store takes over
 * payment methods that a provider keeps, Stripe is the provider, and the store's id of the customer stands beside the object.
 */
export function mapStripeObject(object: Record<string, unknown>, takesRemoteMethods = false): ImportedLine[] {
  const items = memberAt(object, "items", "data");
  if (!Array.isArray(items) || items.length === 0)
    return [{ fields: definedText({ subscription_ref: object.id }), faults: [fault("items", "has none")] }];
  const shared = { ...sharedFields(object), ...paymentFields(object, takesRemoteMethods) };
  const [first] = items;
  const interval = {
    billing_interval: unitOf(memberAt(first, "price", "recurring", "interval")),
    billing_interval_count: memberAt(first, "price", "recurring", "interval_count"),
  };
  return items.map((item) => ({
    fields: definedText({ ...shared, ...interval, ...lineFields(item) }),
    faults: faultsOf(item, interval),
  }));
}

function sharedFields(object: Record<string, unknown>) {
  const { customer, metadata } = object;
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
    next_billing_date: dateOf(nextCharge(object)),
    anchor_date: anchorOf(object),
    ...discountOf(object),
    created_at: instantOf(object.start_date ?? object.created),
    custom_attributes:
      typeof metadata === "object" && metadata !== null && Object.keys(metadata).length > 0
        ? metadata
        : undefined,
  };
}

function paymentFields(object: Record<string, unknown>, takesRemoteMethods: boolean) {
  const { customer, default_payment_method, store_customer_id } = object;
  const method =
    idOf(default_payment_method) ?? idOf(memberAt(customer, "invoice_settings", "default_payment_method"));
  if (!takesRemoteMethods) return { store_customer_id: idOf(customer), store_payment_method_id: method };
  const remote = {
    remote_gateway: "STRIPE",
    remote_customer_id: idOf(customer),
    remote_payment_method_id: method,
  };
  return { store_customer_id, ...(method === undefined ? {} : remote) };
}

/** The id of an object of Stripe's, which may be expanded. */
function idOf(value: unknown): unknown {
  return typeof value === "string" ? value : memberAt(value, "id");
}

function lineFields(item: unknown) {
  const price = memberAt(item, "price");
  const product = memberAt(price, "product");
  return {
    store_product_id: typeof product === "string" ? product : memberAt(product, "id"),
    store_variant_id: memberAt(price, "id"),
    product_title: memberAt(product, "name") ?? memberAt(price, "nickname"),
    variant_title: memberAt(product, "name") ? memberAt(price, "nickname") : undefined,
    quantity: memberAt(item, "quantity"),
    price: priceOf(price),
    currency_code: memberAt(price, "currency"),
  };
}

/** Amounts are in the smallest unit of the currency. */
function priceOf(price: unknown): number | undefined {
  const [amount, currency] = [memberAt(price, "unit_amount"), memberAt(price, "currency")];
  if (typeof amount !== "number" || typeof currency !== "string") return undefined;
  return amount / 10 ** exponentOf(currency.toUpperCase());
}

type StripeInterval = { billing_interval: unknown; billing_interval_count: unknown };

function faultsOf(item: unknown, interval: StripeInterval) {
  const price = memberAt(item, "price");
  const unit = unitOf(memberAt(price, "recurring", "interval"));
  const count = memberAt(price, "recurring", "interval_count");
  const isOther = unit !== interval.billing_interval || count !== interval.billing_interval_count;
  return [
    ...(memberAt(price, "unit_amount") === null
      ? [fault("items.price.unit_amount", "is null: prices by tiers or usage cannot be taken over")]
      : []),
    ...(isOther ? [fault("items.price.recurring", "differs between the items of one subscription")] : []),
  ];
}

/** Dunning, pauses and the end of a period (docs/migrating.md#stripe). */
function statusOf(object: Record<string, unknown>) {
  const { status, pause_collection: pause } = object;
  const ended = {
    status: "CANCELLED",
    cancelled_at: instantOf(object.ended_at ?? object.canceled_at),
    cancellation_reason: memberAt(object, "cancellation_details", "reason"),
  };
  if (object.cancel_at_period_end === true) return ended;
  if (status === "canceled" || status === "incomplete_expired") return ended;
  if (pause !== undefined && pause !== null)
    return { status: "PAUSED", pause_until: dateOf(memberAt(pause, "resumes_at")) };
  if (status === "past_due" || status === "unpaid") return { status: "PAST_DUE" };
  if (status === "active" || status === "trialing") return { status: "ACTIVE" };
  return { status: status === "paused" ? "PAUSED" : textOf(status) };
}

/** Newer versions of the API have the period on the items. */
function nextCharge(object: Record<string, unknown>): unknown {
  const [item] = memberAt(object, "items", "data") as unknown[];
  return object.current_period_end ?? memberAt(item, "current_period_end");
}

/**
 * The anchor, where its day may be the end of a month in some time zone, so that the next charge alone does not say how the schedule goes on.
 * On other days it would say no more, and in summer an hour can lie on another day than in winter. It is left out where it has not come yet.
 */
function anchorOf(object: Record<string, unknown>): string | undefined {
  const [anchor, next] = [dateOf(object.billing_cycle_anchor), dateOf(nextCharge(object))];
  if (anchor === undefined || next === undefined || anchor > next) return undefined;
  const day = new Date(anchor).getUTCDate();
  return day === 1 || day > 27 ? anchor : undefined;
}

/** One coupon that holds without end. Any other is seen by comparing totals. */
function discountOf(object: Record<string, unknown>) {
  const coupon = memberAt(object, "discount", "coupon");
  const [percent, amount] = [memberAt(coupon, "percent_off"), memberAt(coupon, "amount_off")];
  if (memberAt(coupon, "duration") !== "forever") return {};
  if (typeof percent === "number") return { discount_type: "PERCENTAGE", discount_value: percent };
  const currency = textOf(memberAt(coupon, "currency") ?? object.currency)?.toUpperCase();
  if (typeof amount !== "number" || currency === undefined) return {};
  return { discount_type: "FIXED_AMOUNT", discount_value: amount / 10 ** exponentOf(currency) };
}

function namesOf(name: unknown): [first: string | undefined, last: string | undefined] {
  if (typeof name !== "string") return [undefined, undefined];
  const [first, ...rest] = name.trim().split(/\s+/);
  return [first, rest.join(" ") || undefined];
}

/** Stripe's instants are seconds since 1970. */
function instantOf(seconds: unknown): string | undefined {
  const ms = typeof seconds === "number" ? seconds * 1000 : Number.NaN;
  return Math.abs(ms) <= latestMs ? new Date(ms).toISOString() : undefined;
}

/** Only what is counted from 1970 in seconds, up to the year 9999. */
const latestMs = Date.UTC(9999, 0, 1);

function dateOf(seconds: unknown): string | undefined {
  return instantOf(seconds);
}

function fault(path: string, message: string) {
  return { path, message };
}
