import { type ImportedLine, importFieldNames } from "../fields.ts";
import { definedText, memberAt, textOf } from "./columns.ts";

/** A row of our own columns. */
export function mapOwnFields(values: Record<string, unknown>): ImportedLine[] {
  return [{ fields: definedText(values), faults: [] }];
}

/** Whether an object is a subscription as the API answers it, not a row of columns. */
export function isSubscription(object: Record<string, unknown>): boolean {
  return Array.isArray(object.lines);
}

/** The members of an object that are no columns. */
export function unknownMembers(object: Record<string, unknown>): string[] {
  return Object.keys(object).filter((name) => !(importFieldNames as string[]).includes(name));
}

/**
 * A subscription as the API answers it; its id becomes the ref, each of its lines a row. What only the next order has is left out. A limited
 * discount is a fault where nothing says how many cycles are left of it: it would count for all of them anew.
 */
export function mapSubscription(object: Record<string, unknown>): ImportedLine[] {
  const lines = (object.lines as unknown[]).filter((line) => memberAt(line, "is_one_time") !== true);
  const shared = { ...sharedFields(object), ...addedFields(object.import_values) };
  const priced = lines.flatMap((line) => pricesOf(line, object));
  const faults = faultsOf(shared, object.import_values);
  return priced.map(({ line, price }) => ({
    fields: definedText({
      ...shared,
      store_product_id: memberAt(line, "store_product_id"),
      store_variant_id: memberAt(line, "store_variant_id"),
      product_title: memberAt(line, "product_title"),
      variant_title: memberAt(line, "variant_title"),
      sku: memberAt(line, "sku"),
      currency_code: object.currency_code,
      selling_plan_id: memberAt(line, "selling_plan_id"),
      ...price,
    }),
    faults,
  }));
}

function faultsOf({ discount_cycles_left: limit }: Record<string, unknown>, added: unknown) {
  const isLimited = typeof limit === "number" && memberAt(added, "discount_cycles_left") === undefined;
  return isLimited ? [{ path: "discount_cycles_left", message: cyclesUnknown }] : [];
}

const cyclesUnknown =
  "is not in the object, which has the limit of its discount alone: export it instead, or add import_values.discount_cycles_left";

/** The columns of which an export adds the values to a subscription; null where it has none. */
function addedFields(added: unknown): Record<string, unknown> {
  const names = importFieldNames.filter((name) => memberAt(added, name) !== undefined);
  return Object.fromEntries(names.map((name) => [name, memberAt(added, name)]));
}

type PricedLine = { line: unknown; price: Record<string, unknown> };

/** The columns of a line's prices: those that an export has added, else the one that can be told from the line itself. */
function pricesOf(line: unknown, { import_values: added, discounts }: Record<string, unknown>): PricedLine[] {
  const prices = memberAt(added, "lines");
  const own = Array.isArray(prices)
    ? prices.filter((one) => memberAt(one, "id") === memberAt(line, "id"))
    : [];
  if (own.length === 0)
    return [{ line, price: { quantity: memberAt(line, "quantity"), price: priceOf(line, discounts) } }];
  const columns = ["selling_plan_name", "quantity", "price"];
  return own.map((one) => ({
    line,
    price: Object.fromEntries(columns.map((name) => [name, memberAt(one, name)])),
  }));
}

function sharedFields(object: Record<string, unknown>) {
  const { profile, delivery_address: address, entities } = object;
  const entity = Array.isArray(entities) ? entities[0] : undefined;
  const cycle = object.current_billing_cycle;
  return {
    subscription_ref: object.id,
    email: memberAt(profile, "email"),
    first_name: memberAt(profile, "first_name"),
    last_name: memberAt(profile, "last_name"),
    phone_number: memberAt(profile, "phone_number"),
    store_customer_id: memberAt(profile, "store_customer_id"),
    store_payment_method_id: object.store_payment_method_id,
    address_first_name: memberAt(address, "first_name"),
    address_last_name: memberAt(address, "last_name"),
    address1: memberAt(address, "address1"),
    address2: memberAt(address, "address2"),
    city: memberAt(address, "city"),
    region: memberAt(address, "province") ?? memberAt(address, "province_code"),
    postal_code: memberAt(address, "zip"),
    country: memberAt(address, "country"),
    country_code: memberAt(address, "country_code"),
    address_phone: memberAt(address, "phone"),
    delivery_instructions: object.delivery_instructions,
    delivery_slot_id: object.delivery_slot_id,
    status: statusOf(object),
    pause_until: object.pause_until,
    billing_interval: object.billing_interval,
    billing_interval_count: object.billing_interval_count,
    delivery_interval: object.delivery_interval,
    delivery_interval_count: object.delivery_interval_count,
    next_billing_date: object.next_billing_date,
    next_delivery_date: object.next_delivery_date,
    anchor_date: object.anchor_date,
    cycles_billed: typeof cycle === "number" ? Math.max(0, cycle - 1) : undefined,
    min_cycles: object.min_cycles,
    max_cycles: object.max_cycles,
    prepaid_owed: object.prepaid_owed,
    ...discountOf(object),
    shipping_amount: object.shipping_amount,
    created_at: object.created_at,
    cancelled_at: object.cancelled_at,
    cancellation_reason: object.cancellation_reason,
    note: object.note,
    custom_attributes: object.custom_attributes,
    entity_ref: memberAt(entity, "id"),
    entity_type: memberAt(entity, "entity_type"),
    entity_name: memberAt(entity, "name"),
    expected_total: object.total,
  };
}

/** The price of one after its plan's discount, as imported prices are charged as they stand. */
function priceOf(line: unknown, discounts: unknown): unknown {
  const [price, quantity] = [memberAt(line, "price"), memberAt(line, "quantity")];
  const [whole, off] = [memberAt(line, "line_total"), memberAt(line, "discount_amount")];
  const isOffLines = activeIn(discounts).some((one) => memberAt(one, "target_type") === "LINE_ITEM");
  if (typeof whole !== "number" || typeof off !== "number" || typeof quantity !== "number" || isOffLines)
    return price;
  const net = Math.round(((whole - off) / quantity) * 10_000) / 10_000;
  return Math.abs(net * quantity - (whole - off)) < 0.000_05 ? net : price;
}

function activeIn(discounts: unknown): unknown[] {
  return Array.isArray(discounts) ? discounts.filter((one) => memberAt(one, "is_active") === true) : [];
}

function statusOf(object: Record<string, unknown>): string | undefined {
  if (object.status === "PAYMENT_FAILED" || object.is_in_dunning === true) return "PAST_DUE";
  return object.status === "EXPIRED" ? "CANCELLED" : textOf(object.status);
}

/** One discount on whole orders. Any other is seen by comparing totals. */
function discountOf({ discounts }: Record<string, unknown>) {
  const [one, ...more] = activeIn(discounts);
  if (one === undefined || more.length > 0 || memberAt(one, "target_type") === "SHIPPING_LINE") return {};
  return {
    discount_type: memberAt(one, "value_type"),
    discount_value: memberAt(one, "value"),
    discount_cycles_left: memberAt(one, "recurring_cycle_limit"),
  };
}
