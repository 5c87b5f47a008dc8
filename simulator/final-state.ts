import type { BillingAttempt } from "../src/billing/tables.ts";
import { read } from "../src/db/statement.ts";
import type { DunningEpisode } from "../src/dunning/tables.ts";
import type { ActivityLog } from "../src/journal/tables.ts";
import type { Order } from "../src/orders/tables.ts";
import type { PaymentMethod } from "../src/payment-methods/tables.ts";
import type { SellingPlan } from "../src/selling-plans/tables.ts";
import type { ContractSync, Subscription } from "../src/subscriptions/tables.ts";
import type { Entry as Charge } from "./outside.ts";
import type { World } from "./world.ts";

type Stored = Subscription & { due_on: string | null };
type LinkedOrder = Order & { subscription_id: string };

/** All that the database holds of an account once a schedule is over, beside what its store has charged. */
export type FinalState = {
  plans: SellingPlan[];
  subscriptions: Stored[];
  attempts: BillingAttempt[];
  orders: LinkedOrder[];
  episodes: DunningEpisode[];
  /** The history of the subscriptions, in the order in which it was written. */
  entries: ActivityLog[];
  orderEntries: ActivityLog[];
  /** The store's ids of payment methods, by ours. */
  cards: Map<string | null, string>;
  /** What the store is still to be told. */
  syncs: ContractSync[];
  charges: Charge[];
};

const queries = {
  plans: "SELECT * FROM selling_plans WHERE account_id = ?",
  subscriptions: "SELECT * FROM subscriptions WHERE account_id = ?",
  attempts: "SELECT * FROM billing_attempts WHERE account_id = ? ORDER BY created_at, id",
  orders: `SELECT o.*, l.subscription_id AS subscription_id FROM orders AS o
    JOIN order_subscriptions AS l ON l.account_id = o.account_id AND l.order_id = o.id WHERE o.account_id = ?`,
  episodes: "SELECT * FROM dunning_episodes WHERE account_id = ? ORDER BY opened_at, id",
  entries: "SELECT * FROM activity_logs WHERE account_id = ? ORDER BY rowid",
  methods: "SELECT * FROM payment_methods WHERE account_id = ?",
  syncs: "SELECT * FROM contract_syncs WHERE account_id = ?",
};

export const readFinalState = async ({ database, account, store }: World): Promise<FinalState> => {
  const [plans, subscriptions, attempts, orders, episodes, entries, methods, syncs] = await read<
    [
      SellingPlan,
      Stored,
      BillingAttempt,
      LinkedOrder,
      DunningEpisode,
      ActivityLog,
      PaymentMethod,
      ContractSync,
    ]
  >(database, [
    { sql: queries.plans, params: [account.id] },
    { sql: queries.subscriptions, params: [account.id] },
    { sql: queries.attempts, params: [account.id] },
    { sql: queries.orders, params: [account.id] },
    { sql: queries.episodes, params: [account.id] },
    { sql: queries.entries, params: [account.id] },
    { sql: queries.methods, params: [account.id] },
    { sql: queries.syncs, params: [account.id] },
  ]);
  return {
    plans,
    subscriptions,
    attempts,
    orders,
    episodes,
    entries: entries.filter(({ loggable_type }) => loggable_type === "subscription"),
    orderEntries: entries.filter(({ loggable_type }) => loggable_type === "order"),
    cards: new Map(methods.map(({ id, store_payment_method_id }) => [id, store_payment_method_id])),
    syncs,
    charges: store.entries,
  };
};
