import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { invalid, notFound } from "../../base/errors.ts";
import { dateIn } from "../../base/lib/time/dates.ts";
import type { OpenRow } from "../merchant-jobs/row-ctx.ts";
import type { JobRow, MerchantJob } from "../merchant-jobs/tables.ts";
import { newOrder } from "../orders/actions.ts";
import { revenueOf } from "../orders/revenue.ts";
import { subscriptionsOfOrder, updatesForOrder } from "../subscriptions/of-order.ts";
import type { ImportInput } from "./create.ts";
import { planOrders } from "./orders.ts";
import { readLines, readTaken } from "./queries.ts";
import { importRefs } from "./tables.ts";
import { createOnce, passOver, refOf } from "./write-subscription.ts";

/** Creates a past order of a subscription that was moved in, once. Nobody is to pack it, and its customer is sent no receipt. */
export function writeOrder(open: OpenRow, job: MerchantJob, { key, summary }: JobRow): Promise<void> {
  const { ctx } = open;
  const input: ImportInput = JSON.parse(job.input);
  const { source } = input;
  return retryOnConflict(async () => {
    const { imported } = await readTaken(ctx, { source, refs: [key], kind: "order" });
    const here = imported.get(key);
    if (here !== undefined) return passOver(open, here);
    const lines = await readLines(ctx, job.id, [key]);
    const planned = (await planOrders(ctx, { input, refs: [key], lines })).get(key)!;
    if ("faults" in planned) throw invalid(planned.faults);
    const [ordering] = await subscriptionsOfOrder(ctx, [planned.subscription_id], []);
    if (!ordering) throw notFound("Subscription");
    const { row } = ordering;
    const isOver = planned.status === "PENDING" || planned.status === "CANCELLED";
    const paid = {
      status: planned.status,
      total: planned.total,
      refunded_amount: planned.status === "REFUNDED" ? planned.total : 0,
    };
    const { id, entry, writes } = newOrder(
      ctx,
      {
        ...paid,
        fulfillment_status: isOver ? "UNFULFILLED" : "FULFILLED",
        order_type: "SUBSCRIPTION",
        is_checkout_order: 0,
        has_subscription: 1,
        store_order_id: `${source}/${key}`,
        external_order_id: key,
        external_source: source,
        profile_id: row.profile_id,
        currency_code: row.currency_code,
        subtotal: planned.total,
        discount_amount: 0,
        billing_date: dateIn(planned.ordered_at, ctx.account.timezone),
        order_created_at: planned.ordered_at,
        tracking_number: planned.tracking,
      },
      [row.id],
    );
    open.note({ record_id: id, summary: { ...JSON.parse(summary), ...planned.outcome } });
    const refRow = {
      ...refOf(ctx, { job, source }),
      kind: "order",
      ref: key,
      record_id: id,
      is_held: 0,
    } as const;
    await createOnce(
      ctx,
      [{ ...entry, action: "order_imported" }],
      [...writes, insertRow(importRefs, refRow)],
      updatesForOrder(ordering, { id, order_created_at: planned.ordered_at }, revenueOf(paid)),
    );
  }, 5);
}
