import { guard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { first, raw, readNamed } from "../../base/db/statement.ts";
import { DomainError } from "../../base/errors.ts";
import type { SystemAction } from "../../base/event-types.ts";
import type { Ctx } from "../../kit/context.ts";
import { commitStatements, creationStatements, type Entry, entryStatement } from "../../kit/journal/write.ts";
import type { OpenRow } from "../merchant-jobs/row-ctx.ts";
import type { JobRow, MerchantJob } from "../merchant-jobs/tables.ts";
import { orderSubject } from "../orders/actions.ts";
import { revenueOf } from "../orders/revenue.ts";
import type { Order } from "../orders/tables.ts";
import { subjectOf } from "../subscriptions/actions/change-subscription.ts";
import { updatesWithoutOrder } from "../subscriptions/of-order.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import type { ImportInput } from "./create.ts";

/**
 * The entries of a subscription that do not stand in the way of undoing its import: it was made and released, reminded of, sent to the store, or
 * waits. Whatever else has happened to it has changed it, or was charged. Integrations' own entries change nothing, and are not listed.
 */
export const harmlessActions = [
  "subscription_created",
  "subscription_import_released",
  "payment_reminder_due",
  "annual_notice_due",
  "store_contract_linked",
  "store_sync_refused",
  "store_sync_agreed",
  "billing_waiting",
  "billing_wait_ended",
] as const satisfies SystemAction[];

/**
 * Deletes what a row of an import has made, if it is as it was made: its history stays, and its ref is free again. Throws INVALID_STATE
 * where it has been charged or changed since; its release is no change.
 */
export function undoRow(open: OpenRow, job: MerchantJob, { record_id }: JobRow): Promise<void> {
  const { format }: ImportInput = JSON.parse(job.input);
  if (record_id === null) return Promise.resolve();
  return format === "orders" ? undoOrder(open.ctx, record_id) : undoSubscription(open.ctx, job, record_id);
}

function undoSubscription(ctx: Ctx, job: MerchantJob, id: string): Promise<void> {
  return retryOnConflict(async () => {
    const row = await first(
      ctx.db,
      raw<Subscription>("SELECT * FROM subscriptions WHERE account_seq = ? AND id = ?", ctx.account.seq, id),
    );
    if (!row) return;
    if (row.store_contract_id !== null && ctx.store.contracts)
      throw newRefusal("its contract is at the store by now: cancel the subscription instead");
    await requireAsMade(ctx, id);
    const its = [ctx.account.seq, id];
    const taken = raw<{ job_id: string }>(`SELECT job_id FROM ${takenOver}`, ...its, job.id);
    if (await first(ctx.db, taken)) throw newRefusal("another import has taken it over");
    await commitStatements(ctx, [
      guardAsMade(ctx, id),
      guard(`EXISTS (SELECT 1 FROM ${takenOver})`, [...its, job.id]),
      entryStatement(ctx, { action: "subscription_import_undone", subject: subjectOf(row) }),
      ...["contract_syncs", "consents"].map((table) =>
        raw(`DELETE FROM ${table} WHERE account_seq = ? AND subscription_id = ?`, ...its),
      ),
      raw(
        "DELETE FROM import_refs WHERE account_seq = ? AND record_id = ? AND kind = 'subscription'",
        ...its,
      ),
      raw("DELETE FROM subscriptions WHERE account_seq = ? AND id = ?", ...its),
    ]);
  });
}

/** The ref of a subscription that is another import's by now. */
const takenOver =
  "import_refs WHERE account_seq = ? AND record_id = ? AND kind = 'subscription' AND job_id <> ?";

const isHarmless = `action IN (${harmlessActions.map((action) => `'${action}'`).join(", ")})
  OR action LIKE 'integration\\_%' ESCAPE '\\'`;

/** Traces of whatever somebody, or billing, has done with a subscription since it was moved in. */
const changes = {
  charged: "EXISTS (SELECT 1 FROM billing_attempts WHERE account_seq = ?1 AND subscription_id = ?2)",
  ordered: "EXISTS (SELECT 1 FROM order_subscriptions WHERE account_seq = ?1 AND subscription_id = ?2)",
  changed: `EXISTS (SELECT 1 FROM activity_logs WHERE account_seq = ?1 AND loggable_type = 'subscription' AND loggable_id = ?2
    AND NOT (${isHarmless}))`,
};
const hasChanged = `${changes.charged} OR ${changes.ordered} OR ${changes.changed}`;

const reasons = {
  charged: "it has been charged since",
  ordered: "it has orders",
  changed: "it has been changed since",
} as const satisfies Record<keyof typeof changes, string>;

/** Throws INVALID_STATE where it has been charged or changed since it was moved in. */
export async function requireAsMade({ db, account }: Ctx, id: string): Promise<void> {
  const asked = Object.entries(changes).map(([name, has]) => `${has} AS ${name}`);
  const found = await first(
    db,
    raw<Record<keyof typeof changes, 0 | 1>>(`SELECT ${asked.join(", ")}`, account.seq, id),
  );
  for (const name of ["charged", "ordered", "changed"] as const)
    if (found?.[name]) throw newRefusal(reasons[name]);
}

/** Fails the batch where it has been charged or changed since it was moved in. */
export function guardAsMade({ account }: Ctx, id: string): Statement {
  return guard(hasChanged, [account.seq, id]);
}

function undoOrder(ctx: Ctx, id: string): Promise<void> {
  return retryOnConflict(async () => {
    const its = [ctx.account.seq, id];
    const { order, owners, latest } = await readNamed(ctx.db, {
      order: raw<Order>("SELECT * FROM orders WHERE account_seq = ? AND id = ?", ...its),
      owners: raw<Subscription>(`SELECT owner.* FROM ${ownersOfOrder}`, ...its),
      latest: raw<{ id: string }>(latestOther, ...its),
    });
    const [row] = order;
    if (!row) return;
    if (row.revision !== 1) throw newRefusal("it has been changed since");
    const subject = orderSubject(
      row,
      owners.map((owner) => owner.id),
    );
    const entry: Entry = { action: "order_import_undone", subject };
    const updates = owners.flatMap((owner) =>
      updatesWithoutOrder(owner, { order: row, revenue: revenueOf(row), latestOther: latest[0]?.id ?? null }),
    );
    await commitStatements(ctx, [
      ...creationStatements(ctx, [entry], [], updates),
      raw("DELETE FROM order_subscriptions WHERE account_seq = ? AND order_id = ?", ...its),
      raw("DELETE FROM import_refs WHERE account_seq = ? AND record_id = ? AND kind = 'order'", ...its),
      raw("DELETE FROM orders WHERE account_seq = ? AND id = ?", ...its),
    ]);
  });
}

/** The subscription of a past order: it has one. */
const ownersOfOrder = `order_subscriptions AS link CROSS JOIN subscriptions AS owner
    ON owner.account_seq = link.account_seq AND owner.id = link.subscription_id
  WHERE link.account_seq = ?1 AND link.order_id = ?2`;

/** The latest of the other orders of that subscription. */
const latestOther = `SELECT other.id FROM order_subscriptions AS link CROSS JOIN order_subscriptions AS beside
    ON beside.account_seq = link.account_seq AND beside.subscription_id = link.subscription_id AND beside.order_id <> link.order_id
  CROSS JOIN orders AS other ON other.account_seq = beside.account_seq AND other.id = beside.order_id
  WHERE link.account_seq = ?1 AND link.order_id = ?2 ORDER BY other.order_created_at DESC, other.id DESC LIMIT 1`;

function newRefusal(why: string): DomainError {
  return new DomainError("INVALID_STATE", `Cannot undo the import: ${why}`);
}
