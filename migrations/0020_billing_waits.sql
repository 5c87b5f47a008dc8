-- What becomes of a cycle whose goods are out of stock.
ALTER TABLE accounts ADD COLUMN out_of_stock_action TEXT NOT NULL DEFAULT 'retry'
  CHECK (out_of_stock_action IN ('retry', 'skip', 'bill_anyway'));

-- Why billing stands still: the code of the attempt under review, or of what billing waits for.
ALTER TABLE subscriptions ADD COLUMN billing_blocked_reason TEXT;
-- Since when billing waits for the merchant or the store, how often it was tried since, and when it is tried next (NULL
-- while an attempt is open). Instants of the account's time.
ALTER TABLE subscriptions ADD COLUMN billing_waiting_since TEXT;
ALTER TABLE subscriptions ADD COLUMN billing_wait_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE subscriptions ADD COLUMN billing_retry_at TEXT;
CREATE INDEX subscriptions_billing_retry ON subscriptions (account_id, billing_retry_at, id)
  WHERE billing_retry_at IS NOT NULL;
-- A cycle that waits is not due by its date.
DROP INDEX subscriptions_due;
ALTER TABLE subscriptions DROP COLUMN due_on;
ALTER TABLE subscriptions ADD COLUMN due_on TEXT GENERATED ALWAYS AS (
  CASE
    WHEN status = 'PAUSED' THEN pause_until
    WHEN store_contract_id IS NULL AND status <> 'CANCELLED' THEN NULL
    WHEN next_index < next_billed_index THEN COALESCE(next_production_date, next_delivery_date)
    WHEN status <> 'ACTIVE' OR open_attempt_id IS NOT NULL OR dunning_episode_id IS NOT NULL
      OR billing_retry_at IS NOT NULL THEN NULL
    ELSE next_billing_date
  END
) VIRTUAL;
CREATE INDEX subscriptions_due ON subscriptions (account_id, due_on, id) WHERE due_on IS NOT NULL;

-- From when the days of retries count: the first failure, later by as long as billing had to wait for others since.
ALTER TABLE dunning_episodes ADD COLUMN retries_from TEXT NOT NULL DEFAULT '';
UPDATE dunning_episodes SET retries_from = opened_at;

-- The store refused to make it: it does not know the key, which the next attempt has again.
ALTER TABLE billing_attempts ADD COLUMN is_refused INTEGER NOT NULL DEFAULT 0 CHECK (is_refused IN (0, 1));
-- Since when nobody knows what came of it, by the account's time; NULL before it is sent, and while it waits for its customer.
ALTER TABLE billing_attempts ADD COLUMN open_since TEXT;
-- Claims that do not count against it: it waited for its customer, or the store took no requests.
ALTER TABLE billing_attempts ADD COLUMN uncounted_claims INTEGER NOT NULL DEFAULT 0;
UPDATE billing_attempts SET open_since = created_at WHERE status = 'PROCESSING';
DROP INDEX billing_attempts_one_number;
DROP INDEX billing_attempts_one_key;
CREATE UNIQUE INDEX billing_attempts_one_number
  ON billing_attempts (account_id, subscription_id, activation, cycle, attempt_number)
  WHERE status <> 'CANCELLED' AND is_refused = 0;
CREATE UNIQUE INDEX billing_attempts_one_key ON billing_attempts (store_key) WHERE status <> 'CANCELLED' AND is_refused = 0;
