-- Settings of an account, the store platform it is connected to, and the time that a test clock gives it:
-- clock_at is its own instant once it has moved, clock_target where it is moving to, clock_lease_until who moves it.
ALTER TABLE accounts ADD COLUMN store TEXT NOT NULL DEFAULT 'sandbox' CHECK (store IN ('sandbox', 'shopify'));
ALTER TABLE accounts ADD COLUMN dunning_retry_days TEXT NOT NULL DEFAULT '[1,3,7]';
ALTER TABLE accounts ADD COLUMN dunning_final_action TEXT NOT NULL DEFAULT 'fail'
  CHECK (dunning_final_action IN ('fail', 'pause', 'cancel'));
ALTER TABLE accounts ADD COLUMN payment_reminder_days_before INTEGER DEFAULT 3
  CHECK (payment_reminder_days_before BETWEEN 0 AND 60);
ALTER TABLE accounts ADD COLUMN clock_at TEXT;
ALTER TABLE accounts ADD COLUMN clock_target TEXT;
ALTER TABLE accounts ADD COLUMN clock_lease_until TEXT;
-- Until when cron leaves the account alone: so much is due that messages of an earlier search are still being worked off.
ALTER TABLE accounts ADD COLUMN due_busy_until TEXT;
CREATE INDEX accounts_advancing ON accounts (id) WHERE clock_target IS NOT NULL;

-- Whether a reminder was sent is told by last_payment_reminder_billing_date.
ALTER TABLE subscriptions DROP COLUMN payment_reminder_status;
-- The attempt in progress. Set and cleared under the subscription's revision, so that whoever changes a subscription
-- knows of it.
ALTER TABLE subscriptions ADD COLUMN open_attempt_id TEXT;
-- The calendar date on which the schedule asks for something: a pause ends, a prepaid delivery is made, a cycle is billed.
ALTER TABLE subscriptions ADD COLUMN due_on TEXT GENERATED ALWAYS AS (
  CASE
    WHEN status = 'PAUSED' THEN pause_until
    WHEN status <> 'ACTIVE' OR store_contract_id IS NULL OR open_attempt_id IS NOT NULL
      OR dunning_episode_id IS NOT NULL THEN NULL
    WHEN next_index < next_billed_index THEN COALESCE(next_production_date, next_delivery_date)
    ELSE next_billing_date
  END
) VIRTUAL;
CREATE INDEX subscriptions_due ON subscriptions (account_id, due_on, id) WHERE due_on IS NOT NULL;
DROP INDEX subscriptions_paused_until;
-- The billing date that a reminder is still to be sent for.
ALTER TABLE subscriptions ADD COLUMN remind_of TEXT GENERATED ALWAYS AS (
  CASE WHEN status = 'ACTIVE' AND dunning_episode_id IS NULL
    AND next_billing_date IS NOT last_payment_reminder_billing_date THEN next_billing_date END
) VIRTUAL;
CREATE INDEX subscriptions_to_remind ON subscriptions (account_id, remind_of, id) WHERE remind_of IS NOT NULL;

ALTER TABLE orders ADD COLUMN billing_attempt_id TEXT;
CREATE UNIQUE INDEX orders_of_attempt ON orders (account_id, billing_attempt_id) WHERE billing_attempt_id IS NOT NULL;

-- One try to charge one cycle of one life (activation) of a subscription. `frozen` is what is charged and ordered (JSON),
-- store_key the idempotency key at the store: derived, never random. The row is also the outbox: next_action_at is when
-- the sweep looks at it again, NULL once it is settled. created_at and settled_at are the account's time, the rest real time.
CREATE TABLE billing_attempts (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  activation INTEGER NOT NULL,
  cycle INTEGER NOT NULL,
  attempt_number INTEGER NOT NULL CHECK (attempt_number > 0),
  origin TEXT NOT NULL CHECK (origin IN ('SHIP_NOW', 'RECURRING', 'DUNNING', 'RETRY')),
  status TEXT NOT NULL CHECK (
    status IN ('QUEUED', 'PROCESSING', 'ACTION_REQUIRED', 'REVIEW', 'SUCCEEDED', 'FAILED', 'CANCELLED')
  ),
  store_key TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount >= 0),
  currency_code TEXT NOT NULL,
  frozen TEXT NOT NULL,
  request_hash TEXT,
  claims INTEGER NOT NULL,
  unanswered INTEGER NOT NULL,
  lease_until TEXT,
  next_action_at TEXT,
  requested_at TEXT NOT NULL,
  first_sent_at TEXT,
  last_sent_at TEXT,
  store_reference TEXT,
  next_action_url TEXT,
  error_code TEXT,
  error_message TEXT,
  order_id TEXT,
  settled_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, subscription_id) REFERENCES subscriptions (account_id, id)
) STRICT;
CREATE UNIQUE INDEX billing_attempts_one_open ON billing_attempts (account_id, subscription_id)
  WHERE status IN ('QUEUED', 'PROCESSING', 'ACTION_REQUIRED', 'REVIEW');
CREATE UNIQUE INDEX billing_attempts_one_success ON billing_attempts (account_id, subscription_id, activation, cycle)
  WHERE status = 'SUCCEEDED';
-- A withdrawn attempt was never sent: its number and its key are used again.
CREATE UNIQUE INDEX billing_attempts_one_number
  ON billing_attempts (account_id, subscription_id, activation, cycle, attempt_number) WHERE status <> 'CANCELLED';
CREATE UNIQUE INDEX billing_attempts_one_key ON billing_attempts (store_key) WHERE status <> 'CANCELLED';
CREATE INDEX billing_attempts_by_subscription ON billing_attempts (account_id, subscription_id, created_at, id);
CREATE INDEX billing_attempts_by_request ON billing_attempts (account_id, subscription_id, origin, requested_at);
CREATE INDEX billing_attempts_to_do ON billing_attempts (next_action_at, id) WHERE next_action_at IS NOT NULL;

-- What follows a failed payment, until it is made, given up or ended. retry_days (JSON) count from opened_at;
-- due_at is when the next retry is made, or the wait for the customer ends.
CREATE TABLE dunning_episodes (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  cycle INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('OPEN', 'AWAITING_CUSTOMER', 'RECOVERED', 'EXHAUSTED', 'CLOSED')),
  attempt_count INTEGER NOT NULL,
  retry_days TEXT NOT NULL,
  due_at TEXT,
  last_error_code TEXT,
  last_error_message TEXT,
  opened_at TEXT NOT NULL,
  closed_at TEXT,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, subscription_id) REFERENCES subscriptions (account_id, id)
) STRICT;
CREATE UNIQUE INDEX dunning_episodes_one_open ON dunning_episodes (account_id, subscription_id)
  WHERE status IN ('OPEN', 'AWAITING_CUSTOMER');
CREATE INDEX dunning_episodes_by_subscription ON dunning_episodes (account_id, subscription_id, opened_at, id);
CREATE INDEX dunning_episodes_due ON dunning_episodes (account_id, due_at, subscription_id) WHERE due_at IS NOT NULL;

-- The sandbox store's ledger: what it was asked to charge, once for each key, and what came of it. A LOST request never
-- reached it.
CREATE TABLE sandbox_charges (
  charge_number INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('LOST', 'PENDING', 'ACTION_REQUIRED', 'SUCCEEDED', 'DECLINED')),
  amount INTEGER NOT NULL,
  currency_code TEXT NOT NULL,
  error_code TEXT,
  created_at TEXT NOT NULL,
  UNIQUE (account_id, idempotency_key)
) STRICT;
