import { type AnyColumn, getTableColumns, sql } from "drizzle-orm";
import { embedRecord } from "../../../base/db/embed.ts";
import type { SlotWithDay } from "../../delivery/queries.ts";
import { deliveryDays, deliverySlots } from "../../delivery/tables.ts";
import { type Entity, entities } from "../../entities/tables.ts";
import type { PlainOrder } from "../../orders/present.ts";
import { plainOrderColumns } from "../../orders/queries.ts";
import { orders } from "../../orders/tables.ts";
import { type PaymentMethod, paymentMethods } from "../../payment-methods/tables.ts";
import type { ProfileRow } from "../../profiles/present.ts";
import { profileColumns } from "../../profiles/queries.ts";
import { profiles } from "../../profiles/tables.ts";
import { subscriptions } from "../tables.ts";

/** The profile of a subscription. It is still shown after its deletion. */
type Owner = ProfileRow & { deleted_at: string | null };

/** The records that a subscription shows besides itself. */
export type JoinedRecords = {
  profile: Owner;
  slot: SlotWithDay | undefined;
  entity: Entity | undefined;
  method: PaymentMethod | undefined;
  lastOrder: PlainOrder | undefined;
};

export const joins = sql`JOIN ${profiles} ON ${own(profiles, subscriptions.profile_id)}
  LEFT JOIN ${deliverySlots} ON ${own(deliverySlots, subscriptions.delivery_slot_id)}
  LEFT JOIN ${deliveryDays} ON ${own(deliveryDays, deliverySlots.delivery_day_id)}
  LEFT JOIN ${entities} ON ${own(entities, subscriptions.entity_id)}
  LEFT JOIN ${paymentMethods} ON ${own(paymentMethods, subscriptions.payment_method_id)}
  LEFT JOIN ${orders} ON ${own(orders, subscriptions.last_order_id)}`;

const profile = embedRecord({ ...profileColumns, deleted_at: profiles.deleted_at });
const slot = embedRecord(getTableColumns(deliverySlots));
const day = embedRecord(getTableColumns(deliveryDays));
const entity = embedRecord(getTableColumns(entities));
const method = embedRecord(getTableColumns(paymentMethods));
const lastOrder = embedRecord(plainOrderColumns);

export const joined = {
  profile: profile.column,
  slot: slot.column,
  day: day.column,
  entity: entity.column,
  method: method.column,
  last_order: lastOrder.column,
};
export type Joined = Record<keyof typeof joined, string>;

/** The records in the columns of a row. */
export function readJoined(row: Joined): JoinedRecords {
  const [itsSlot, itsDay] = [slot.read(row.slot), day.read(row.day)];
  return {
    profile: profile.read(row.profile) as Owner,
    slot: itsSlot && itsDay && { ...itsSlot, day: itsDay },
    entity: entity.read(row.entity),
    method: method.read(row.method),
    lastOrder: lastOrder.read(row.last_order),
  };
}

function own(table: { account_seq: AnyColumn; id: AnyColumn }, id: AnyColumn) {
  return sql`${table.account_seq} = ${subscriptions.account_seq} AND ${table.id} = ${id}`;
}
