import type { Statement } from "../../../base/db/port.ts";
import { raw } from "../../../base/db/statement.ts";
import { DomainError, notFound } from "../../../base/errors.ts";
import type { Instant } from "../../../base/lib/time/dates.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { ActivityLog } from "../../../kit/journal/tables.ts";
import type { Order } from "../../orders/tables.ts";
import { isErased } from "../../profiles/queries.ts";
import { getSubscriptionAnd, type SubscriptionView } from "../queries.ts";

/** An entry of a subscription or of one of its orders, with the order as it is now. */
export type LaterEntry = Pick<ActivityLog, "action" | "actor_type" | "changes" | "metadata" | "sequence"> & {
  order: OrderOfEntry | null;
};

/** The part of an order that its subscription's history builds on; `owners`: how many subscriptions it is of. */
export type OrderOfEntry = Pick<
  Order,
  "id" | "status" | "total" | "refunded_amount" | "delivery_date" | "production_date"
> & { owners: number };

type Row = Omit<LaterEntry, "order"> & { order: string | null };

/** So many entries lead back at most. */
const mostWalked = 5_000;

/**
 * A subscription as it is now, and everything that its history and that of its orders say to have happened after an instant, the newest first. Throws
 * NOT_FOUND before its creation, INVALID_STATE where too much has happened since, or what has was erased.
 */
export async function readSince(
  ctx: Ctx,
  id: string,
  instant: Instant,
): Promise<{ view: SubscriptionView; entries: LaterEntry[] }> {
  const key = [ctx.account.seq, id] as const;
  const since = Date.parse(instant);
  const [view, { created, own, ofOrders }] = await getSubscriptionAnd(ctx, id, {
    created: selectCreation(...key),
    own: selectOwn(...key, since),
    ofOrders: selectOfOrders(...key, since),
  });
  if (instant < (created[0]?.created_at ?? view.row.created_at)) throw notFound("Subscription");
  const entries = [...own, ...ofOrders].map(({ order, ...entry }) => ({
    ...entry,
    order: order && JSON.parse(order),
  }));
  if (entries.length > mostWalked)
    throw new DomainError(
      "INVALID_STATE",
      `More than ${mostWalked} entries of its history are newer than as_of`,
    );
  if (entries.length > 0 && (await isErased(ctx, view.row.profile_id)))
    throw new DomainError("INVALID_STATE", "The history was erased with its customer");
  return { view, entries: entries.toSorted((a, b) => b.sequence - a.sequence) };
}

const columns = "entry.action, entry.actor_type, entry.changes, entry.metadata, entry.sequence";

/** Raw, because the index is named: the planner would take the table itself, whose key begins alike. */
const fromEntries = "activity_logs AS entry INDEXED BY activity_logs_by_record";

function selectCreation(account: number, id: string): Statement<{ created_at: Instant }> {
  return raw<{ created_at: Instant }>(
    `SELECT entry.created_at FROM ${fromEntries} WHERE entry.account_seq = ? AND entry.loggable_id = ?
      ORDER BY entry.created_ms, entry.sequence LIMIT 1`,
    ...[account, id],
  );
}

function selectOwn(account: number, id: string, since: number): Statement<Row> {
  return raw<Row>(
    `SELECT ${columns}, NULL AS "order" FROM ${fromEntries}
      WHERE entry.account_seq = ? AND entry.loggable_id = ? AND entry.created_ms > ? LIMIT ${mostWalked + 1}`,
    ...[account, id, since],
  );
}

function selectOfOrders(account: number, id: string, since: number): Statement<Row> {
  return raw<Row>(
    `SELECT ${columns}, json_object('id', its.id, 'status', its.status, 'total', its.total, 'refunded_amount', its.refunded_amount,
        'delivery_date', its.delivery_date, 'production_date', its.production_date, 'owners', (SELECT COUNT(*) FROM order_subscriptions
          AS other WHERE other.account_seq = link.account_seq AND other.order_id = link.order_id)) AS "order"
      FROM order_subscriptions AS link CROSS JOIN ${fromEntries} CROSS JOIN orders AS its
      WHERE link.account_seq = ?1 AND link.subscription_id = ?2 AND entry.account_seq = ?1 AND entry.loggable_id = link.order_id
        AND entry.created_ms > ?3 AND its.account_seq = ?1 AND its.id = link.order_id LIMIT ${mostWalked + 1}`,
    ...[account, id, since],
  );
}
