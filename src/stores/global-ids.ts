import { StoreRefusalError } from "./port.ts";

/** Shopify's global ids: `gid://shopify/Order/123`. All ids are stored by their last part. */
export type Kind =
  | "Customer"
  | "SubscriptionContract"
  | "CustomerPaymentMethod"
  | "Product"
  | "ProductVariant"
  | "SellingPlan"
  | "SellingPlanGroup"
  | "Order";

export function gidOf(kind: Kind, id: string | number): string {
  return String(id).startsWith("gid://") ? String(id) : `gid://shopify/${kind}/${id}`;
}

/** Whether a text can be the id of this kind of record: a global id, or the last part of one. */
export function isIdOf(kind: Kind, id: string): boolean {
  return isEnding(kind, plainIdOf(kind, id));
}

/** The last part of a global id of this kind of record. Any other text is returned as it is. */
export function plainIdOf(kind: Kind, id: string): string {
  const prefix = `gid://shopify/${kind}/`;
  const ending = id.slice(prefix.length);
  return id.startsWith(prefix) && isEnding(kind, ending) ? ending : id;
}

/** The plain id in a global id that a record may lack; null where it does. */
export function plainIdOrNull(kind: Kind, id: string | null | undefined): string | null {
  return id == null ? null : plainIdOf(kind, id);
}

/** The pattern of all texts but the global ids of other kinds of records. */
export function notOfAnotherKind(kind: Kind): string {
  return String.raw`^(?!gid://shopify/(?!${kind}/))[^\u0000]*$`;
}

/** The global id of a record. Throws StoreRefusalError if the text cannot be an id, because Shopify would refuse the whole request. */
export function requireGid(kind: Kind, id: string): string {
  if (isIdOf(kind, id)) return gidOf(kind, id);
  throw new StoreRefusalError(`${id} is not the id of a ${kind} at Shopify`, ["INVALID_ID"]);
}

/** The number in a global id. */
export function numberIn(gid: string): number {
  return Number(gid.split("?")[0]?.split("/").at(-1));
}

/** The last part of an id: a number, except for payment methods. */
function isEnding(kind: Kind, text: string): boolean {
  return (kind === "CustomerPaymentMethod" ? /^[A-Za-z0-9_-]{1,64}$/ : /^[0-9]{1,20}$/).test(text);
}
