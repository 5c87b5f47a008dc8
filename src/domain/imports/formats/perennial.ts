import { type ImportedLine, importFieldNames } from "../fields.ts";
import { definedText, memberAt, textOf } from "./columns.ts";
import { type MapContext, unusedMembers } from "./members.ts";
import { subscriptionMembers } from "./perennial-members.ts";

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
 * A subscription as the API answers it; its id becomes the ref, each of its lines a row. An export adds what the API does not show, as
 * `import_values`: without them the price is that which the plan's discount leaves, and a discount that the answer does not tell whole is a
 * fault.
 */
export function mapSubscription(
  object: Record<string, unknown>,
  { added = {} }: Partial<MapContext> = {},
): ImportedLine[] {
  const { import_values, lines } = object;
  const isExported = Array.isArray(memberAt(import_values, "lines"));
  const shared = {
    ...sharedFields(object),
    ...(isExported ? {} : discountOf(object)),
    ...addedValues(import_values),
  };
  const faults = [
    ...unusedMembers(object, subscriptionMembers, added),
    ...(isExported || added.discount_type ? [] : discountFaults(object, { ...shared, ...added })),
  ];
  return (lines as unknown[]).map((line) => ({
    fields: definedText({
      ...shared,
      ...Object.fromEntries(lineFields.map((name) => [name, memberAt(line, name)])),
      ...(isExported ? addedToLine(line, import_values) : { price: priceOf(line, object.discounts) }),
    }),
    faults,
  }));
}

const lineFields = [
  ...(["store_product_id", "store_variant_id", "product_title", "variant_title", "sku"] as const),
  ...(["subscription_variant_id", "quantity", "price", "selling_plan_id", "selling_plan_name"] as const),
  ...(["is_one_time", "selection_items"] as const),
];

/** The columns of which an export adds the values to a subscription; null where it has none. */
function addedValues(added: unknown): Record<string, unknown> {
  const names = importFieldNames.filter((name) => memberAt(added, name) !== undefined);
  return Object.fromEntries(names.map((name) => [name, memberAt(added, name)]));
}

/** The columns of which an export adds the values to a line. */
function addedToLine(line: unknown, added: unknown): Record<string, unknown> {
  const listed = memberAt(added, "lines") as unknown[];
  return addedValues(listed.find((one) => memberAt(one, "id") === memberAt(line, "id")));
}

/** One discount, on all goods, can be told from an answer, unless it counts cycles: the answer has its limit alone. */
function discountFaults({ discounts }: Record<string, unknown>, fields: Record<string, unknown>) {
  const [one, ...more] = activeIn(discounts);
  if (one === undefined || fields.discounts !== undefined) return [];
  if (more.length > 0 || memberAt(one, "target_type") === "SHIPPING_LINE")
    return [{ path: "discounts", message: discountsUnclear }];
  const isLimited = typeof memberAt(one, "recurring_cycle_limit") === "number";
  return isLimited && textOf(fields.discount_cycles_left) === undefined
    ? [{ path: "discount_cycles_left", message: cyclesUnknown }]
    : [];
}

const discountsUnclear =
  "are several, or one on shipping, and cannot be told from the object: export it instead";
const cyclesUnknown =
  "is not in the object, which has the limit of its discount alone: export it instead, or add import_values.discount_cycles_left";

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
    address_first_name: memberAt(address, "first_name"),
    address_last_name: memberAt(address, "last_name"),
    company: memberAt(address, "company"),
    address1: memberAt(address, "address1"),
    address2: memberAt(address, "address2"),
    city: memberAt(address, "city"),
    region: memberAt(address, "province"),
    province_code: memberAt(address, "province_code"),
    postal_code: memberAt(address, "zip"),
    country: memberAt(address, "country"),
    country_code: memberAt(address, "country_code"),
    address_phone: memberAt(address, "phone"),
    delivery_instructions: object.delivery_instructions,
    delivery_slot_id: object.delivery_slot_id,
    status: statusOf(object),
    paused_at: object.paused_at,
    pause_until: object.pause_until,
    pause_reason: object.pause_reason,
    billing_interval: object.billing_interval,
    billing_interval_count: object.billing_interval_count,
    delivery_interval: object.delivery_interval,
    delivery_interval_count: object.delivery_interval_count,
    next_billing_date: object.next_billing_date,
    next_delivery_date: object.next_delivery_date,
    no_charge_before: object.no_charge_before,
    ends_on: object.ends_on,
    ends_after_cycle: object.ends_after_cycle,
    cycles_billed: typeof cycle === "number" ? Math.max(0, cycle - 1) : undefined,
    shipping_amount: object.shipping_amount,
    created_at: object.created_at,
    cancelled_at: object.cancelled_at,
    cancellation_reason: object.cancellation_reason,
    note: object.note,
    custom_attributes: object.custom_attributes,
    entity_ref: memberAt(entity, "id"),
    entity_type: memberAt(entity, "entity_type"),
    entity_name: memberAt(entity, "name"),
    entity_label: object.entity_label,
    store_origin_order_id: object.store_origin_order_id,
    disputed_at: object.billing_blocked_reason === "disputed" ? object.updated_at : undefined,
    currency_code: object.currency_code,
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
  const isPastDue = object.status === "PAYMENT_FAILED" || object.is_in_dunning === true;
  return isPastDue ? "PAST_DUE" : textOf(object.status);
}

/** One discount on all goods. */
function discountOf({ discounts }: Record<string, unknown>) {
  const [one, ...more] = activeIn(discounts);
  if (one === undefined || more.length > 0 || memberAt(one, "target_type") === "SHIPPING_LINE") return {};
  return {
    discount_type: memberAt(one, "value_type"),
    discount_value: memberAt(one, "value"),
    discount_max_amount: memberAt(one, "max_amount"),
  };
}
