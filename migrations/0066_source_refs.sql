-- At most one request's subscriptions with one migration_source_ref live at a time. Those that one request has made belong together:
-- source_group_id is the id of the first of them.
ALTER TABLE subscriptions ADD COLUMN source_group_id TEXT;

-- The list by its filter, newest first, and those that live.
CREATE INDEX subscriptions_by_source ON subscriptions (account_id, migration_source_ref, created_at)
  WHERE migration_source_ref IS NOT NULL;
CREATE INDEX subscriptions_living_by_source ON subscriptions (account_id, migration_source_ref)
  WHERE migration_source_ref IS NOT NULL AND status IN ('ACTIVE', 'PAUSED', 'PAYMENT_FAILED');

-- Those of one customer that were created at one instant were made by one request.
UPDATE subscriptions SET source_group_id = (
    SELECT twin.id FROM subscriptions AS twin
    WHERE twin.account_id = subscriptions.account_id AND twin.migration_source_ref = subscriptions.migration_source_ref
      AND twin.created_at = subscriptions.created_at AND twin.profile_id = subscriptions.profile_id
    ORDER BY twin.seq LIMIT 1)
  WHERE migration_source_ref IS NOT NULL;
