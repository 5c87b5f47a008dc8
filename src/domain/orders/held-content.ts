import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { AccountSeq } from "../../base/db/columns.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, columnsEqual, type Params, prepare } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { subscriptions } from "../subscriptions/tables.ts";
import { type Order, orders } from "./tables.ts";

/**
 * A renewal packs what the one before it did, as a rule: its order then names the order that has the lines, the address and the
 * instructions, instead of having them once more. What an order of a charge has never changes, unless it is erased, as that of all others of its customer.
 */
const columns = ["lines", "delivery_address", "delivery_instructions"] as const;
type Column = (typeof columns)[number];
type Content = Pick<Order, Column>;

/** An order's content, and the order that has it. */
export type HeldContent = Content & Pick<Order, "id">;

export const held = alias(orders, "held");
const last = alias(orders, "last");

/** The join that `contentColumns` need of a query of orders. */
export const isHeld = sql`${held.account_seq} = ${orders.account_seq} AND ${held.id} = ${orders.content_order_id}`;
export const joinHeld = sql`LEFT JOIN ${orders} AS ${sql.identifier("held")} ON ${isHeld}`;

/** The content of an order, wherever it is. */
export const contentColumns = {
  lines: wherever("lines"),
  delivery_address: wherever("delivery_address"),
  delivery_instructions: wherever("delivery_instructions"),
};

function wherever(column: Column): SQL<string | null> {
  return sql<
    string | null
  >`CASE WHEN ${orders.content_order_id} IS NULL THEN ${orders[column]} ELSE ${held[column]} END`;
}

/** The content of a subscription's last order, to be read in one trip with others. */
export function selectHeldContent({ account }: Ctx, subscription_id: string): Statement<HeldContent> {
  return selectOfLast({ account_seq: account.seq, id: subscription_id });
}

/** The content of a new order: the order that has the same, or all of it. */
export function sharedContent<Own extends Content>(
  own: Own,
  held: HeldContent | undefined,
): Own & Pick<Order, "content_order_id"> {
  if (!held || columns.some((column) => own[column] !== held[column]))
    return { ...own, content_order_id: null };
  return {
    ...own,
    content_order_id: held.id,
    lines: null,
    delivery_address: null,
    delivery_instructions: null,
  };
}

const selectOfLast = prepare((p: Params<{ account_seq: AccountSeq; id: string }>) =>
  build
    .select({
      id: held.id,
      lines: held.lines,
      delivery_address: held.delivery_address,
      delivery_instructions: held.delivery_instructions,
    })
    .from(subscriptions)
    .innerJoin(
      last,
      and(eq(last.account_seq, subscriptions.account_seq), eq(last.id, subscriptions.last_order_id)),
    )
    .innerJoin(
      held,
      and(
        eq(held.account_seq, last.account_seq),
        sql`${held.id} = COALESCE(${last.content_order_id}, ${last.id})`,
      ),
    )
    .where(and(columnsEqual(subscriptions, p, "account_seq", "id"), isNotNull(held.billing_attempt_id))),
);
