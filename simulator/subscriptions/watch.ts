import { eq, sql } from "drizzle-orm";
import { defaultSettings } from "../../src/base/accounts/settings.ts";
import type { AccountSeq } from "../../src/base/db/columns.ts";
import type { Db, Statement } from "../../src/base/db/port.ts";
import { build, type Params, prepare, read, subSelect } from "../../src/base/db/statement.ts";
import { minuteMs } from "../../src/base/lib/time/durations.ts";
import { carriesEarlierCharge } from "../../src/domain/billing/known-charge.ts";
import { billingAttempts } from "../../src/domain/billing/tables.ts";
import { deliveriesOwed } from "../../src/domain/subscriptions/dates/index.ts";
import { type Subscription, subscriptions } from "../../src/domain/subscriptions/tables.ts";
import { activityLogs } from "../../src/kit/journal/tables.ts";
import { newWaitWatch } from "../billing/watch-waits.ts";
import type { ClosedDayHistory } from "../closed-days/history.ts";
import { checkReminder } from "../notices/watch-reminders.ts";
import { newOrderWatch } from "../orders/watch-orders.ts";
import { checkDates, type OpenFrom } from "./watch-dates.ts";

type Report = (rule: string, detail: string) => void;
/** The day of the account now, or so many milliseconds before, the time in milliseconds, and the closed days that the account has had. */
type Clock = {
  today: (before?: number) => string;
  now: () => number;
  closedDays: () => ClosedDayHistory | undefined;
};

/** The state of a subscription from a commit on. */
type Moment = Pick<Subscription, "id" | "status" | "activation"> & { commit: number };

/**
 * Checks the account after every commit: history and revision change together, an attempt's amount is the subscription's total
 * at its start and never changes, a finished attempt stays finished. While a subscription is billed its dates stay, except
 * those of deliveries that are paid for.
 */
