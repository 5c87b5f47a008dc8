import { commit } from "../../src/base/db/commit.ts";
import type { Statement } from "../../src/base/db/port.ts";
import { insertRow } from "../../src/base/db/row-writes.ts";
import { first, raw } from "../../src/base/db/statement.ts";
import { deliveryDays, deliverySlots } from "../../src/domain/delivery/tables.ts";
import { instantOf, type World } from "../kernel/world.ts";

export type Stamps = { created_at: string; updated_at: string };

/** A delivery slot on one day of the week, with random days for packing and billing. */
export function createSlot(
  world: World,
  stamps: Stamps,
): { slotId: string; weekday: number; writes: Statement[] } {
  const { account, newId, choices } = world;
  const [dayId, slotId] = [newId(), newId()];
  const weekday = 1 + choices.below(7);
  const day: typeof deliveryDays.$inferInsert = {
    ...stamps,
    id: dayId,
    account_seq: account.seq,
    day_of_week: weekday,
    packing_day_of_week: choices.pick<number | null>([null, 2, 5]),
    billing_day_of_week: choices.pick<number | null>([null, 1, 4]),
    courier_lead_time_days: choices.below(3),
    is_active: 1,
  };
  const slot: typeof deliverySlots.$inferInsert = {
    ...stamps,
    id: slotId,
    account_seq: account.seq,
    delivery_day_id: dayId,
    label: "Morning",
    start_time: "09:00",
    end_time: "12:00",
    is_all_day: 0,
    position: 0,
    is_active: 1,
    cutoff_days: null,
    cutoff_time: null,
    max_deliveries_per_day: day.courier_lead_time_days === 0 ? 1 : null,
  };
  return {
    slotId,
    weekday,
    writes: [insertRow(deliveryDays, day), insertRow(deliverySlots, slot)],
  };
}

/** Another slot of the account. Returns its slots, of which the one that its subscription is in, if any, stands twice. */
export async function slotsWithAnother(world: World): Promise<string[]> {
  const { database, account, newId } = world;
  const stamps = { created_at: instantOf(world), updated_at: instantOf(world) };
  const [dayId, slotId] = [newId(), newId()];
  const day = { day_of_week: 3, packing_day_of_week: null, billing_day_of_week: null };
  const common = { account_seq: account.seq, is_active: 1 as const, ...stamps };
  const times = { label: "Evening", start_time: "18:00", end_time: "20:00", is_all_day: 0 as const };
  const own = await first(
    database,
    raw<{ id: string }>("SELECT id FROM delivery_slots WHERE account_seq = ?", account.seq),
  );
  await commit({ db: database }, [
    insertRow(deliveryDays, { ...common, ...day, id: dayId, courier_lead_time_days: null }),
    insertRow(deliverySlots, {
      ...{ ...common, ...times, id: slotId, delivery_day_id: dayId, position: 1 },
      ...{ cutoff_days: null, cutoff_time: null, max_deliveries_per_day: null },
    }),
  ]);
  return own ? [own.id, own.id, slotId] : [slotId];
}
