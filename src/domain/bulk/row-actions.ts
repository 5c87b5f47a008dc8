import type { Scope } from "../../base/accounts/scopes.ts";
import { DomainError } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { retryPayment } from "../billing/actions/retry-payment.ts";
import { cancelSubscription } from "../subscriptions/actions/cancel.ts";
import { reschedule } from "../subscriptions/actions/change.ts";
import type { Command } from "../subscriptions/actions/change-subscription.ts";
import { applyDiscount, removeDiscountsByTitle } from "../subscriptions/actions/discounts.ts";
import { changeInstructions } from "../subscriptions/actions/instructions.ts";
import { addLine } from "../subscriptions/actions/lines.ts";
import { pauseSubscription } from "../subscriptions/actions/pause.ts";
import { resumeSubscription } from "../subscriptions/actions/restart.ts";
import { skipDeliveries } from "../subscriptions/actions/skip.ts";
import { firstWeekday } from "../subscriptions/dates/index.ts";
import { getSubscription } from "../subscriptions/queries.ts";
import type { BulkAction, BulkInput } from "./actions.ts";
import { changePrice, swapVariant } from "./price-change.ts";

/** Does an action to one subscription, as the API's own operation does. */
export function actOn(
  ctx: Ctx,
  command: Command,
  { action, input, notice_days }: BulkInput,
): Promise<unknown> {
  const asked = { ...command, request: input, noticeDays: notice_days };
  return acts[action](ctx, asked);
}

export function scopeOfAction(action: BulkAction): Scope {
  return action === "retry_payment" ? "billing:write" : "subscriptions:write";
}

// biome-ignore lint/suspicious/noExplicitAny: each action has its own input, which its schema has accepted
type Asked = Command & { request: any; noticeDays: number | undefined };

const acts: Record<BulkAction, (ctx: Ctx, asked: Asked) => Promise<unknown>> = {
  swap_variant: swapVariant,
  change_price: changePrice,
  move_slot: moveSlot,
  skip_deliveries: skipDeliveries,
  reschedule,
  pause: pauseSubscription,
  resume: resumeSubscription,
  cancel: cancelSubscription,
  apply_discount: applyDiscount,
  remove_discount: removeDiscountsByTitle,
  add_one_time_line: (ctx, asked) =>
    addLine(ctx, { ...asked, request: { ...asked.request, is_one_time: true } }),
  set_instructions: (ctx, asked) =>
    changeInstructions(ctx, { ...asked, request: asked.request.delivery_instructions }),
  retry_payment: retryPayment,
};

type SlotMove = { from_slot_id: string; to_slot_id: string; day_of_week: number };

/** Moves a subscription from one slot to another; its next delivery keeps its day, or moves on to the next one of the new slot. */
async function moveSlot(ctx: Ctx, { request, ...command }: Asked): Promise<unknown> {
  const { from_slot_id, to_slot_id, day_of_week } = request as SlotMove;
  const { row } = await getSubscription(ctx, command.id);
  if (row.delivery_slot_id !== from_slot_id)
    throw new DomainError(
      "INVALID_STATE",
      `Subscription ${row.number} is not delivered in the slot ${from_slot_id}`,
    );
  const date = row.next_delivery_date;
  const next_delivery_date = date === null ? null : firstWeekday(date, day_of_week);
  const moved = next_delivery_date === null || next_delivery_date === date ? {} : { next_delivery_date };
  return reschedule(ctx, {
    ...command,
    revision: row.revision,
    request: { delivery_slot_id: to_slot_id, ...moved },
  });
}
