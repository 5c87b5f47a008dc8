/** The part of a store's id that tells the thing from others of its kind. */
export const shortId = (id: string): string => id.split("/").at(-1) ?? id;

/** Whether two of a store's ids are of one thing: some stores give the number alone as well as a path that ends in it. */
export const isSameStoreId = (one: string, other: string): boolean => shortId(one) === shortId(other);

/** All that an id of a thing may have been written as, by the store or by people. */
export const formsOf = (kind: "Customer" | "Order" | "SellingPlan", id: string): string[] => {
  const short = shortId(id);
  return [...new Set([id, short, `gid://shopify/${kind}/${short}`])];
};
