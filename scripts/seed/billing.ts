import type { Statement } from "../../src/base/db/port.ts";
import { demoId } from "../../src/base/demo.ts";
import { demoAccountSeq } from "./account.ts";
import type { Part } from "./part.ts";

const account_seq = demoAccountSeq;

/** The demo store's n-th record of a kind, n being its subscription's place in the sequence of numbers. */
function idOf(kind: "billing_attempt" | "dunning_episode"): string {
  return `'${demoId(kind, 0).slice(0, -12)}' || printf('%012x', s.number - 1000)`;
}

const snapshot = `json_object('billing_date', o.billing_date, 'delivery_date', o.delivery_date,
  'production_date', o.production_date, 'delivery_slot_id', o.delivery_slot_id, 'isOffSchedule', json('false'),
  'payment_method_id', s.payment_method_id, 'store_payment_method_id', 'pm_success',
  'store_contract_id', s.store_contract_id, 'lines', json(s.lines), 'discounts', json(s.discounts),
  'subtotal', o.subtotal, 'discount_amount', o.discount_amount, 'shipping_amount', 0, 'tax_amount', 0)`;

const columns = `(id, account_seq, subscription_id, activation, cycle, attempt_number, origin, status, store_key, amount,
  currency_code, snapshot, claims, unanswered, requested_at, first_sent_at, last_sent_at, error_code, error_message,
  order_id, settled_at, created_at, updated_at)`;

/** How each subscription's last order was paid for; where payment has failed, that it could not be. */
const attempts: Statement = {
  sql: `INSERT INTO billing_attempts ${columns}
    SELECT ${idOf("billing_attempt")}, s.account_seq, s.id, s.activation, paid.cycle, 1, 'RECURRING',
      iif(paid.failed, 'FAILED', 'SUCCEEDED'), 'demo-' || s.number, iif(paid.failed, s.total, o.total), s.currency_code,
      ${snapshot}, 1, 0, o.created_at, o.created_at, o.created_at, iif(paid.failed, 'insufficient_funds', NULL),
      iif(paid.failed, 'The card has insufficient funds', NULL), iif(paid.failed, NULL, o.id), o.created_at,
      o.created_at, o.created_at
    FROM subscriptions AS s JOIN orders AS o ON o.account_seq = s.account_seq AND o.id = s.last_order_id
    JOIN (SELECT id, status = 'PAYMENT_FAILED' AS failed,
        current_billing_cycle - (status <> 'PAYMENT_FAILED') AS cycle FROM subscriptions) AS paid ON paid.id = s.id
    WHERE s.account_seq = ? AND paid.cycle > 0`,
  params: [account_seq],
};

const episodes: Statement = {
  sql: `INSERT INTO dunning_episodes (id, account_seq, subscription_id, cycle, status, attempt_count, retry_days,
      last_error_code, last_error_message, opened_at, closed_at, retries_from)
    SELECT ${idOf("dunning_episode")}, s.account_seq, s.id, s.current_billing_cycle, 'EXHAUSTED', 4, '[1,3,7]',
      'insufficient_funds', 'The card has insufficient funds', o.created_at,
      strftime('%Y-%m-%dT%H:%M:%fZ', o.created_at, '+7 days'), o.created_at
    FROM subscriptions AS s JOIN orders AS o ON o.account_seq = s.account_seq AND o.id = s.last_order_id
    WHERE s.account_seq = ? AND s.status = 'PAYMENT_FAILED'`,
  params: [account_seq],
};

/** The charges, and the dunning where one failed; made from the records as they stand. */
export const billingPart: Part = () => [attempts, episodes];
