-- What becomes of deliveries that are paid for when a subscription is cancelled.
ALTER TABLE accounts ADD COLUMN prepaid_on_end TEXT NOT NULL DEFAULT 'deliver'
  CHECK (prepaid_on_end IN ('deliver', 'stop'));

-- How many deliveries one billing pays for: the plan's figure, which no change of the frequency touches.
ALTER TABLE subscriptions ADD COLUMN deliveries_per_billing INTEGER NOT NULL DEFAULT 1
  CHECK (deliveries_per_billing > 0);
-- Intervals that divide each other are both of days (a week has 7) or both of months (a year has 12).
UPDATE subscriptions SET deliveries_per_billing = MAX(1,
    billing_interval_count * CASE billing_interval WHEN 'WEEK' THEN 7 WHEN 'YEAR' THEN 12 ELSE 1 END
      / (delivery_interval_count * CASE delivery_interval WHEN 'WEEK' THEN 7 WHEN 'YEAR' THEN 12 ELSE 1 END))
  WHERE billing_interval <> delivery_interval OR billing_interval_count <> delivery_interval_count;

-- The figure is frozen with the amount from now on, also in the attempts that are in progress.
UPDATE billing_attempts SET frozen = json_set(frozen, '$.deliveries', (
    SELECT s.deliveries_per_billing FROM subscriptions AS s
    WHERE s.account_id = billing_attempts.account_id AND s.id = billing_attempts.subscription_id))
  WHERE status IN ('QUEUED', 'PROCESSING', 'ACTION_REQUIRED', 'REVIEW');

-- The calendar date on which the schedule asks for something. Deliveries that are paid for (next_index <
-- next_billed_index) come first, and do not wait for a payment, nor for an attempt that is in progress. A cancelled
-- subscription has its dates for as long as it still delivers; it may have lost its contract at the store.
DROP INDEX subscriptions_due;
ALTER TABLE subscriptions DROP COLUMN due_on;
ALTER TABLE subscriptions ADD COLUMN due_on TEXT GENERATED ALWAYS AS (
  CASE
    WHEN status = 'PAUSED' THEN pause_until
    WHEN store_contract_id IS NULL AND status <> 'CANCELLED' THEN NULL
    WHEN next_index < next_billed_index THEN COALESCE(next_production_date, next_delivery_date)
    WHEN status <> 'ACTIVE' OR open_attempt_id IS NOT NULL OR dunning_episode_id IS NOT NULL THEN NULL
    ELSE next_billing_date
  END
) VIRTUAL;
CREATE INDEX subscriptions_due ON subscriptions (account_id, due_on, id) WHERE due_on IS NOT NULL;
