import { type AnyColumn, getTableColumns, sql } from "drizzle-orm";
import type { z } from "zod";
import { embedRecord } from "../../../base/db/embed.ts";
import { type JsonText, jsonText } from "../../../kit/http/json-text.ts";
import type { SlotWithDay } from "../../delivery/queries.ts";
import { deliveryDays, deliverySlots } from "../../delivery/tables.ts";
import { entityText } from "../../entities/embedded.ts";
import type { EntityBody } from "../../entities/schemas.ts";
import { entities } from "../../entities/tables.ts";
import { plainOrderText } from "../../orders/embedded.ts";
import type { PlainOrderBody } from "../../orders/schemas.ts";
import { orders } from "../../orders/tables.ts";
import { type PaymentMethod, paymentMethods } from "../../payment-methods/tables.ts";
import { profileText } from "../../profiles/embedded.ts";
import type { ProfileBody } from "../../profiles/schemas.ts";
import { profiles } from "../../profiles/tables.ts";
import { subscriptions } from "../tables.ts";

/** The records that a subscription shows besides itself: those that nothing else is decided by as the text of their JSON. */
export type ShownRecords = {
  /** It is still shown after its deletion. */
  profile: JsonText<z.input<typeof ProfileBody>>;
  slot: SlotWithDay | undefined;
  entity: JsonText<OwnMembers<typeof EntityBody>> | null;
  method: Pick<PaymentMethod, "brand" | "last4"> | undefined;
};

/** The records of one subscription, by which changes of it are decided. */
export type JoinedRecords = Omit<ShownRecords, "method"> & {
  profileDeletedAt: string | null;
  method: PaymentMethod | undefined;
};

/** The records of a subscription in a list. */
export type JoinedInList = ShownRecords & { lastOrder: JsonText<OwnMembers<typeof PlainOrderBody>> | null };

/** A record without its account, which whoever shows it knows. */
type OwnMembers<Schema extends z.ZodType> = Omit<z.input<Schema>, "account_id">;

export const joins = sql`JOIN ${profiles} ON ${own(profiles, subscriptions.profile_id)}
  LEFT JOIN ${deliverySlots} ON ${own(deliverySlots, subscriptions.delivery_slot_id)}
  LEFT JOIN ${deliveryDays} ON ${own(deliveryDays, deliverySlots.delivery_day_id)}
  LEFT JOIN ${entities} ON ${own(entities, subscriptions.entity_id)}
  LEFT JOIN ${paymentMethods} ON ${own(paymentMethods, subscriptions.payment_method_id)}
  LEFT JOIN ${orders} ON ${own(orders, subscriptions.last_order_id)}`;

const slot = embedRecord(getTableColumns(deliverySlots));
const day = embedRecord(getTableColumns(deliveryDays));
const method = embedRecord(getTableColumns(paymentMethods));

const shown = { profile: profileText, slot: slot.column, day: day.column, entity: entityText };
export const joined = { ...shown, method: method.column, profile_deleted_at: profiles.deleted_at };
export const joinedInList = {
  ...shown,
  last_order: plainOrderText,
  payment_method_brand: paymentMethods.brand,
  payment_method_last4: paymentMethods.last4,
};
type Shown = Record<keyof typeof shown, string | null>;
export type Joined = Shown & { method: string | null; profile_deleted_at: string | null };
type RowInList = Shown &
  Record<"last_order" | "payment_method_brand" | "payment_method_last4", string | null>;

/** The records in the columns of a row. */
export function readJoined(row: Joined): JoinedRecords {
  return {
    ...readShown(row),
    method: method.read(row.method),
    profileDeletedAt: row.profile_deleted_at,
  };
}

/** The records in the columns of a list's row. */
export function readJoinedInList(row: RowInList): JoinedInList {
  const { payment_method_brand: brand, payment_method_last4: last4 } = row;
  return { ...readShown(row), method: { brand, last4 }, lastOrder: textOf(row.last_order) };
}

function readShown(row: Shown): Omit<ShownRecords, "method"> {
  const [itsSlot, itsDay] = [slot.read(row.slot), day.read(row.day)];
  return {
    profile: jsonText(row.profile as string),
    slot: itsSlot && itsDay && { ...itsSlot, day: itsDay },
    entity: textOf(row.entity),
  };
}

function textOf<T>(text: string | null): JsonText<T> | null {
  return text === null ? null : jsonText(text);
}

function own(table: { account_seq: AnyColumn; id: AnyColumn }, id: AnyColumn) {
  return sql`${table.account_seq} = ${subscriptions.account_seq} AND ${table.id} = ${id}`;
}
