import { and, eq, isNull } from "drizzle-orm";
import { commit } from "../../base/db/commit.ts";
import { insertRow } from "../../base/db/row-writes.ts";
import { build, statement } from "../../base/db/statement.ts";
import { invalid, notFound } from "../../base/errors.ts";
import type { Ctx } from "../../kit/context.ts";
import { getDeliverySlot, requireDeliveryDay } from "./queries.ts";
import type { DeliveryDayChanges, DeliverySlotChanges, NewDeliveryDay, NewDeliverySlot } from "./schemas.ts";
import { type DeliveryDay, type DeliverySlot, deliveryDays, deliverySlots } from "./tables.ts";

export async function createDeliveryDay(ctx: Ctx, input: NewDeliveryDay): Promise<DeliveryDay> {
  const day: DeliveryDay = {
    id: ctx.newId(),
    account_id: ctx.account.id,
    day_of_week: input.day_of_week,
    packing_day_of_week: input.packing_day_of_week ?? null,
    billing_day_of_week: input.billing_day_of_week ?? null,
    courier_lead_time_days: input.courier_lead_time_days ?? null,
    is_active: bit(input.is_active ?? true),
    created_at: ctx.now,
    updated_at: ctx.now,
    deleted_at: null,
  };
  await commit(ctx, [insertRow(deliveryDays, day)]);
  return day;
}

export async function updateDeliveryDay(
  ctx: Ctx,
  id: string,
  input: DeliveryDayChanges,
): Promise<DeliveryDay> {
  const { is_active, ...rest } = input;
  const values = {
    ...rest,
    ...(is_active === undefined ? {} : { is_active: bit(is_active) }),
    updated_at: ctx.now,
  };
  const [changed] = await commit(ctx, [
    statement(
      build
        .update(deliveryDays)
        .set(values as Partial<DeliveryDay>)
        .where(livingDay(ctx, id))
        .returning(),
    ),
  ]);
  const day = changed?.rows[0];
  if (!day) throw notFound("Delivery day");
  return day;
}

/** Deletes the day and its slots softly. Subscriptions in these slots show delivery_slot_valid: false from then on. */
export async function deleteDeliveryDay(ctx: Ctx, id: string): Promise<void> {
  const deletion = { deleted_at: ctx.now, updated_at: ctx.now };
  const [deleted] = await commit(ctx, [
    statement(
      build.update(deliveryDays).set(deletion).where(livingDay(ctx, id)).returning({ id: deliveryDays.id }),
    ),
    statement(
      build
        .update(deliverySlots)
        .set(deletion)
        .where(
          and(
            eq(deliverySlots.account_id, ctx.account.id),
            eq(deliverySlots.delivery_day_id, id),
            isNull(deliverySlots.deleted_at),
          ),
        ),
    ),
  ]);
  if (deleted?.rows.length === 0) throw notFound("Delivery day");
}

type Window = Pick<DeliverySlot, "start_time" | "end_time"> & { is_all_day?: boolean | 0 | 1 | undefined };

export async function createDeliverySlot(ctx: Ctx, input: NewDeliverySlot): Promise<DeliverySlot> {
  requireWindow(input);
  const day = await requireDeliveryDay(ctx, input.delivery_day_id);
  const slot: DeliverySlot = {
    id: ctx.newId(),
    account_id: ctx.account.id,
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
  };
  await commit(ctx, [insertRow(deliverySlots, slot)]);
  return slot;
}

export async function updateDeliverySlot(
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
  return changeSlot(ctx, id, values);
}

/** Deletes the slot softly. Subscriptions in it show delivery_slot_valid: false from then on. */
export function deleteDeliverySlot(ctx: Ctx, id: string): Promise<DeliverySlot> {
  return changeSlot(ctx, id, { deleted_at: ctx.now });
}

async function changeSlot(ctx: Ctx, id: string, values: Partial<DeliverySlot>): Promise<DeliverySlot> {
  const [changed] = await commit(ctx, [
    statement(
      build
        .update(deliverySlots)
        .set({ ...values, updated_at: ctx.now })
        .where(livingSlot(ctx, id))
        .returning(),
    ),
  ]);
  const slot = changed?.rows[0];
  if (!slot) throw notFound("Delivery slot");
  return slot;
}

function livingSlot(ctx: Ctx, id: string) {
  return and(
    eq(deliverySlots.account_id, ctx.account.id),
    eq(deliverySlots.id, id),
    isNull(deliverySlots.deleted_at),
  );
}

function requireWindow({ start_time, end_time, is_all_day }: Window): void {
  if (!is_all_day && start_time >= end_time)
    throw invalid([{ path: "end_time", message: "must be after start_time" }]);
}

function livingDay(ctx: Ctx, id: string) {
  return and(
    eq(deliveryDays.account_id, ctx.account.id),
    eq(deliveryDays.id, id),
    isNull(deliveryDays.deleted_at),
  );
}

function bit(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}
