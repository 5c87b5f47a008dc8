import { StoreRefusalError } from "../port.ts";

/** Shopify's global ids: `gid://shopify/Order/123`. We keep contracts by their number, everything else as it comes. */
type Kind =
  | "Customer"
  | "SubscriptionContract"
  | "CustomerPaymentMethod"
  | "ProductVariant"
  | "SellingPlan"
  | "SellingPlanGroup"
  | "Order";

export const gidOf = (kind: Kind, id: string | number): string =>
  String(id).startsWith("gid://") ? String(id) : `gid://shopify/${kind}/${id}`;

/** What an id ends in: a number, but for payment methods. */
const numbered = /^\d{1,20}$/;
const endings: Partial<Record<Kind, RegExp>> = { CustomerPaymentMethod: /^[A-Za-z0-9_-]{1,64}$/ };

/** Whether a text can be the id of such a thing: its global id, or what that ends in. */
export const isIdOf = (kind: Kind, id: string): boolean => {
  const prefix = `gid://shopify/${kind}/`;
  const ending = id.startsWith(prefix) ? id.slice(prefix.length) : id;
  return (endings[kind] ?? numbered).test(ending);
};

/** The global id of such a thing. Throws StoreRefusalError where a text cannot be one: Shopify refuses all that is asked then. */
export const requireGid = (kind: Kind, id: string): string => {
  if (isIdOf(kind, id)) return gidOf(kind, id);
  throw new StoreRefusalError(`${id} is the id of no ${kind} at Shopify`, ["INVALID_ID"]);
};

/** The number in a global id. */
export const numberIn = (gid: string): number => Number(gid.split("?")[0]?.split("/").at(-1));
