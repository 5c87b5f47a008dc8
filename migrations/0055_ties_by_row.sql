-- Each entry of an index is written with its row and stored with it. Every index ends in the rowid anyway, which is `seq` here, so rows
-- that a sort leaves equal are in that order, and no index repeats the id of 36 characters.
DROP INDEX subscriptions_by_time;
CREATE INDEX subscriptions_by_time ON subscriptions (account_id, created_at);
DROP INDEX subscriptions_by_status_and_time;
CREATE INDEX subscriptions_by_status_and_time ON subscriptions (account_id, status, created_at);
DROP INDEX subscriptions_by_billing_date;
CREATE INDEX subscriptions_by_billing_date ON subscriptions (account_id, status, next_billing_date);
DROP INDEX subscriptions_by_delivery_date;
CREATE INDEX subscriptions_by_delivery_date ON subscriptions (account_id, status, next_delivery_date);
DROP INDEX subscriptions_by_production_date;
CREATE INDEX subscriptions_by_production_date ON subscriptions (account_id, status, next_production_date);
DROP INDEX subscriptions_by_total;
CREATE INDEX subscriptions_by_total ON subscriptions (account_id, status, total);
DROP INDEX subscriptions_by_profile;
CREATE INDEX subscriptions_by_profile ON subscriptions (account_id, profile_id, created_at);
DROP INDEX subscriptions_by_cancellation_reason;
CREATE INDEX subscriptions_by_cancellation_reason ON subscriptions (account_id, cancellation_reason_id, created_at)
  WHERE cancellation_reason_id IS NOT NULL;
DROP INDEX subscriptions_by_failed_payment;
CREATE INDEX subscriptions_by_failed_payment
  ON subscriptions (account_id, (dunning_episode_id IS NOT NULL OR status = 'PAYMENT_FAILED'), created_at)
  WHERE (dunning_episode_id IS NOT NULL OR status = 'PAYMENT_FAILED') = 1;
DROP INDEX subscriptions_due;
CREATE INDEX subscriptions_due ON subscriptions (account_id, due_on) WHERE due_on IS NOT NULL;
DROP INDEX subscriptions_to_remind;
CREATE INDEX subscriptions_to_remind ON subscriptions (account_id, remind_of) WHERE remind_of IS NOT NULL;

DROP INDEX orders_by_time;
CREATE INDEX orders_by_time ON orders (account_id, created_at);
DROP INDEX orders_by_status_and_time;
CREATE INDEX orders_by_status_and_time ON orders (account_id, status, created_at);
DROP INDEX orders_by_fulfillment;
CREATE INDEX orders_by_fulfillment ON orders (account_id, fulfillment_status, created_at);
DROP INDEX orders_by_profile;
CREATE INDEX orders_by_profile ON orders (account_id, profile_id, created_at);
DROP INDEX orders_by_delivery_date;
CREATE INDEX orders_by_delivery_date ON orders (account_id, status, delivery_date);
DROP INDEX orders_by_billing_date;
CREATE INDEX orders_by_billing_date ON orders (account_id, status, billing_date);
DROP INDEX orders_by_total;
CREATE INDEX orders_by_total ON orders (account_id, status, total);
DROP INDEX orders_by_production_date;
CREATE INDEX orders_by_production_date ON orders (account_id, production_date) WHERE production_date IS NOT NULL;
DROP INDEX orders_from_checkout;
CREATE INDEX orders_from_checkout ON orders (account_id, is_checkout_order, created_at) WHERE is_checkout_order = 1;
DROP INDEX orders_without_subscription;
CREATE INDEX orders_without_subscription ON orders (account_id, has_subscription, created_at) WHERE has_subscription = 0;

-- Attempts by time are those of the four triggers, merged.
DROP INDEX billing_attempts_by_time;

-- Those without a contract are found by the index of contracts, account by account.
DROP INDEX subscriptions_without_contract;

-- The key is a digest of the cycle and the number, so where keys are unique, numbers are too. Keys of attempts that were withdrawn or
-- refused are in an index of their own.
DROP INDEX billing_attempts_one_number;
DROP INDEX billing_attempts_by_key;
CREATE INDEX billing_attempts_refused_by_key ON billing_attempts (account_id, store_key) WHERE is_refused = 1;
