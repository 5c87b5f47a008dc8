import { type Kind, notOfAnotherKind, plainIdOf } from "./global-ids.ts";

export type { Kind as StoreRecord } from "./global-ids.ts";

/**
 * The form in which a store's id is stored and shown: `123`, also for `gid://shopify/Order/123`. An id in any
 * other form is returned as it is.
 */
export const plainId = plainIdOf;

/** The pattern of an id of this kind of record in a request: any text but a global id of another kind. */
export const storeIdPattern = notOfAnotherKind;

/** Whether two ids of this kind of record are of one record. */
export function isSameStoreId(kind: Kind, one: string, other: string): boolean {
  return plainId(kind, one) === plainId(kind, other);
}
