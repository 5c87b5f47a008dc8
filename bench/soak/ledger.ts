import { DatabaseSync } from "node:sqlite";
import { demoAccountSeq } from "../../scripts/seed/account.ts";

export type Fault = { what: string; count: number };

/** The faults in the ledger and the outboxes of a database at rest: none, it is hoped. */
export function faultsIn(database: DatabaseSync): Fault[] {
  return rules
    .map(([what, sql]) => ({ what, count: Number(database.prepare(sql).get()?.count) }))
    .filter(({ count }) => count !== 0);
}

export function readBooks(file: string): Books {
  const database = new DatabaseSync(file, { readOnly: true });
  const count = (sql: string): number => Number(database.prepare(sql).get()?.count);
  try {
    return {
      charges: count("SELECT COUNT(*) AS count FROM sandbox_charges WHERE state = 'SUCCEEDED'"),
      orders: count("SELECT COUNT(*) AS count FROM orders WHERE billing_attempt_id IS NOT NULL"),
      attempts: count(`SELECT COUNT(*) AS count FROM billing_attempts AS a WHERE ${own}`),
      deliveries: count("SELECT COUNT(*) AS count FROM event_deliveries WHERE status = 'DELIVERED'"),
      faults: faultsIn(database),
    };
  } finally {
    database.close();
  }
}

/** The e-mail addresses of the customers, and how many links to sign in with were made for them. */
export function readSignIns(file: string): { emails: string[]; links: number } {
  const database = new DatabaseSync(file, { readOnly: true });
  const emails = database.prepare("SELECT email FROM profiles WHERE account_seq = ?").all(demoAccountSeq);
  const links = database
    .prepare("SELECT COUNT(*) AS count FROM activity_logs WHERE action = 'portal_login_requested'")
    .get();
  database.close();
  return { emails: emails.map(({ email }) => String(email)), links: Number(links?.count) };
}

/** Attempts of the soak; the seed's never met a store. */
const own = "a.store_key NOT LIKE 'demo-%'";

/** The rows that may not be in a database at rest, each with how to count it. */
const rules: [what: string, sql: string][] = [
  [
    "charges that were paid without exactly one successful attempt of the same amount",
    `SELECT COUNT(*) AS count FROM sandbox_charges AS c WHERE c.state = 'SUCCEEDED' AND (
      SELECT COUNT(*) FROM billing_attempts AS a INDEXED BY billing_attempts_one_key WHERE a.account_seq = c.account_seq
        AND a.store_key = c.idempotency_key AND a.is_refused = 0 AND a.status = 'SUCCEEDED' AND a.amount = c.amount) <> 1`,
  ],
  [
    "successful attempts without exactly one paid charge",
    `SELECT COUNT(*) AS count FROM billing_attempts AS a WHERE a.status = 'SUCCEEDED' AND ${own} AND (
      SELECT COUNT(*) FROM sandbox_charges AS c WHERE c.account_seq = a.account_seq AND c.idempotency_key = a.store_key
        AND c.state = 'SUCCEEDED') <> 1`,
  ],
  [
    "successful attempts without exactly one order",
    `SELECT COUNT(*) AS count FROM billing_attempts AS a WHERE a.status = 'SUCCEEDED' AND ${own} AND (
      SELECT COUNT(*) FROM orders AS o WHERE o.account_seq = a.account_seq AND o.billing_attempt_id = a.id) <> 1`,
  ],
  [
    "orders of an attempt that did not succeed",
    `SELECT COUNT(*) AS count FROM orders AS o WHERE o.billing_attempt_id IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM billing_attempts AS a WHERE a.account_seq = o.account_seq AND a.id = o.billing_attempt_id
        AND a.status = 'SUCCEEDED' AND a.order_id = o.id)`,
  ],
  [
    "cycles that were paid twice",
    `SELECT COUNT(*) AS count FROM (SELECT 1 FROM billing_attempts WHERE status = 'SUCCEEDED'
      GROUP BY account_seq, subscription_id, activation, cycle HAVING COUNT(*) > 1)`,
  ],
  [
    "attempts that nobody has settled",
    "SELECT COUNT(*) AS count FROM billing_attempts WHERE status IN ('QUEUED', 'PROCESSING')",
  ],
  [
    "contracts that were not sent",
    "SELECT COUNT(*) AS count FROM contract_syncs WHERE next_action_at IS NOT NULL",
  ],
  [
    "plans that were not sent",
    "SELECT COUNT(*) AS count FROM selling_plan_syncs WHERE next_action_at IS NOT NULL",
  ],
  [
    "deliveries of events that wait",
    "SELECT COUNT(*) AS count FROM event_deliveries WHERE status = 'PENDING'",
  ],
  [
    "webhooks that were not handled",
    "SELECT COUNT(*) AS count FROM webhook_deliveries WHERE next_action_at IS NOT NULL",
  ],
  ["uploads that were not applied", "SELECT COUNT(*) AS count FROM profile_uploads"],
  ["clocks that have not arrived", "SELECT COUNT(*) AS count FROM accounts WHERE clock_target IS NOT NULL"],
];

export type Books = {
  charges: number;
  orders: number;
  attempts: number;
  deliveries: number;
  faults: Fault[];
};
