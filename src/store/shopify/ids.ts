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

/** Whether a text can be the id of such a thing: its global id, or the number in it. */
export const isIdOf = (kind: Kind, id: string): boolean =>
  id.startsWith(`gid://shopify/${kind}/`) || /^\d{1,20}$/.test(id);

/** The number in a global id. */
export const numberIn = (gid: string): number => Number(gid.split("?")[0]?.split("/").at(-1));
