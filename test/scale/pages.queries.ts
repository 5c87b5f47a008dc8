import fc from "fast-check";
import { expect } from "vitest";
import { mostSearched } from "../../src/base/db/list/search.ts";
import type { OrderRow, ProfileValues } from "../support/records.ts";
import { day, oneOf, type Records } from "./pages.setup.ts";

export type Query = Record<string, string | number>;

export function maybe<T>(arbitrary: fc.Arbitrary<T>) {
  return fc.option(arbitrary, { nil: undefined, freq: 2 });
}

export function withoutUndefined(query: Record<string, string | number | undefined>): Query {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as Query;
}

export function flag(value: unknown): number {
  return Number(value === "1" || value === "true");
}

export function orderQuery({ profiles }: Records) {
  return fc
    .record({
      sort_by: maybe(oneOf("created_at", "delivery_date", "billing_date", "total", "status")),
      sort_order: maybe(oneOf("asc", "desc")),
      status: maybe(oneOf("PAID", "REFUNDED", "PAID,PENDING", "CANCELLED,REFUNDED,PAID")),
      fulfillment_status: maybe(oneOf("FULFILLED", "UNFULFILLED")),
      is_checkout_order: maybe(oneOf("0", "true")),
      has_subscription: maybe(oneOf("1", "false")),
      profile_id: maybe(oneOf(...profiles.slice(0, 4).map(({ id }) => id), "nobody")),
      tracking_number: maybe(oneOf("one", "none")),
      delivery_date_from: maybe(oneOf(day(2), day(5))),
      delivery_date_to: maybe(oneOf(day(4), day(8))),
      billing_date_from: maybe(oneOf(day(3))),
      production_date_to: maybe(oneOf(day(6))),
      search: maybe(oneOf("no 7", "7", "9 ", "NO ", "store-", "Zoe")),
    })
    .map((query) => {
      /** A few filters at once, so that they usually leave something. */
      const { sort_by, sort_order, ...filters } = query;
      return {
        sort_by,
        sort_order,
        filters: Object.entries(filters).filter(([, value]) => value !== undefined),
      };
    })
    .chain(({ sort_by, sort_order, filters }) =>
      fc
        .subarray(filters, { maxLength: Math.min(3, filters.length) })
        .map((some) => withoutUndefined({ sort_by, sort_order, ...Object.fromEntries(some) })),
    );
}

/** The ids that a query of orders finds, in order. */
export function expectedOrders(records: Records, query: Query): string[] {
  const { first, others } = expectedParts(records, query);
  return [...first, ...others];
}

/** The ids that a query of orders finds: those to which numbers of pages lead, and those to which only cursors do. */
export function expectedParts(
  records: Records,
  { sort_by = "created_at", sort_order, ...filters }: Query,
): { first: string[]; others: string[] } {
  const matching = records.orders.filter((order) =>
    Object.entries(filters).every(([name, value]) => matches[name]!(order, String(value), records)),
  );
  const isNarrow = "profile_id" in filters || "tracking_number" in filters;
  const sample = isNarrow ? undefined : sampleOf(records, filters.search);
  const order = String(sort_order ?? (sort_by === "status" ? "asc" : "desc"));
  const parts = Map.groupBy(matching, (one) => sample?.has(one) ?? true);
  const partOf = (isFirst: boolean) => inOrder(parts.get(isFirst) ?? [], sort_by as keyof OrderRow, order);
  return { first: partOf(true), others: partOf(false) };
}

/** The ids in the order of a list: by a column, null first, then by id, those of a status by time before; all in one direction. */
export function inOrder<R extends { id: string; created_at: string }>(
  rows: R[],
  column: keyof R,
  order: string,
): string[] {
  const tie = column === "status" ? "created_at" : "id";
  const below = (a: unknown, b: unknown): number =>
    a === b ? 0 : a === null ? -1 : b === null ? 1 : (a as string) < (b as string) ? -1 : 1;
  const ascending = rows
    .toSorted((a, b) => below(a[column], b[column]) || below(a[tie], b[tie]) || below(a.id, b.id))
    .map(({ id }) => id);
  return order === "asc" ? ascending : ascending.toReversed();
}

/**
 * The orders that a search lists first where its index knows more of them than it takes at once: those that were written last, and its
 * customers'. A term that no index knows has no such beginning.
 */
function sampleOf({ orders, profiles }: Records, search: unknown = ""): Set<OrderRow> | undefined {
  const term = String(search).toLowerCase();
  if ([...term].length < 3) return undefined;
  const matches = orders.filter((order) => order.search_text.includes(term));
  const ofCustomers = orders.filter((order) => nameOf(profiles, order.profile_id).includes(term));
  expect(ofCustomers.length, "orders of the customers that a test searches for").toBeLessThanOrEqual(
    mostSearched,
  );
  return matches.length > mostSearched
    ? new Set([...matches.slice(-mostSearched), ...ofCustomers])
    : undefined;
}

const matches: Record<string, (order: OrderRow, value: string, records: Records) => boolean> = {
  status: (order, value) => value.split(",").includes(order.status),
  fulfillment_status: (order, value) => order.fulfillment_status === value,
  is_checkout_order: (order, value) => order.is_checkout_order === flag(value),
  has_subscription: (order, value) => order.has_subscription === flag(value),
  profile_id: (order, value) => order.profile_id === value,
  tracking_number: (order, value) => order.tracking_number === value,
  delivery_date_from: (order, value) => order.delivery_date !== null && order.delivery_date >= value,
  delivery_date_to: (order, value) => order.delivery_date !== null && order.delivery_date <= value,
  billing_date_from: (order, value) => order.billing_date !== null && order.billing_date >= value,
  production_date_to: (order, value) => order.production_date !== null && order.production_date <= value,
  search: (order, value, { profiles }) =>
    order.search_text.includes(value.toLowerCase()) ||
    nameOf(profiles, order.profile_id).includes(value.toLowerCase()),
};

function nameOf(profiles: ProfileValues[], id: string | null): string {
  return profiles.find((profile) => profile.id === id)?.search_identity ?? "";
}
