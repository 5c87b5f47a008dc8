-- The feed narrowed to what integrations have done, in the order of time.
CREATE INDEX activity_logs_of_integrations_by_time ON activity_logs (account_id, created_at)
  WHERE substr(type, 1, 12) = 'integration.';

-- Lists without a bound of their own need an index in their order, however rarely they are long.
CREATE INDEX delivery_days_by_time ON delivery_days (account_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX delivery_slots_by_time ON delivery_slots (account_id, created_at, id) WHERE deleted_at IS NULL;
