import type { Statement } from "../../src/base/db/port.ts";
import { demoId } from "../../src/base/demo.ts";
import { demoAccountSeq } from "./account.ts";
import type { Part } from "./part.ts";

const account_seq = demoAccountSeq;

/** The sandbox store's charges of the orders that were paid here, numbered as the subscriptions are. */
const charges: Statement = {
  sql: `INSERT INTO sandbox_charges (charge_number, account_seq, idempotency_key, state, amount, currency_code, created_at, subscription_id)
    SELECT s.number - 1000, a.account_seq, a.store_key, 'SUCCEEDED', a.amount, a.currency_code, a.created_at, a.subscription_id
    FROM billing_attempts AS a JOIN subscriptions AS s ON s.account_seq = a.account_seq AND s.id = a.subscription_id
    WHERE a.account_seq = ? AND a.status = 'SUCCEEDED'`,
  params: [account_seq],
};

const references: Statement = {
  sql: `UPDATE billing_attempts SET store_reference = (SELECT 'sandbox-charge-' || charge_number FROM sandbox_charges
      WHERE account_seq = billing_attempts.account_seq AND idempotency_key = billing_attempts.store_key)
    WHERE account_seq = ? AND status = 'SUCCEEDED'`,
  params: [account_seq],
};

const paidOrders: Statement = {
  sql: `UPDATE orders SET billing_attempt_id = (SELECT id FROM billing_attempts
      WHERE account_seq = orders.account_seq AND order_id = orders.id)
    WHERE account_seq = ?1 AND id IN (SELECT order_id FROM billing_attempts WHERE account_seq = ?1)`,
  params: [account_seq],
};

/** The refunds that the orders say of themselves. */
const refunds: Statement = {
  sql: `INSERT INTO order_refunds (id, account_seq, order_id, is_own, amount, status, reason, store_reference, tries, created_at, updated_at)
    SELECT '${demoId("order_refund", 0).slice(0, -12)}' || substr(id, -12), account_seq, id, 1, refunded_amount, 'SUCCEEDED',
      'One bag arrived torn', 'sandbox-refund-' || seq, 1, created_at, created_at
    FROM orders WHERE account_seq = ? AND refunded_amount > 0`,
  params: [account_seq],
};

const refundsAtStore: Statement = {
  sql: `INSERT INTO sandbox_refunds
      (account_seq, refund_number, charge_number, idempotency_key, state, amount, reason, created_at)
    SELECT o.account_seq, o.seq, c.charge_number, 'refund-' || r.id, 'SUCCEEDED', r.amount, r.reason, r.created_at
    FROM order_refunds AS r JOIN orders AS o ON o.account_seq = r.account_seq AND o.id = r.order_id
      JOIN billing_attempts AS a ON a.account_seq = o.account_seq AND a.id = o.billing_attempt_id
      JOIN sandbox_charges AS c ON c.account_seq = a.account_seq AND c.idempotency_key = a.store_key
    WHERE r.account_seq = ?`,
  params: [account_seq],
};

/** The store's side of what was paid for the orders and paid back; made from the records as they stand. */
export const refundsPart: Part = () => [charges, references, paidOrders, refunds, refundsAtStore];
