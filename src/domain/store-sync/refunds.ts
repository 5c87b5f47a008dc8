import type { JobOutcome } from "../../base/job.ts";
import type { Ctx } from "../../kit/context.ts";
import { mayBeRecorded } from "../billing/unrecorded.ts";
import { findOrderOfStore } from "../orders/queries.ts";
import { getOwnOrder } from "../own-orders/queries.ts";
import { takeOverRefunds } from "../own-orders/take-over-refunds.ts";

/**
 * Records the refunds of a charge, by the store's id of it, as the store has them now. One whose order may still be recorded is looked at
 * later; a payment that this service has not made is none of its business.
 */
export async function refreshRefunds(ctx: Ctx, reference: string): Promise<JobOutcome> {
  const order = await findOrderOfStore(ctx, reference);
  if (order) {
    await takeOverRefunds(ctx, await getOwnOrder(ctx, order.row.id));
    return "done";
  }
  return (await mayBeRecorded(ctx, reference)) ? "later" : "done";
}
