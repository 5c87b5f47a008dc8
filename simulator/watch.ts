import type { BillingAttempt } from "../src/billing/tables.ts";
import type { Db } from "../src/db/client.ts";
import { read } from "../src/db/statement.ts";
import { deliveriesOwed } from "../src/subscriptions/schedule.ts";
import type { Subscription } from "../src/subscriptions/tables.ts";

type Seen = Pick<
  Subscription,
  | "id"
  | "revision"
  | "status"
  | "activation"
  | "total"
  | "next_index"
  | "next_billed_index"
  | "next_billing_date"
  | "open_attempt_id"
  | "billing_waiting_since"
> & { entries: number };
type SeenAttempt = Pick<
  BillingAttempt,
  | "id"
  | "subscription_id"
  | "activation"
  | "cycle"
  | "attempt_number"
  | "origin"
  | "status"
  | "amount"
  | "claims"
>;
type Report = (rule: string, detail: string) => void;

/** What a subscription was from a commit on. */
type Moment = Pick<Subscription, "id" | "status" | "activation"> & { commit: number };

const looks = {
  subscriptions: `SELECT id, revision, status, activation, total, next_index, next_billed_index, next_billing_date,
    open_attempt_id, billing_waiting_since,
    (SELECT COUNT(*) FROM activity_logs AS l WHERE l.account_id = s.account_id
      AND l.subscription_id = s.id) AS entries
    FROM subscriptions AS s WHERE account_id = ?`,
  attempts: `SELECT id, subscription_id, activation, cycle, attempt_number, origin, status, amount, claims
    FROM billing_attempts WHERE account_id = ?`,
};

/** As long as an invocation of the Worker may take: so late may its day be that of before. */
export const longestLife = 15 * 60_000;

const over = ["SUCCEEDED", "FAILED", "CANCELLED"];

/**
 * Looks at what every commit has made of the account, and holds it to what must hold at each: history and revision go
 * together, an attempt's frozen amount is the subscription's at its start and never moves, what is over stays so. While it is
 * billed its dates stay, but for those of deliveries that are paid for.
 */
export const newWatch = (db: Db, accountId: string, today: (before?: number) => string, report: Report) => {
  let seen = new Map<string, Seen>();
  let attempts = new Map<string, SeenAttempt>();
  let moments: Moment[] = [];
  let kept: { seen: typeof seen; attempts: typeof attempts; moments: Moment[] } | undefined;

  const compare = (before: Seen | undefined, now: Seen): void => {
    if (!before) return;
    const [steps, entries] = [now.revision - before.revision, now.entries - before.entries];
    if (steps < 0 || steps > 1) report("one change at a time", `${steps} revisions in one commit`);
    if (steps > 0 !== entries > 0)
      report("history exactly per change", `${entries} entries for ${steps} changes`);
    const isBilling = now.open_attempt_id !== null && now.open_attempt_id === before.open_attempt_id;
    const isMoved = now.status === before.status && now.next_billing_date !== before.next_billing_date;
    if (isBilling && isMoved && deliveriesOwed(before) === 0)
      report("dates wait for billing", `${before.next_billing_date} becomes ${now.next_billing_date}`);
  };

  /** The frozen amount is the subscription's at its start, and what recurs is not billed before its day, unless it was asked for before. */
  const compareNew = (now: SeenAttempt): void => {
    const row = seen.get(now.subscription_id);
    if (now.amount !== row?.total)
      report("amount frozen", `${now.amount} is frozen where ${row?.total} is the total`);
    const isRepeated = row?.billing_waiting_since !== null;
    if (now.origin === "RECURRING" && !isRepeated && (row?.next_billing_date ?? "9") > today())
      report("billed when it is due", `on ${today()}, for ${row?.next_billing_date}`);
    if (now.origin === "RECURRING" && row && deliveriesOwed(row) > 0)
      report("billed when it is due", `on ${today()}, with ${deliveriesOwed(row)} deliveries owed`);
  };

  /** A cycle that is paid is followed by one that is billed on a later day: nothing is made up for in a row. */
  const compareBilled = (now: SeenAttempt): void => {
    const row = seen.get(now.subscription_id);
    const isGoingOn = row?.status === "ACTIVE" && row.activation === now.activation;
    if (isGoingOn && row.next_billing_date !== null && row.next_billing_date <= today(longestLife))
      report("the schedule moves on", `billed on ${today()}, and again on ${row.next_billing_date}`);
  };

  const compareAttempt = (before: SeenAttempt | undefined, now: SeenAttempt): void => {
    if (!before) {
      compareNew(now);
      return;
    }
    if (now.status === "SUCCEEDED" && before.status !== now.status) compareBilled(now);
    for (const field of ["amount", "activation", "cycle", "attempt_number"] as const)
      if (before[field] !== now[field])
        report("frozen for good", `${field} of an attempt moves from ${before[field]} to ${now[field]}`);
    if (over.includes(before.status) && before.status !== now.status)
      report("over is over", `an attempt goes from ${before.status} to ${now.status}`);
    if (before.claims > now.claims) report("claims count up", `${before.claims} to ${now.claims}`);
  };

  const note = (now: Seen, commit: number): void => {
    const last = moments.findLast(({ id }) => id === now.id);
    if (last?.status !== now.status || last.activation !== now.activation)
      moments.push({ id: now.id, status: now.status, activation: now.activation, commit });
  };

  return {
    async look(commit: number): Promise<void> {
      const params = [accountId];
      const [rows, tries] = await read<[Seen, SeenAttempt]>(db, [
        { sql: looks.subscriptions, params },
        { sql: looks.attempts, params },
      ]);
      for (const row of rows) {
        compare(seen.get(row.id), row);
        note(row, commit);
        seen.set(row.id, row);
      }
      for (const row of tries) {
        compareAttempt(attempts.get(row.id), row);
        attempts.set(row.id, row);
      }
    },
    attempt: (id: string): SeenAttempt | undefined => attempts.get(id),
    /** Whether a life of a subscription is still billed after a commit. */
    isWantedAt: (id: string, activation: number, commit: number): boolean => {
      const then = moments.findLast((moment) => moment.id === id && moment.commit <= commit);
      return then?.activation === activation && ["ACTIVE", "PAYMENT_FAILED"].includes(then.status);
    },
    mark: (): void => {
      kept = { seen: new Map(seen), attempts: new Map(attempts), moments: [...moments] };
    },
    rewind: (): void => {
      if (kept) ({ seen, attempts, moments } = kept);
    },
  };
};

export type Watch = ReturnType<typeof newWatch>;
