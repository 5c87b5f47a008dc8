import { getTableColumns, type SQLWrapper, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, type Params, prepare } from "../../base/db/statement.ts";
import { newSearchText } from "./list/search.ts";
import { type Subscription, subscriptions } from "./tables.ts";

/** The row of a new subscription. The database assigns its seq and number. */
export type NewSubscription = Omit<Subscription, "seq" | "number">;

/** The columns that are empty in a new subscription. */
export const emptySubscription = {
  delivery_instructions: null,
  custom_attributes: null,
  store_contract_id: null,
  former_contract_id: null,
  store_sync_error: null,
  store_origin_order_id: null,
  migration_source_ref: null,
  last_order_id: null,
  dunning_episode_id: null,
  remind_days: null,
  last_payment_reminder_sent_at: null,
  last_payment_reminder_billing_date: null,
  paused_at: null,
  pause_until: null,
  pause_reason: null,
  pause_reason_id: null,
  restart_billing_date: null,
  cancelled_at: null,
  cancellation_reason: null,
  cancellation_reason_id: null,
  open_attempt_id: null,
  billing_blocked_reason: null,
  disputed_at: null,
  billing_waiting_since: null,
  billing_wait_count: 0,
  billing_retry_at: null,
  no_charge_before: null,
  ends_on: null,
  source_group_id: null,
  ends_after_cycle: null,
} as const;

/** The account's next number, from 1001 on. The statement that uses it also finds it. */
export function nextNumber(account: SQLWrapper | AccountSeq) {
  return sql<number>`(SELECT COALESCE(MAX(${subscriptions.number}), 1000) + 1 FROM ${subscriptions}
    WHERE ${subscriptions.account_seq} = ${account})`;
}

/** Inserts a subscription with the account's next number. */
export function insertSubscription(row: NewSubscription): Statement {
  return insert({ ...row, search_text: newSearchText(row.store_contract_id) });
}

/** The text to search is what stands after the number, which the statement finds. */
const insert = prepare((p: Params<NewSubscription>) => {
  const { seq: _position, ...columns } = getTableColumns(subscriptions);
  const named = Object.keys(columns).map((name) => [name, p(name as keyof NewSubscription)]);
  const number = nextNumber(p("account_seq"));
  const search_text = sql`CAST(${number} AS TEXT) || ${p("search_text")}`;
  return build.insert(subscriptions).values({ ...Object.fromEntries(named), number, search_text });
});
