-- A list sorted by a date or an amount has the status in front of its index: the rows of one status are read in order, and
-- those of all statuses are read in order too, merged. So one index serves the sort with and without the filter.
DROP INDEX subscriptions_by_billing_date;
DROP INDEX subscriptions_by_delivery_date;
DROP INDEX subscriptions_by_production_date;
DROP INDEX subscriptions_by_total;
CREATE INDEX subscriptions_by_billing_date ON subscriptions (account_id, status, next_billing_date, id);
CREATE INDEX subscriptions_by_delivery_date ON subscriptions (account_id, status, next_delivery_date, id);
CREATE INDEX subscriptions_by_production_date ON subscriptions (account_id, status, next_production_date, id);
CREATE INDEX subscriptions_by_total ON subscriptions (account_id, status, total, id);
DROP INDEX orders_by_delivery_date;
DROP INDEX orders_by_billing_date;
DROP INDEX orders_by_total;
CREATE INDEX orders_by_delivery_date ON orders (account_id, status, delivery_date, id);
CREATE INDEX orders_by_billing_date ON orders (account_id, status, billing_date, id);
CREATE INDEX orders_by_total ON orders (account_id, status, total, id);

-- Many subscriptions may have one reason.
DROP INDEX subscriptions_by_cancellation_reason;
CREATE INDEX subscriptions_by_cancellation_reason ON subscriptions (account_id, cancellation_reason_id, created_at, id)
  WHERE cancellation_reason_id IS NOT NULL;

CREATE INDEX orders_by_production_date ON orders (account_id, production_date, id) WHERE production_date IS NOT NULL;

-- Of the flags, only the value that few rows have is looked up; most rows are in none of these.
CREATE INDEX orders_from_checkout ON orders (account_id, is_checkout_order, created_at, id) WHERE is_checkout_order = 1;
CREATE INDEX orders_without_subscription ON orders (account_id, has_subscription, created_at, id)
  WHERE has_subscription = 0;
CREATE INDEX entities_inactive ON entities (account_id, is_active, created_at, id) WHERE is_active = 0 AND deleted_at IS NULL;
CREATE INDEX entities_by_type_and_time ON entities (account_id, entity_type, created_at, id) WHERE deleted_at IS NULL;

-- The feed by action and by actor. What billing writes for each cycle is not in these: there is some of it on any page.
CREATE INDEX activity_logs_by_action ON activity_logs (account_id, action, created_at, id)
  WHERE action NOT IN ('billing_started', 'billing_succeeded', 'order_placed', 'payment_reminder_due');
CREATE INDEX activity_logs_by_actor ON activity_logs (account_id, actor_type, created_at, id) WHERE actor_type <> 'system';
CREATE INDEX activity_logs_by_staff ON activity_logs (account_id, actor_name, created_at, id) WHERE actor_type = 'admin';
