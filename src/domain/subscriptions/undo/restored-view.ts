import { first } from "../../../base/db/statement.ts";
import type { Ctx } from "../../../kit/context.ts";
import { type SlotWithDay, selectNamedSlot, slotsById } from "../../delivery/queries.ts";
import { findMethod } from "../../payment-methods/queries.ts";
import type { PaymentMethod } from "../../payment-methods/tables.ts";
import type { SubscriptionView } from "../queries.ts";
import type { Subscription } from "../tables.ts";
import { newUndoRefusal } from "./requirements.ts";

/** The subscription as it will be, with the slot and the payment method that come back. Throws INVALID_STATE where the method is gone. */
export async function restoredView(
  ctx: Ctx,
  view: SubscriptionView,
  columns: Partial<Subscription>,
): Promise<SubscriptionView> {
  const { delivery_slot_id: slotId, payment_method_id: methodId } = columns;
  const [slot, method] = await Promise.all([
    slotId === undefined ? view.slot : findSlot(ctx, slotId),
    methodId === undefined ? view.method : findUsableMethod(ctx, methodId),
  ]);
  return { ...view, row: { ...view.row, ...columns }, slot, method };
}

async function findSlot(ctx: Ctx, id: string | null): Promise<SlotWithDay | undefined> {
  const [named] = selectNamedSlot(ctx, id);
  const row = named && (await first(ctx.db, named));
  return row && slotsById([row]).get(id!);
}

async function findUsableMethod(ctx: Ctx, id: string | null): Promise<PaymentMethod | undefined> {
  const method = id === null ? undefined : await findMethod(ctx, id);
  if (id !== null && (!method || method.status === "REVOKED"))
    throw newUndoRefusal("the payment method is gone");
  return method;
}