export function newWatch(
  db: Db,
  accountSeq: AccountSeq,
  { today, now: clock, closedDays }: Clock,
  report: Report,
) {
  let seen = new Map<string, Seen>();
  let attempts = new Map<string, SeenAttempt>();
  let moments: Moment[] = [];
  const orders = newOrderWatch();
  const waits = newWaitWatch(clock, invocationMsMax, report);
  /** How often each attempt came under review, or is there for another reason. */
  let reviews = new Map<string, number>();
  let saved:
    | { seen: typeof seen; attempts: typeof attempts; moments: Moment[]; reviews: typeof reviews }
    | undefined;

  const compare = (before: Seen | undefined, now: Seen): void => {
    if (!before) return;
    const [steps, entries] = [now.revision - before.revision, now.entries - before.entries];
    if (steps < 0 || steps > 1) report("one change at a time", `${steps} revisions in one commit`);
    // A dispute has its entry with the order.
    const isDisputed = steps > 0 && now.disputes > before.disputes;
    if (steps > 0 !== (entries > 0 || isDisputed))
      report("history exactly per change", `${entries} entries for ${steps} changes`);
    const isBilling = now.open_attempt_id !== null && now.open_attempt_id === before.open_attempt_id;
    const isMoved = now.status === before.status && now.next_billing_date !== before.next_billing_date;
    if (isBilling && isMoved && deliveriesOwed(before) === 0)
      report("dates wait for billing", `${before.next_billing_date} settlesAs ${now.next_billing_date}`);
  };

  /**
   * An attempt charges the total, unless it carries the charge of an earlier one, and a recurring one never starts before its day. Only a cycle that waits for the merchant or the store
   * may be tried again earlier, as somebody may have asked for it before its day.
   */
  const compareNew = (now: SeenAttempt): void => {
    const row = seen.get(now.subscription_id);
    orders.noteAttempt(now, row);
    if (now.amount !== row?.total && !carriesEarlierCharge(now))
      report("an attempt charges the total", `${now.amount} where the total is ${row?.total}`);
    const isRepeated = row?.billing_waiting_since !== null;
    /** An attempt that begins with the store's reference records a charge that the store has made: nothing is billed. */
    const isKnown = now.store_reference !== null;
    if (now.origin !== "RECURRING" || isRepeated || isKnown) return;
    if ((row?.next_billing_date ?? "9") > today())
      report("billed when it is due", `on ${today()}, for ${row?.next_billing_date}`);
    if (row && deliveriesOwed(row) > 0)
      report("billed when it is due", `on ${today()}, with ${deliveriesOwed(row)} deliveries owed`);
  };

  /** After a paid cycle the next is billed on a later day: missed cycles are not billed one after the other. */
  const compareBilled = (now: SeenAttempt): void => {
    const row = seen.get(now.subscription_id);
    const isSameLife = row?.status === "ACTIVE" && row.activation === now.activation;
    if (isSameLife && row.next_billing_date !== null && row.next_billing_date <= today(invocationMsMax))
      report("the schedule moves on", `billed on ${today()}, and again on ${row.next_billing_date}`);
  };

  const compareAttempt = (before: SeenAttempt | undefined, now: SeenAttempt): void => {
    if (!before) {
      compareNew(now);
      return;
    }
    if (now.status === "SUCCEEDED" && before.status !== now.status) compareBilled(now);
    /** A success records what was charged, which need not be what was asked for (check-money.ts). */
    const isCharged = now.status === "SUCCEEDED" && before.status !== now.status;
    for (const field of ["amount", "activation", "cycle", "attempt_number"] as const)
      if (before[field] !== now[field] && !(field === "amount" && isCharged))
        report(
          "an attempt's terms never change",
          `${field} of an attempt changes from ${before[field]} to ${now[field]}`,
        );
    if (finished.includes(before.status) && before.status !== now.status)
      report("a finished attempt stays finished", `an attempt goes from ${before.status} to ${now.status}`);
    if (before.claims > now.claims) report("claims count up", `${before.claims} to ${now.claims}`);
  };

  const noteReview = (before: SeenAttempt | undefined, now: SeenAttempt): void => {
    if (now.status !== "REVIEW") return;
    if (before?.status !== "REVIEW" || before.error_code !== now.error_code)
      reviews.set(now.id, (reviews.get(now.id) ?? 0) + 1);
    const row = seen.get(now.subscription_id);
    if (row?.billing_blocked_reason !== now.error_code)
      report("every review is reported", `${row?.billing_blocked_reason} is shown for ${now.error_code}`);
  };

  const compareWait = (before: Seen | undefined, now: Seen): void => {
    if (before === undefined) return;
    const hasChanged = before.open_attempt_id !== now.open_attempt_id;
    const attemptOf = (id: string | null) => (hasChanged && id !== null ? attempts.get(id) : undefined);
    waits.check(before, now, {
      begun: attemptOf(now.open_attempt_id),
      ended: attemptOf(before.open_attempt_id),
    });
  };

  const note = (now: Seen, commit: number): void => {
    const last = moments.findLast(({ id }) => id === now.id);
    if (last?.status !== now.status || last.activation !== now.activation)
      moments.push({ id: now.id, status: now.status, activation: now.activation, commit });
  };

  return {
    async check(commit: number): Promise<void> {
      const of = { account_seq: accountSeq };
      const [rows, tries] = await read(db, [subscriptionsOf(of), attemptsOf(of)]);
      const earlier = new Map(seen);
      for (const row of rows) {
        const before = seen.get(row.id);
        compare(before, row);
        if (before) orders.noteOrder(before, row);
        if (before)
          checkReminder(
            { days: reminderDays, todaysOf: () => [today(), today(invocationMsMax)] },
            before,
            row,
            report,
          );
        if (before)
          await checkDates(
            {
              ...{ db, accountSeq, daysOf: () => [today(), today(invocationMsMax)] },
              openFrom: openFrom(closedDays(), clock()),
            },
            before,
            row,
            report,
          );
        note(row, commit);
        seen.set(row.id, row);
      }
      for (const row of tries) {
        compareAttempt(attempts.get(row.id), row);
        noteReview(attempts.get(row.id), row);
        attempts.set(row.id, row);
      }
      for (const row of rows) compareWait(earlier.get(row.id), row);
    },
    /** Checks that a commit of another account has changed nothing of this one. */
    async checkUntouched(): Promise<void> {
      const of = { account_seq: accountSeq };
      const [rows, tries] = await read(db, [subscriptionsOf(of), attemptsOf(of)]);
      const isSame =
        rows.length === seen.size &&
        tries.length === attempts.size &&
        rows.every((row) => isEqual(row, seen.get(row.id))) &&
        tries.every((row) => isEqual(row, attempts.get(row.id)));
      if (!isSame)
        report("accounts do not touch each other", `a commit of another account changes ${accountSeq}`);
    },
    orders,
    underReview: (): SeenAttempt[] => [...attempts.values()].filter(({ status }) => status === "REVIEW"),
    reviewsOf: (id: string): number => reviews.get(id) ?? 0,
    attempt: (id: string): SeenAttempt | undefined => attempts.get(id),
    /** Whether an open attempt has the reference of a charge. */
    waitsFor: (reference: string): boolean =>
      [...attempts.values()].some(
        ({ status, store_reference, noted_reference }) =>
          !finished.includes(status) && [store_reference, noted_reference].includes(reference),
      ),
    attemptNoted: (reference: string): SeenAttempt | undefined =>
      [...attempts.values()].findLast(({ noted_reference }) => noted_reference === reference),
    /** Whether a life of a subscription is still billed after a commit. */
    isBillableAt: (id: string, activation: number, commit: number): boolean => {
      const then = moments.findLast((moment) => moment.id === id && moment.commit <= commit);
      return then?.activation === activation && ["ACTIVE", "PAYMENT_FAILED"].includes(then.status);
    },
    mark: (): void => {
      orders.mark();
      waits.mark();
      saved = {
        seen: new Map(seen),
        attempts: new Map(attempts),
        moments: [...moments],
        reviews: new Map(reviews),
      };
    },
    rewind: (): void => {
      orders.rewind();
      waits.rewind();
      if (saved) ({ seen, attempts, moments, reviews } = saved);
    },
  };
}

/** How many days before a billing every account of the simulator reminds of it. */
const reminderDays = defaultSettings.payment_reminder_days_before;

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

/** Finds the first day from one on of which nobody who works now may think that it is closed; none where there are no closed days. */
function openFrom(history: ClosedDayHistory | undefined, now: number): OpenFrom | undefined {
  const begun = { commit: Number.POSITIVE_INFINITY, at: now - invocationMsMax };
  return history?.hasAny()
    ? (kind, day) => history.firstSurelyOpen(begun, { kind, slotId: null }, day)
    : undefined;
}

type Row<S> = S extends Statement<infer R> ? R : never;
type Seen = Row<ReturnType<typeof subscriptionsOf>>;
type SeenAttempt = Row<ReturnType<typeof attemptsOf>>;

/** Whether two rows of one statement have the same values. */
function isEqual<Row extends object>(a: Row, b: Row | undefined): boolean {
  if (a === b) return true;
  for (const name in a) if (a[name] !== b?.[name]) return false;
  return true;
}

/** The longest that an invocation runs; so old may its idea of today be. */
export const invocationMsMax = 15 * minuteMs;

const finished = ["SUCCEEDED", "FAILED", "CANCELLED"];

export type Watch = ReturnType<typeof newWatch>;
