import { StoreRefusalError } from "../port.ts";

/** Shopify's global ids: `gid://shopify/Order/123`. Contracts are stored by their number, all other ids as they arrive. */
type Kind =
  | "Customer"
  | "SubscriptionContract"
  | "CustomerPaymentMethod"
  | "Product"
  | "ProductVariant"
  | "SellingPlan"
  | "SellingPlanGroup"
  | "Order";

export const gidOf = (kind: Kind, id: string | number): string =>
  String(id).startsWith("gid://") ? String(id) : `gid://shopify/${kind}/${id}`;

/** The last part of an id: a number, except for payment methods. */
const numbered = /^\d{1,20}$/;
const endings: Partial<Record<Kind, RegExp>> = { CustomerPaymentMethod: /^[A-Za-z0-9_-]{1,64}$/ };

/** Whether a text can be the id of this kind of record: a global id, or the last part of one. */
export const isIdOf = (kind: Kind, id: string): boolean => {
  const prefix = `gid://shopify/${kind}/`;
  const ending = id.startsWith(prefix) ? id.slice(prefix.length) : id;
  return (endings[kind] ?? numbered).test(ending);
};

/** The global id of a record. Throws StoreRefusalError if the text cannot be an id, because Shopify would refuse the whole request. */
export const requireGid = (kind: Kind, id: string): string => {
  if (isIdOf(kind, id)) return gidOf(kind, id);
  throw new StoreRefusalError(`${id} is not the id of a ${kind} at Shopify`, ["INVALID_ID"]);
};

/** The number in a global id. */
export const numberIn = (gid: string): number => Number(gid.split("?")[0]?.split("/").at(-1));
