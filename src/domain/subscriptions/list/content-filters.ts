import { sql } from "drizzle-orm";
import {
  type Filter,
  facet,
  facetWhere,
  type Param,
  rareWhere,
  unindexedFilter,
} from "../../../base/db/filters.ts";
import { paymentMethods } from "../../payment-methods/tables.ts";
import { subscriptionContents, subscriptions } from "../tables.ts";

/** Billing stands still, for whichever reason (lifecycle.ts); in the words of the index of those. */
const isBlocked = sql`(${subscriptions.billing_blocked_reason} IS NOT NULL OR ${subscriptions.disputed_at} IS NOT NULL)`;

/** The filters by what a subscription delivers, where it delivers it, and what it is paid with. */
export const contentFilters = {
  store_variant_id: byLines("variant", "store_variant_id"),
  selling_plan_id: byLines("plan", "selling_plan_id"),
  delivery_slot_id: facet(subscriptions.delivery_slot_id, "delivery_slot_id"),
  blocked: {
    ...rareWhere(() => isBlocked),
    index: "subscriptions_blocked",
  },
  unblocked: unindexedFilter(() => sql`NOT ${isBlocked}`),
  updated_after: unindexedFilter((p) => sql`${subscriptions.updated_at} > ${p("updated_after")}`),
  updated_since: unindexedFilter((p) => sql`${subscriptions.updated_at} >= ${p("updated_since")}`),
  /** The column is one that the database derives, so that the builder does not know it. A card may be nobody's any more. */
  card_expires_before: {
    ...unindexedFilter(
      (p) => sql`(SELECT ${paymentMethods}.expires_on FROM ${paymentMethods}
        WHERE ${paymentMethods.account_seq} = ${subscriptions.account_seq}
          AND ${paymentMethods.id} = ${subscriptions.payment_method_id}) < ${p("card_expires_before")}`,
    ),
    candidates: (p) => sql`SELECT ${paymentMethods.id} AS found ${expiring(p)}`,
    from: (p) => sql`(SELECT ${paymentMethods.id} AS found ${expiring(p)}) AS its
      CROSS JOIN ${subscriptions} ON ${subscriptions.account_seq} = ${p("account_seq")}
        AND ${subscriptions.payment_method_id} = its.found`,
    reads: 2,
  },
} satisfies Record<string, Filter>;

function expiring(p: Param) {
  return sql`FROM ${paymentMethods} WHERE ${paymentMethods.account_seq} = ${p("account_seq")}
    AND ${paymentMethods}.expires_on < ${p("card_expires_before")}`;
}

/** A value that a line has. Its subscriptions are found by a table of these values, which triggers keep. */
function byLines(kind: "plan" | "variant", name: string): Filter {
  const values = subscriptionContents;
  const isOfAccount = (p: Param) =>
    sql`${values.account_seq} = ${p("account_seq")} AND ${values.kind} = ${sql.raw(`'${kind}'`)} AND ${values.value} = ${p(name)}`;
  const ofValue = (p: Param) =>
    sql`SELECT ${values.subscription_id} AS found FROM ${values} WHERE ${isOfAccount(p)}`;
  return {
    ...facetWhere(
      (p) =>
        sql`EXISTS (SELECT 1 FROM ${values} WHERE ${isOfAccount(p)} AND ${values.subscription_id} = ${subscriptions.id})`,
      [],
    ),
    found: ofValue,
    from: (p) => sql`(${ofValue(p)}) AS its
      CROSS JOIN ${subscriptions} ON ${subscriptions.account_seq} = ${p("account_seq")} AND ${subscriptions.id} = its.found`,
    reads: 2,
  };
}
