import type { Ctx } from "../../kit/context.ts";
import type { StoreRefund } from "../../stores/port/refunds.ts";
import type { OwnOrder } from "./queries.ts";
import { recordRefund } from "./record-refund.ts";

/**
 * Records what the store shows of all refunds of an order's charge, ours and those that were made there; returns what it shows. One of ours
 * is known by its key, so that it is never counted twice.
 */
export async function takeOverRefunds(
  ctx: Ctx,
  { row, chargeReference }: Pick<OwnOrder, "row" | "chargeReference">,
): Promise<StoreRefund[]> {
  if (chargeReference === null || !ctx.store.listRefunds) return [];
  const shown = await ctx.store.listRefunds(chargeReference);
  for (const refund of shown) await recordRefund(ctx, row.id, refund);
  return shown;
}
