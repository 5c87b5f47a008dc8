import type { Ctx } from "../../../kit/context.ts";
import { deliveriesOwed, dropOwed } from "../dates/index.ts";
import type { SubscriptionView } from "../queries.ts";
import { changeSubscription } from "./change-subscription.ts";

/** Drops the deliveries that a cancelled subscription still owes. The history entry says how many. */
export function stopDeliveries(ctx: Ctx, id: string): Promise<SubscriptionView> {
  return changeSubscription(ctx, id, {}, ({ row }) => {
    if (row.status !== "CANCELLED" || row.next_delivery_date === null) return undefined;
    return {
      entry: { action: "delivery_rescheduled", metadata: { deliveries_owed: deliveriesOwed(row) } },
      columns: dropOwed(row),
    };
  });
}
