import { eq, sql } from "drizzle-orm";
import type { AccountSeq } from "../../src/base/db/columns.ts";
import type { Statement } from "../../src/base/db/port.ts";
import { build, type Params, prepare, read, subSelect } from "../../src/base/db/statement.ts";
import { billingAttempts } from "../../src/domain/billing/tables.ts";
import { subscriptions } from "../../src/domain/subscriptions/tables.ts";
import { activityLogs } from "../../src/kit/journal/tables.ts";
import { perAccount } from "../kernel/per-account.ts";
import type { Part, World } from "../kernel/world.ts";

/** A row as the last commit of an account has left it, and as it was before, unless it is new. */
export type Change<R> = { before: R | undefined; now: R };
export type Changes = { rows: Change<Seen>[]; attempts: Change<SeenAttempt>[] };

type Sight = { rows: Map<string, Seen>; attempts: Map<string, SeenAttempt> };

const sight = perAccount(() => ({
  now: { rows: new Map(), attempts: new Map() } as Sight,
  saved: undefined as Sight | undefined,
  changes: { rows: [], attempts: [] } as Changes,
}));

/** Reads the subscriptions and attempts of the account that has written, and sees that no other one has changed. */
export const seeing: Part = {
  async watch(world) {
    for (const one of world.worlds) await (one.account === world.account ? look(one) : checkUntouched(one));
  },
  mark({ worlds }) {
    for (const one of worlds) {
      const { rows, attempts } = sight(one).now;
      sight(one).saved = { rows: new Map(rows), attempts: new Map(attempts) };
    }
  },
  rewind({ worlds }) {
    for (const one of worlds) {
      const its = sight(one);
      if (its.saved) its.now = its.saved;
    }
  },
};

/** Looks at an account anew. */
export async function look(world: World): Promise<void> {
  const its = sight(world);
  const { rows, attempts } = its.now;
  const [foundRows, foundAttempts] = await readBoth(world);
  its.changes = {
    rows: foundRows.map((now) => ({ before: rows.get(now.id), now })),
    attempts: foundAttempts.map((now) => ({ before: attempts.get(now.id), now })),
  };
  for (const row of foundRows) rows.set(row.id, row);
  for (const row of foundAttempts) attempts.set(row.id, row);
}

async function checkUntouched(world: World): Promise<void> {
  const { rows, attempts } = sight(world).now;
  const [foundRows, foundAttempts] = await readBoth(world);
  const isSame =
    foundRows.length === rows.size &&
    foundAttempts.length === attempts.size &&
    foundRows.every((row) => isEqual(row, rows.get(row.id))) &&
    foundAttempts.every((row) => isEqual(row, attempts.get(row.id)));
  const { seq } = world.account;
  if (!isSame) world.report("accounts do not touch each other", `a commit of another account changes ${seq}`);
}

function readBoth({ database, account }: World): Promise<[Seen[], SeenAttempt[]]> {
  const of = { account_seq: account.seq };
  return read(database, [subscriptionsOf(of), attemptsOf(of)]);
}

/** The rows as the last commit of an account has left them. */
export function changesOf(world: World): Changes {
  return sight(world).changes;
}

export function subscriptionSeen(world: World, id: string): Seen | undefined {
  return sight(world).now.rows.get(id);
}

export function attemptSeen(world: World, id: string): SeenAttempt | undefined {
  return sight(world).now.attempts.get(id);
}

export function attemptsSeen(world: World): SeenAttempt[] {
  return [...sight(world).now.attempts.values()];
}

/** Entries that are no change of their subscription. */
const unrevised =
  "'payment_reminder_due', 'dunning_customer_notified', 'dunning_notice_refused', 'payment_update_requested', 'payment_update_refused', 'cancellation_started', 'order_updated', 'order_cancelled', 'order_fulfilled', 'order_disputed'";

type OfAccount = Params<{ account_seq: AccountSeq }>;

