import type { AccountSeq } from "../../src/base/db/columns.ts";
import type { Db } from "../../src/base/db/port.ts";
import { raw, rows } from "../../src/base/db/statement.ts";
import type { SlotDay } from "../accounts/calendar.ts";
import type { Moment } from "../dates/history.ts";
import type { Scheduled } from "../dates/scheduled.ts";

/** The columns of a subscription that say when it is delivered, packed and billed. */
export type Seen = Scheduled & {
  id: string;
  status: string;
  delivery_slot_id: string | null;
  next_production_date: string | null;
  last_payment_reminder_billing_date: string | null;
  dunning_episode_id: string | null;
  open_attempt_id: string | null;
  billing_waiting_since: string | null;
};

/** An entry of the history, with the attempt that it is about. */
export type Entry = {
  sequence: number;
  subscription_id: string | null;
  action: string;
  actor_type: string | null;
  metadata: string | null;
  origin: string | null;
  snapshot: string | null;
  store_reference: string | null;
};

export type Ordered = {
  seq: number;
  subscription_id: string;
  delivery_slot_id: string | null;
  delivery_date: string;
  production_date: string | null;
  billing_attempt_id: string | null;
};

/** The change that a commit has made of a subscription, and since when whoever made it may know of closed days. */
export type Change = {
  before: Seen;
  now: Seen;
  entries: Entry[];
  orders: Ordered[];
  since: Moment;
  today: string;
  slot: SlotDay | undefined;
};

export function selectSeen(account: AccountSeq) {
  return raw<Seen>(
    `SELECT id, status, delivery_slot_id, anchor_date, anchor_day, delivery_interval, delivery_interval_count, next_index, next_billed_index,
        next_delivery_date, next_billing_date, next_production_date, scheduled_index, scheduled_delivery_date, dunning_episode_id, last_payment_reminder_billing_date,
        open_attempt_id, billing_waiting_since
      FROM subscriptions WHERE account_seq = ?`,
    account,
  );
}

export function selectEntries(account: AccountSeq, after: number) {
  return raw<Entry>(
    `SELECT l.sequence, l.subscription_id, l.action, l.actor_type, l.metadata, a.origin, a.snapshot, a.store_reference
      FROM activity_logs AS l LEFT JOIN billing_attempts AS a
        ON a.account_seq = l.account_seq AND a.id = l.metadata ->> 'billing_attempt_id'
      WHERE l.account_seq = ? AND l.sequence > ? ORDER BY l.sequence`,
    account,
    after,
  );
}

export function selectOrders(account: AccountSeq, after: number) {
  return raw<Ordered>(
    `SELECT o.seq, s.subscription_id, o.delivery_slot_id, o.delivery_date, o.production_date, o.billing_attempt_id
      FROM orders AS o JOIN order_subscriptions AS s ON s.account_seq = o.account_seq AND s.order_id = o.id
      WHERE o.account_seq = ? AND o.seq > ? ORDER BY o.seq`,
    account,
    after,
  );
}

export async function readSlotDays(db: Db, account: AccountSeq): Promise<Map<string, SlotDay>> {
  const found = await rows(
    db,
    raw<{ id: string; weekday: number; packingWeekday: number | null; leadDays: number }>(
      `SELECT s.id, d.day_of_week AS weekday, d.packing_day_of_week AS packingWeekday,
          COALESCE(d.courier_lead_time_days, 0) AS leadDays
        FROM delivery_slots AS s JOIN delivery_days AS d ON d.account_seq = s.account_seq AND d.id = s.delivery_day_id
        WHERE s.account_seq = ?`,
      account,
    ),
  );
  return new Map(found.map(({ id, ...day }) => [id, day]));
}
