-- Each entry of an index is written with its row and stored with it. These are the indexes that others serve, and those that hold
-- rows that nobody looks up by them.

-- A list by status is in the order of creation within each status, which the index of the status and the time has.
DROP INDEX subscriptions_by_status;
DROP INDEX orders_by_status;

-- Most subscriptions owe nothing: there are some of these on any page.
DROP INDEX subscriptions_by_failed_payment;
CREATE INDEX subscriptions_by_failed_payment
  ON subscriptions (account_id, (dunning_episode_id IS NOT NULL OR status = 'PAYMENT_FAILED'), created_at, id)
  WHERE (dunning_episode_id IS NOT NULL OR status = 'PAYMENT_FAILED') = 1;

-- Only what is looked up: NULL is not.
DROP INDEX subscriptions_by_entity;
CREATE INDEX subscriptions_by_entity ON subscriptions (account_id, entity_id) WHERE entity_id IS NOT NULL;

-- The plans of a subscription are in its lines: what is to be removed is found without an index by subscription.
DROP TRIGGER subscriptions_plans_update;
DROP INDEX subscription_plans_by_subscription;
CREATE TRIGGER subscriptions_plans_update AFTER UPDATE OF lines ON subscriptions WHEN OLD.lines <> NEW.lines BEGIN
  DELETE FROM subscription_plans WHERE account_id = OLD.account_id AND subscription_id = OLD.id
    AND selling_plan_id IN (SELECT value ->> '$.selling_plan_id' FROM json_each(OLD.lines))
    AND selling_plan_id NOT IN (SELECT value ->> '$.selling_plan_id' FROM json_each(NEW.lines));
  INSERT OR IGNORE INTO subscription_plans
    SELECT NEW.account_id, value ->> '$.selling_plan_id', NEW.id FROM json_each(NEW.lines);
END;

-- What a subscription has skipped is read by subscription, newest first.
CREATE TABLE subscription_skips_new (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  cycle INTEGER NOT NULL,
  skip_weeks INTEGER NOT NULL,
  reason TEXT,
  skip_reason_id TEXT,
  skip_reason_label TEXT,
  previous_anchor_date TEXT NOT NULL,
  previous_billing_date TEXT,
  previous_delivery_date TEXT,
  previous_production_date TEXT,
  schedule_revision INTEGER NOT NULL,
  undone_at TEXT,
  created_at TEXT NOT NULL,
  PRIMARY KEY (account_id, subscription_id, created_at, id),
  FOREIGN KEY (account_id, subscription_id) REFERENCES subscriptions (account_id, id)
) STRICT;
INSERT INTO subscription_skips_new SELECT * FROM subscription_skips;
DROP TABLE subscription_skips;
ALTER TABLE subscription_skips_new RENAME TO subscription_skips;
