import type { BillingAttempt } from "../src/billing/tables.ts";
import { read } from "../src/db/statement.ts";
import type { DunningEpisode } from "../src/dunning/tables.ts";
import type { ActivityLog } from "../src/journal/tables.ts";
import type { Order } from "../src/orders/tables.ts";
import type { Subscription } from "../src/subscriptions/tables.ts";
import type { Entry as Charge } from "./ledger.ts";
import type { World } from "./world.ts";

type Stored = Subscription & { due_on: string | null };
type LinkedOrder = Order & { subscription_id: string };

/** All that the database holds of an account once a schedule is over, beside what its store has charged. */
export type Books = {
  subscriptions: Stored[];
  attempts: BillingAttempt[];
  orders: LinkedOrder[];
  episodes: DunningEpisode[];
  /** The history of the subscriptions, in the order in which it was written. */
  entries: ActivityLog[];
  orderEntries: ActivityLog[];
  charges: Charge[];
};

const queries = {
  subscriptions: "SELECT * FROM subscriptions WHERE account_id = ?",
  attempts: "SELECT * FROM billing_attempts WHERE account_id = ? ORDER BY created_at, id",
  orders: `SELECT o.*, l.subscription_id AS subscription_id FROM orders AS o
    JOIN order_subscriptions AS l ON l.account_id = o.account_id AND l.order_id = o.id WHERE o.account_id = ?`,
  episodes: "SELECT * FROM dunning_episodes WHERE account_id = ? ORDER BY opened_at, id",
  entries: "SELECT * FROM activity_logs WHERE account_id = ? ORDER BY rowid",
};

export const readBooks = async ({ database, account, ledger }: World): Promise<Books> => {
  const [subscriptions, attempts, orders, episodes, entries] = await read<
    [Stored, BillingAttempt, LinkedOrder, DunningEpisode, ActivityLog]
  >(database, [
    { sql: queries.subscriptions, params: [account.id] },
    { sql: queries.attempts, params: [account.id] },
    { sql: queries.orders, params: [account.id] },
    { sql: queries.episodes, params: [account.id] },
    { sql: queries.entries, params: [account.id] },
  ]);
  return {
    subscriptions,
    attempts,
    orders,
    episodes,
    entries: entries.filter(({ loggable_type }) => loggable_type === "subscription"),
    orderEntries: entries.filter(({ loggable_type }) => loggable_type === "order"),
    charges: ledger.entries,
  };
};
