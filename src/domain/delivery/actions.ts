import { commit } from "../../base/db/commit.ts";
import { changeLiving } from "../../base/db/living.ts";
import { insertRow, updateLivingRows } from "../../base/db/row-writes.ts";
import { invalid } from "../../base/errors.ts";
import { type Ctx, keepCreated } from "../../kit/context.ts";
import { getDeliverySlot, requireDeliveryDay } from "./queries.ts";
import type { DeliveryDayChanges, DeliverySlotChanges, NewDeliveryDay, NewDeliverySlot } from "./schemas.ts";
import { type DeliveryDay, type DeliverySlot, deliveryDays, deliverySlots } from "./tables.ts";

export async function createDeliveryDay(ctx: Ctx, input: NewDeliveryDay): Promise<DeliveryDay> {
  const day: DeliveryDay = {
    id: ctx.newId(),
    account_seq: ctx.account.seq,
    day_of_week: input.day_of_week,
    packing_day_of_week: input.packing_day_of_week ?? null,
    billing_day_of_week: input.billing_day_of_week ?? null,
    courier_lead_time_days: input.courier_lead_time_days ?? null,
    is_active: bit(input.is_active ?? true),
    created_at: ctx.now,
    updated_at: ctx.now,
    deleted_at: null,
  };
  keepCreated(ctx, { deliveryDay: day.id });
  await commit(ctx, [insertRow(deliveryDays, day)]);
  return day;
}

export async function changeDeliveryDay(
  ctx: Ctx,
  id: string,
  input: DeliveryDayChanges,
): Promise<DeliveryDay> {
  const { is_active, ...rest } = input;
  const values = {
    ...rest,
    ...(is_active === undefined ? {} : { is_active: bit(is_active) }),
  };
  return changeLiving(ctx, { ...livingDay, key: { id }, set: values as Partial<DeliveryDay> });
}

/** Deletes the day and its slots softly. Subscriptions in these slots show delivery_slot_valid: false from then on. */
export function removeDeliveryDay(ctx: Ctx, id: string): Promise<DeliveryDay> {
  const deletion = { deleted_at: ctx.now, updated_at: ctx.now };
  const slots = { account_seq: ctx.account.seq, delivery_day_id: id };
  const also = [updateLivingRows(deliverySlots, slots, deletion)];
  return changeLiving(ctx, { ...livingDay, key: { id }, set: deletion, also });
}

type Window = Pick<DeliverySlot, "start_time" | "end_time"> & { is_all_day?: boolean | 0 | 1 | undefined };

export async function createDeliverySlot(ctx: Ctx, input: NewDeliverySlot): Promise<DeliverySlot> {
  requireWindow(input);
  const day = await requireDeliveryDay(ctx, input.delivery_day_id);
  const slot: DeliverySlot = {
    id: ctx.newId(),
    account_seq: ctx.account.seq,
    delivery_day_id: day.id,
    label: input.label,
    start_time: input.start_time,
    end_time: input.end_time,
    is_all_day: bit(input.is_all_day ?? false),
    position: input.position ?? 0,
    is_active: bit(input.is_active ?? true),
    created_at: ctx.now,
    updated_at: ctx.now,
    deleted_at: null,
    cutoff_days: input.cutoff_days ?? null,
    cutoff_time: input.cutoff_time ?? null,
    max_deliveries_per_day: input.max_deliveries_per_day ?? null,
  };
  keepCreated(ctx, { deliverySlot: slot.id });
  await commit(ctx, [insertRow(deliverySlots, slot)]);
  return slot;
}

export async function changeDeliverySlot(
  ctx: Ctx,
  id: string,
  input: DeliverySlotChanges,
): Promise<DeliverySlot> {
  const slot = await getDeliverySlot(ctx, id);
  const { is_active, is_all_day, ...rest } = input;
  const values = {
    ...(rest as Partial<DeliverySlot>),
    ...(is_active === undefined ? {} : { is_active: bit(is_active) }),
    ...(is_all_day === undefined ? {} : { is_all_day: bit(is_all_day) }),
  };
  requireWindow({ ...slot, ...values });
  if (input.delivery_day_id !== undefined) await requireDeliveryDay(ctx, input.delivery_day_id);
  return changeLiving(ctx, { ...livingSlot, key: { id }, set: values });
}

/** Deletes the slot softly. Subscriptions in it show delivery_slot_valid: false from then on. */
export function removeDeliverySlot(ctx: Ctx, id: string): Promise<DeliverySlot> {
  return changeLiving(ctx, { ...livingSlot, key: { id }, set: { deleted_at: ctx.now } });
}

function requireWindow({ start_time, end_time, is_all_day }: Window): void {
  if (!is_all_day && start_time >= end_time)
    throw invalid([{ path: "end_time", message: "must be after start_time" }]);
}

const livingDay = { table: deliveryDays, name: "Delivery day" };
const livingSlot = { table: deliverySlots, name: "Delivery slot" };

function bit(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}
