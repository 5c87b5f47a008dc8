import { gidOf } from "./shopify/ids.ts";

/** All the ways in which the store or people may have written the id of a record. */
export function formsOf(kind: "Customer" | "Order" | "SellingPlan", id: string): string[] {
  const short = shortId(id);
  return [...new Set([id, short, gidOf(kind, short)])];
}

/** Whether two ids of a store are of one record: some stores write the number alone as well as a path that ends in it. */
export function isSameStoreId(one: string, other: string): boolean {
  return shortId(one) === shortId(other);
}

/** The last part of a store's id, which is unique among records of one kind. */
export function shortId(id: string): string {
  return id.split("/").at(-1) ?? id;
}