const subscriptionsOf = prepare((p: OfAccount) =>
  build
    .select({
      id: subscriptions.id,
      revision: subscriptions.revision,
      status: subscriptions.status,
      activation: subscriptions.activation,
      total: subscriptions.total,
      next_index: subscriptions.next_index,
      next_billed_index: subscriptions.next_billed_index,
      next_billing_date: subscriptions.next_billing_date,
      next_delivery_date: subscriptions.next_delivery_date,
      scheduled_index: subscriptions.scheduled_index,
      scheduled_delivery_date: subscriptions.scheduled_delivery_date,
      anchor_date: subscriptions.anchor_date,
      anchor_day: subscriptions.anchor_day,
      delivery_interval: subscriptions.delivery_interval,
      delivery_interval_count: subscriptions.delivery_interval_count,
      delivery_slot_id: subscriptions.delivery_slot_id,
      delivery_address: subscriptions.delivery_address,
      delivery_instructions: subscriptions.delivery_instructions,
      deliveries_per_billing: subscriptions.deliveries_per_billing,
      lines: subscriptions.lines,
      payment_method_id: subscriptions.payment_method_id,
      last_order_id: subscriptions.last_order_id,
      dunning_episode_id: subscriptions.dunning_episode_id,
      last_payment_reminder_billing_date: subscriptions.last_payment_reminder_billing_date,
      pause_until: subscriptions.pause_until,
      ends_on: subscriptions.ends_on,
      ends_after_cycle: subscriptions.ends_after_cycle,
      restart_billing_date: subscriptions.restart_billing_date,
      billing_blocked_reason: subscriptions.billing_blocked_reason,
      open_attempt_id: subscriptions.open_attempt_id,
      disputed_at: subscriptions.disputed_at,
      billing_waiting_since: subscriptions.billing_waiting_since,
      billing_retry_at: subscriptions.billing_retry_at,
      disputes: subSelect(
        sql<number>`(SELECT COUNT(*) FROM ${activityLogs} WHERE ${activityLogs.account_seq} = ${subscriptions.account_seq}
          AND ${activityLogs.subscription_id} = ${subscriptions.id} AND ${activityLogs.action} = 'order_disputed')`,
        "disputes",
      ),
      entries: subSelect(
        sql<number>`(SELECT COUNT(*) FROM ${activityLogs} WHERE ${activityLogs.account_seq} = ${subscriptions.account_seq}
          AND ${activityLogs.subscription_id} = ${subscriptions.id} AND ${activityLogs.action} NOT IN (${sql.raw(unrevised)}))`,
        "entries",
      ),
    })
    .from(subscriptions)
    .where(eq(subscriptions.account_seq, p("account_seq"))),
);

const attemptsOf = prepare((p: OfAccount) =>
  build
    .select({
      id: billingAttempts.id,
      subscription_id: billingAttempts.subscription_id,
      activation: billingAttempts.activation,
      cycle: billingAttempts.cycle,
      attempt_number: billingAttempts.attempt_number,
      origin: billingAttempts.origin,
      status: billingAttempts.status,
      amount: billingAttempts.amount,
      error_code: billingAttempts.error_code,
      store_key: billingAttempts.store_key,
      last_sent_at: billingAttempts.last_sent_at,
      first_sent_at: billingAttempts.first_sent_at,
      store_reference: billingAttempts.store_reference,
      noted_reference: billingAttempts.noted_reference,
      claims: billingAttempts.claims,
    })
    .from(billingAttempts)
    .where(eq(billingAttempts.account_seq, p("account_seq"))),
);

type Row<S> = S extends Statement<infer R> ? R : never;
export type Seen = Row<ReturnType<typeof subscriptionsOf>>;
export type SeenAttempt = Row<ReturnType<typeof attemptsOf>>;

/** Whether two rows of one statement have the same values. */
function isEqual<Row extends object>(a: Row, b: Row | undefined): boolean {
  if (a === b) return true;
  for (const name in a) if (a[name] !== b?.[name]) return false;
  return true;
}
